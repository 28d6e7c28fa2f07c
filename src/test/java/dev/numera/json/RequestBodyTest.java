package dev.numera.json;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.functions.App;
import dev.numera.functions.http.HeapUse;
import dev.numera.functions.http.Requests;
import dev.numera.functions.http.ledger.LedgerFunctions;
import dev.numera.functions.http.sequence.SequenceFunctions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bodies of requests. A body is parsed only after its size is known to be small: a tree of 100 MB once took all the
 * memory of an instance.
 */
class RequestBodyTest {
    private static final String LONG = "[" + "{},".repeat(3_000_000) + "{}]";

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{}", "null", " { } ", "\r\n\t{\n}\n", " null\n"})
    void anEmptyBodyIsNone(String body) {
        assertDoesNotThrow(() -> RequestBody.requireNone(body));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "}",
                "{}}",
                "{} {}",
                "[]",
                "5",
                "nul",
                "\"\"",
                "{\"count\": 5}",
                "\u0000",
                "{}null",
                "\ufeff{}"
            })
    void refusesAnyOtherBody(String body) {
        ProblemException refusal = assertThrows(ProblemException.class, () -> RequestBody.requireNone(body));

        assertEquals(ProblemType.INVALID_REQUEST, refusal.type());
    }

    @Test
    void aBodyWhereNoneBelongsIsRefusedUnparsed() {
        long bytes = HeapUse.bytes(() -> assertThrows(ProblemException.class, () -> RequestBody.requireNone(LONG)));

        assertTrue(bytes < LONG.length(), () -> bytes + " bytes");
    }

    @Test
    void aBodyThatIsTooLongIsRefusedUnparsed() {
        HttpRequestMessage<Optional<String>> request = request(LONG);

        long bytes = HeapUse.bytes(() -> {
            assertTooLarge(new SequenceFunctions(mock(App.class)).putDefinition(request, "a", "b"));
            assertTooLarge(new SequenceFunctions(mock(App.class)).advance(request, "a", "b"));
            assertTooLarge(new LedgerFunctions(mock(App.class)).parseText(request, "a", "b"));
        });

        assertTrue(bytes < LONG.length(), () -> bytes + " bytes");
    }

    private static void assertTooLarge(HttpResponseMessage answer) {
        assertEquals(413, answer.getStatusCode());
    }

    @ParameterizedTest
    @MethodSource("dev.numera.json.JsonTest#exponentsOutOfRange")
    void anExponentOutOfRangeIsRefused(String number) {
        String body = "{\"nextAtLeast\": " + number + "}";

        HttpResponseMessage answer = new SequenceFunctions(mock(App.class)).advance(request(body), "a", "b");

        assertEquals(400, answer.getStatusCode());
        assertTrue(answer.getBody().toString().contains("a number has an exponent out of range"));
    }

    /** A text of 65,000 digits was once parsed as a number by each format that the sequence ever had. */
    @Test
    void aCallThatNeedsLittleTakesLittle() {
        String text = "{\"text\": \"" + "1".repeat(5_000) + "\"}";
        String number = "{\"nextAtLeast\": 5" + " ".repeat(5_000) + "}";

        assertTooLarge(new LedgerFunctions(mock(App.class)).parseText(request(text), "a", "b"));
        assertTooLarge(new SequenceFunctions(mock(App.class)).advance(request(number), "a", "b"));
    }

    /** The parser once addressed its advice to the calling code, which the sender of the body cannot change. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"start\":NaN} | Non-standard token 'NaN' at line 1, column 13.",
                "{\"start\":1}{} | Trailing token (of type START_OBJECT) found after value at line 1, column 12.",
                "{\"start\":1 | Unexpected end-of-input: expected close marker for Object at line 1, column 11.",
                "{start:1} | Unexpected character ('s' (code 115)): was expecting double-quote to start field name at"
                        + " line 1, column 2."
            })
    void whatIsNoJsonIsSaidWithItsPlace(String body, String why) {
        ProblemException refusal = assertThrows(ProblemException.class, () -> RequestBody.object(body, 10_000));

        assertEquals("body must be a JSON object: " + why, refusal.getMessage());
    }

    @Test
    void numberOfTooManyDigitsIsTooLarge() {
        ProblemException refusal = assertThrows(
                ProblemException.class, () -> RequestBody.object("{\"a\":" + "1".repeat(5_001) + "}", 10_000));

        assertEquals(
                "The body is too large for one request: Number value length (5001) exceeds the maximum allowed"
                        + " (1000). Send less at once.",
                refusal.getMessage());
    }

    /** The app would otherwise store another text than the caller's reason or format, forever. */
    @Test
    void bytesThatAreNotUtf8AreRefused() {
        HttpResponseMessage answer =
                new LedgerFunctions(mock(App.class)).parseText(request("{\"text\": \"M\uFFFDller\"}"), "a", "b");

        assertEquals(400, answer.getStatusCode());
        assertTrue(answer.getBody().toString().contains("must be UTF-8"), answer.getBody()::toString);
    }

    private static HttpRequestMessage<Optional<String>> request(String body) {
        return Requests.of("/api/sequences/a/b", body, Map.of());
    }
}
