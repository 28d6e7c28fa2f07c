package dev.numera.core.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of the texts that callers choose, such as keys and reasons. All of them share it. */
class PrintableTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u202e",
                "order\u202egpj",
                "\u061ca",
                "a\u200e",
                "a\u200fb",
                "\u202aa",
                "\u202ba",
                "\u202ca",
                "\u202da",
                "a\u2066b",
                "a\u2067b",
                "a\u2068b",
                "a\u2069"
            })
    void directionControlsAreRefused(String text) {
        assertEquals(
                Optional.of(
                        "must have no characters that change the direction of text, such as U+202E: leave them out"),
                PrintableText.KEY.flaw(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u200b",
                "\u00ad",
                "\ufeff",
                "\u2060\u2061",
                "\u200c\u200d",
                "\u034f",
                "\u115f",
                "\u1160",
                "\u17b4",
                "\u180e",
                "\u180b",
                "\u2800",
                "\u3164",
                "\uffa0",
                "\ufe0f",
                "\ufff9",
                "\u200b \u200b",
                "\udb40\udc41",
                "\udb40\udd00"
            })
    void aTextOfInvisibleCharactersIsRefused(String text) {
        assertEquals(Optional.of("must have at least one visible character"), PrintableText.KEY.flaw(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order-9001",
                "a b",
                "\u05d0\u05d1 123",
                "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
                "\ud83d\udc69\u200d\ud83d\udcbb",
                "\u2764\ufe0f",
                "a\u00adb",
                "a\u200b\ufeffb",
                "\u0928\u094d\u200d\u092e",
                "\u8fbb\udb40\udd00",
                "\u1820\u180b",
                "\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc77\udb40\udc6c\udb40\udc73\udb40\udc7f",
                "\u2764\ufe0f\udb40\udc67\udb40\udc7f",
                "\u3042"
            })
    void anyScriptIsAccepted(String text) {
        assertEquals(Optional.empty(), PrintableText.KEY.flaw(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u200ba",
                "a\u200b",
                "\ufeffa",
                "a\ufeff",
                "a\u00ad",
                "\u2060a",
                "a\u200c",
                "a\u200d",
                "\u034fa",
                "a\u034f",
                "a\u115f",
                "a\u1160",
                "a\u17b5",
                "a\u180e",
                "a\u2065",
                "\u2800a",
                "a\u2800",
                "\u3164a",
                "a\u3164",
                "a\uffa0",
                "a\ufff0",
                "a\ufff9",
                "a\ud834\udd73",
                "\ufe0fa",
                "\udb40\udd00a",
                "a\ufe0f\ufe0f",
                "a\u200b\ufe0f",
                "a\udb40\udc01",
                "a\udb40\udc67",
                "a\udb40\udc7f",
                "\udb40\udc67\udb40\udc7fa",
                "a\u200b\udb40\udc67\udb40\udc7f",
                "a\udb43\udfff"
            })
    void aKeyHasNoInvisibleCharacterAtAnEnd(String text) {
        assertEquals(
                Optional.of(
                        "must not begin or end with an invisible character, such as U+200B or U+FEFF: leave it out"),
                PrintableText.KEY.flaw(text));
        assertEquals(Optional.empty(), PrintableText.KEY.flawOfStored(text), "Earlier versions took it.");
    }

    @Test
    void aKeyHasItsLengthInComposedForm() {
        String growing = "\u0958".repeat(255);
        assertEquals(
                Optional.of("must have 1 to 255 characters in the Unicode form NFC"), PrintableText.KEY.flaw(growing));
        assertEquals(Optional.empty(), PrintableText.KEY.flaw("\u0958".repeat(127)));
        assertEquals(Optional.empty(), PrintableText.KEY.flaw("\u00e9".repeat(255)));
    }

    @ParameterizedTest
    @EnumSource(PrintableText.class)
    void eachKindHasItsLength(PrintableText kind) {
        assertEquals(Optional.empty(), kind.flaw("a".repeat(kind.maxUnits())));
        assertEquals(
                Optional.of("must have 1 to " + kind.maxUnits() + " characters"),
                kind.flaw("a".repeat(kind.maxUnits() + 1)));
    }

    @Test
    void aRefusalNamesTheField() {
        ProblemException refused =
                Assertions.assertThrows(ProblemException.class, () -> PrintableText.REASON.require("reason", "\u202e"));
        assertEquals(
                "reason must have no characters that change the direction of text, such as U+202E: leave them out.",
                refused.getMessage());
    }
}
