package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ActorHeaderTest {
    private static String read(String value) {
        return new RequestHeaders(Map.of("numera-actor", value), false).actor();
    }

    @Test
    void noHeaderIsNoActor() {
        assertNull(new RequestHeaders(Map.of(), false).actor());
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

    /** The app accepts an id only from a gateway that sets every header. */
    @Test
    void anIdIsStoredBehindTheName() {
        assertEquals("Anna Berg\u001Faad:8c1e", vouched("Anna%20Berg", "aad:8c1e"));
        assertEquals("\u001Faad:8c1e", vouched(null, "aad:8c1e"));
        assertEquals("Anna", vouched("Anna", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a,b", "a%1Fb", "\u00e4", "a\u001Fb", "a/b"})
    void anIdHasFewCharacters(String id) {
        assertThrows(ProblemException.class, () -> vouched("Anna", id));
        assertThrows(ProblemException.class, () -> vouched("Anna", "a".repeat(81)));
        assertEquals("Anna\u001F" + "a".repeat(80), vouched("Anna", "a".repeat(80)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x%1Faad%3A1", "%1Faad%3A1", "x%1F"})
    void aNameCannotContainAnId(String name) {
        assertThrows(ProblemException.class, () -> read(name));
        assertThrows(ProblemException.class, () -> vouched(name, "aad:2"));
    }

    @Test
    void anIdThatNoGatewayCanVouchForIsRefused() {
        RequestHeaders headers = new RequestHeaders(Map.of("numera-actor-id", "aad:1"), false);
        ProblemException refused = assertThrows(ProblemException.class, headers::actor);
        assertEquals(ProblemType.INVALID_REQUEST, refused.type());
    }

    private static String vouched(String name, String id) {
        Map<String, String> headers = new HashMap<>();
        if (name != null) {
            headers.put("numera-actor", name);
        }
        if (id != null) {
            headers.put("numera-actor-id", id);
        }
        return new RequestHeaders(headers, true).actor();
    }
}
