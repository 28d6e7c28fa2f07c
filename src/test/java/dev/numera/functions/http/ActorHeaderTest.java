package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ActorHeaderTest {
    private static String read(String value) {
        return new RequestHeaders(Map.of("numera-actor", value)).actor();
    }

    @Test
    void noHeaderIsNoActor() {
        assertNull(new RequestHeaders(Map.of()).actor());
    }

    @ParameterizedTest
    @CsvSource({
        "anna@example.com, anna@example.com",
        "J%C3%B6rg M%C3%BCller, J\u00f6rg M\u00fcller",
        "J%c3%b6rg%20M%c3%bcller, J\u00f6rg M\u00fcller",
        "100%25 Anna, 100% Anna",
        "%E6%95%B0 %F0%9F%98%80, \u6570 \uD83D\uDE00",
        "a+b, a+b"
    })
    void percentEncodedUtf8IsDecoded(String sent, String actor) {
        assertEquals(actor, read(sent));
    }

    @Test
    void theCharactersCountAfterDecoding() {
        assertEquals("\u00f6".repeat(100), read("%C3%B6".repeat(100)));
        assertThrows(ProblemException.class, () -> read("%C3%B6".repeat(101)));
    }

    /**
     * Malformed escapes: no byte after the percent sign, half a byte, a byte that is not hexadecimal. Malformed UTF-8:
     * cut, overlong, half a surrogate pair. Unsuitable characters: a blank at the start, a control character, a change
     * of direction, a letter that is not encoded.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "%",
                "100% Anna",
                "a%4",
                "%+1",
                "%C3",
                "%C3a",
                "%C0%AF",
                "%ED%A0%80",
                "",
                " ",
                "%20a",
                "a%0Ab",
                "a%E2%80%AEb",
                "J\u00f6rg"
            })
    void anythingElseIsRefused(String sent) {
        ProblemException refusal = assertThrows(ProblemException.class, () -> read(sent));

        assertEquals(ProblemType.INVALID_REQUEST, refusal.type());
    }
}
