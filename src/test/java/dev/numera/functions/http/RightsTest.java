package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RightsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Numera.Read:Shop1 | Shop1 | true",
                "Numera.Read:Shop1 | shop1 | false",
                "Numera.Read:Shop1 | Shop | false",
                "Numera.Read:Shop1 | Shop11 | false",
                "Numera.Read:Shop1 | ~ | false",
                "Numera.Read:Shop1 | | false",
                "Numera.Read | Shop1 | true",
                "Numera.Read | ~ | true",
                "Numera.Read | | true",
                "Numera.Read:~ | ~ | true",
                "Numera.Read:~ | Shop1 | false",
                "Numera.Read:eu-* | eu-7 | true",
                "Numera.Read:eu-* | eu- | true",
                "Numera.Read:eu-* | eu | false",
                "Numera.Read:eu-* | EU-7 | false",
                "Numera.Read:eu-* | ~ | false",
                "Numera.Read:eu-* | | false",
                "Numera.Allocate:Shop1 | Shop1 | false",
                "Numera.Define | Shop1 | false",
                "numera.read:Shop1 | Shop1 | false",
                "Numera.read:Shop1 | Shop1 | false",
                "Numera.Reader:Shop1 | Shop1 | false",
                "Numera.Read:Shop2 Numera.Read:Shop1 | Shop1 | true"
            })
    void aRightOpensItsScopesOnly(String header, String scope, boolean opens) {
        assertEquals(opens, Rights.parse(header).opens(Right.READ, scope));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Numera.Read:*",
                "Numera.Read:",
                "Numera.Read:~*",
                "Numera.Read:a*b",
                "Numera.Read:a**",
                "Numera.Read:a/b",
                "Numera.Read:-a",
                "Numera.Read:a:b",
                "Numera.Read:%61",
                "Numera.Read:\u00e4",
                "Numera.Read:Shop1,Numera.Read:Shop2",
                "Numera.Read, Other.Role",
                ","
            })
    void aScopeThatCannotExistAndACommaAreRefused(String header) {
        assertInvalid(header);
    }

    static Stream<String> tooLong() {
        return Stream.of(
                "x".repeat(4_097),
                " ".repeat(4_097),
                "a ".repeat(201),
                "Numera.Read:" + "a".repeat(64),
                "Numera.Read:" + "a".repeat(63) + "*");
    }

    @ParameterizedTest
    @MethodSource("tooLong")
    void lengthsAreBounded(String header) {
        assertInvalid(header);
    }

    @Test
    void theBoundsThemselvesAreAccepted() {
        assertEquals(List.of(), Rights.parse("x".repeat(4_096)).words());
        assertEquals(List.of(), Rights.parse("a ".repeat(200)).words());
        assertTrue(Rights.parse("Numera.Read:" + "a".repeat(62) + "*").opens(Right.READ, "a".repeat(63)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | ''",
                "' \t ' | ''",
                "Other.Role numera.read Numera.Nothing Numera.Write:Shop1 | ''",
                "'\tNumera.Read:Shop1  Other.Role Numera.Allocate:eu-*\tNumera.Operate '"
                        + " | Numera.Read:Shop1 Numera.Allocate:eu-* Numera.Operate",
                "Numera.Read Numera.Read | Numera.Read"
            })
    void wordsThatAreNoRightAreLeftOut(String header, String words) {
        assertEquals(words, String.join(" ", Rights.parse(header).words()));
    }

    private static void assertInvalid(String header) {
        ProblemException refused = assertThrows(ProblemException.class, () -> Rights.parse(header));
        assertEquals(ProblemType.INVALID_REQUEST, refused.type());
        assertTrue(refused.getMessage().startsWith("Numera-Rights must "), refused.getMessage());
        assertTrue(refused.getMessage().length() < 200, refused.getMessage());
    }
}
