package dev.numera.functions.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueueMessageTest {
    private static final SequenceName INVOICE = new SequenceName("App1", "invoice");

    @Test
    void keysWithEverything() {
        QueueMessage message = QueueMessage.read(
                "{\"id\": \"batch-7\", \"scope\": \"App1\", \"name\": \"invoice\", \"keys\": [\"order-9002\", \"Bestellung ü\"],"
                        + " \"date\": \"2026-11-21\"}");
        LocalDate date = LocalDate.of(2026, 11, 21);

        assertEquals(
                new QueueMessage.OfBatch(
                        INVOICE,
                        List.of(new NumberRequest("order-9002", 1, date), new NumberRequest("Bestellung ü", 1, date))),
                batch(message));
        assertTrue(message.hasId());
        assertEquals(
                "{\"id\":\"batch-7\",\"scope\":\"App1\",\"name\":\"invoice\"}",
                message.echo().toString());
    }

    @Test
    void keysNeedNoId() {
        QueueMessage message = QueueMessage.read("{\"scope\": \"App1\", \"name\": \"invoice\", \"keys\": [\"a\"]}");

        assertEquals(new QueueMessage.OfBatch(INVOICE, List.of(new NumberRequest("a", 1, null))), batch(message));
        assertFalse(message.hasId());
        assertEquals("{\"scope\":\"App1\",\"name\":\"invoice\"}", message.echo().toString());
    }

    @Test
    void keysMayBeReserved() {
        QueueMessage message =
                QueueMessage.read("{\"scope\": \"App1\", \"name\": \"invoice\", \"keys\": [\"a\"], \"reserve\": true}");

        assertEquals(new QueueMessage.OfBatch(INVOICE, List.of(new NumberRequest("a", 1, null, true))), batch(message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"500", "500.0", "5e2"})
    void countIsStoredUnderTheId(String count) {
        QueueMessage message = QueueMessage.read(
                "{\"id\": \"batch-8\", \"scope\": \"App1\", \"name\": \"invoice\", \"count\": " + count + "}");

        assertEquals(
                new QueueMessage.OfBatch(INVOICE, List.of(new NumberRequest("batch-8", 500, null))), batch(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "order-9001                 | 1, column 6",
                "{                          | 1, column 2",
                "{\"id\": \"a\"} x            | 1, column 14",
            })
    void messageThatIsNotJsonIsReportedWithoutAnId(String content, String where) {
        QueueMessage message = QueueMessage.read(content);

        assertEquals(
                "message is not JSON at line " + where + ": it must be a JSON object, plain or in Base64.",
                refusal(message));
        assertFalse(message.hasId());
        assertEquals("{}", message.echo().toString());
    }

    @Test
    void aFieldThatIsThereTwiceIsRefused() {
        QueueMessage message = QueueMessage.read("{\"id\": \"a\", \"id\": \"a\"}");

        assertEquals(
                "message has a field twice at line 1, column 17: it must be a JSON object, plain or in Base64.",
                refusal(message));
        assertFalse(message.hasId());
    }

    @ParameterizedTest
    @ValueSource(strings = {"upload", "import"})
    void aBatchIsNotTakenForAPart(String field) {
        String unknown = field + " is no field of a batch: it has id, scope, name, date, reserve, and keys or count.";
        String batch = "{\"id\": \"a\", \"scope\": \"App1\", \"name\": \"invoice\", \"" + field + "\": 1, ";

        assertEquals(unknown, refusal(QueueMessage.read(batch + "\"keys\": [\"a\"]}")));
        assertEquals(unknown, refusal(QueueMessage.read(batch + "\"count\": 5}")));
        assertEquals("part must be a number.", refusal(QueueMessage.read(batch + "\"part\": \"1\"}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "[]", "[{\"id\": \"a\"}]", "null", "7", "\"a\""})
    void messageThatIsNoObjectIsRefusedWithoutAnId(String content) {
        QueueMessage message = QueueMessage.read(content);

        assertEquals("message must be a JSON object, plain or in Base64.", refusal(message));
        assertFalse(message.hasId());
        assertEquals("{}", message.echo().toString());
    }

    /**
     * A message whose number could not be read was once delivered again until the host moved it to the poison queue.
     */
    @ParameterizedTest
    @MethodSource("dev.numera.json.JsonTest#exponentsOutOfRange")
    void anExponentOutOfRangeIsRefused(String number) {
        String message = "{\"id\": \"a\", \"scope\": \"App1\", \"name\": \"invoice\", \"count\": " + number + "}";

        assertEquals(
                "message has a number with an exponent out of range: it must be a JSON object, plain or in Base64.",
                refusal(QueueMessage.read(message)));
    }

    @Test
    void jsonBeyondTheParsersLimitsIsRefusedAsSuch() {
        for (String message : List.of(
                "[".repeat(60_000),
                "[".repeat(30_000) + "]".repeat(30_000),
                "{\"" + "n".repeat(60_000) + "\": 1}",
                "{\"count\": 1" + "0".repeat(2_000) + "}")) {
            String refusal = refusal(QueueMessage.read(message));
            assertTrue(refusal.startsWith("message is nested too deeply, or has too long a name or number"), refusal);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"500", "500.0", "5e2"})
    void aWholeNumberIsOneHoweverItIsWritten(String count) {
        QueueMessage message = QueueMessage.read(
                "{\"id\": \"batch-8\", \"scope\": \"App1\", \"name\": \"invoice\", \"count\": " + count + "}");
        assertEquals(500, batch(message).requests().get(0).count());
    }

    /** Replaces one field of a good message, or omits the field if the value is empty. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "id    | ``                 | id is missing.",
                "id    | null               | id must be a string.",
                "id    | 7                  | id must be a string.",
                "id    | \"\"               | id must have 1 to 255 characters.",
                "id    | \"a \"             | id must not begin or end with a blank.",
                "scope | ``                 | scope is missing.",
                "scope | 7                  | scope must be a string.",
                "scope | \"a/b\"            | The scope must be 1 to 63 characters of A-Z a-z 0-9 . _ ~ - and start with a letter or digit.",
                "name  | ``                 | name is missing.",
                "name  | [\"invoice\"]      | name must be a string.",
                "count | ``                 | keys or count is required, but not both.",
                "count | 0                  | count must be a whole number from 1 to 10000.",
                "count | -1                 | count must be a whole number from 1 to 10000.",
                "count | 10001              | count must be a whole number from 1 to 10000.",
                "count | 99999999999        | count must be a whole number from 1 to 10000.",
                "count | 1e30               | count must be a whole number from 1 to 10000.",
                "count | 5.5                | count must be a whole number from 1 to 10000.",
                "count | \"5\"              | count must be a whole number from 1 to 10000.",
                "count | null               | count must be a whole number from 1 to 10000.",
                "keys  | [\"a\"]            | keys or count is required, but not both.",
                "date  | \"2026-02-30\"     | date must be a date such as 2026-11-21, from 0001-01-01 to 9999-12-31.",
                "date  | \"21.11.2026\"     | date must be a date such as 2026-11-21, from 0001-01-01 to 9999-12-31.",
                "date  | 20261121           | date must be a string.",
                "date  | null               | date must be a string.",
                "Count | 5                  | Count is no field of a batch: it has id, scope, name, date, reserve, and keys or count.",
                "InsertionTime | \"2020-01-01T00:00:00Z\" | InsertionTime is no field of a batch: it has id, scope, name, date, reserve, and keys or count.",
            })
    void aWrongFieldIsNamed(String field, String value, String detail) {
        Map<String, String> good =
                Map.of("id", "\"batch-8\"", "scope", "\"App1\"", "name", "\"invoice\"", "count", "5");

        assertEquals(detail, refusal(QueueMessage.read(json(good, field, value))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]               | keys must hold at least one key.",
                "\"a\"            | keys must be an array of strings.",
                "{\"a\": 1}       | keys must be an array of strings.",
                "null             | keys must be an array of strings.",
                "[\"a\", 2]       | keys[1] must be a string.",
                "[\"a\", null]    | keys[1] must be a string.",
                "[\"a\", [\"b\"]] | keys[1] must be a string.",
                "[\"a\", \"\"]    | keys[1] must have 1 to 255 characters.",
                "[\"a\", \"a\"]   | keys[1] repeats keys[0]: each key gets one number.",
                "[\"a\", \"b\", \"a\"] | keys[2] repeats keys[0]: each key gets one number.",
                "[\"\\u00fc\", \"u\\u0308\"] | keys[1] repeats keys[0]: each key gets one number.",
                "[\"a\\u200b\"]  | keys[0] must not begin or end with an invisible character, such as U+200B or U+FEFF: leave it out.",
                "[\"a\", \"b \"]  | keys[1] must not begin or end with a blank.",
                "[\"a\\n\"]       | keys[0] must not begin or end with a blank.",
                "[\"a\\u0001b\"]  | keys[0] must have printable characters only: no control characters, no half of a surrogate pair.",
                "[\"a\\ud800b\"]  | keys[0] must have printable characters only: no control characters, no half of a surrogate pair.",
            })
    void wrongKeysAreNamedByTheirPlace(String keys, String detail) {
        Map<String, String> good = Map.of("scope", "\"App1\"", "name", "\"invoice\"", "keys", "[\"a\"]");

        assertEquals(detail, refusal(QueueMessage.read(json(good, "keys", keys))));
    }

    @Test
    void aLongFieldNameIsShortened() {
        String detail = refusal(QueueMessage.read("{\"" + "x".repeat(40_000) + "\": 1}"));

        assertTrue(detail.startsWith("x".repeat(40) + "... is no field"), detail);
    }

    @Test
    void aWrongIdIsEchoedUnlessItIsTooLong() {
        assertEquals(
                "{\"id\":\" a\"}",
                QueueMessage.read("{\"id\": \" a\", \"scope\": 7}").echo().toString());
        assertFalse(QueueMessage.read("{\"id\": \"" + "a".repeat(256) + "\"}").hasId());
        assertFalse(QueueMessage.read("{\"id\": \"\"}").hasId());
        assertFalse(QueueMessage.read("{\"id\": 7}").hasId());
    }

    private static String json(Map<String, String> fields, String replaced, String value) {
        StringBuilder json = new StringBuilder();
        fields.forEach((field, good) -> {
            if (!field.equals(replaced)) {
                json.append(json.isEmpty() ? "{" : ", ")
                        .append('"')
                        .append(field)
                        .append("\": ")
                        .append(good);
            }
        });
        return json + (value.isEmpty() ? "}" : ", \"" + replaced + "\": " + value + "}");
    }

    private static QueueMessage.OfBatch batch(QueueMessage message) {
        return assertInstanceOf(QueueMessage.OfBatch.class, message.content());
    }

    private static String refusal(QueueMessage message) {
        ProblemException problem =
                assertInstanceOf(QueueMessage.Refused.class, message.content()).problem();
        assertEquals(ProblemType.INVALID_REQUEST, problem.type());
        return problem.getMessage();
    }
}
