package dev.numera.functions.http.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.azure.functions.HttpRequestMessage;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.functions.http.HeapUse;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Requests;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.Uploads;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Lists that are too long, which are refused before they fill the memory: 32 Mi characters can hold eleven million
 * objects, lines or columns.
 */
class ListBodyTest {
    private static final int MANY = 3_000_000;

    @ParameterizedTest
    @CsvSource({"'{\"keys\":[', '{},', '{}]}'", "'{\"keys\":[', '[],', '[]]}'", "'{\"keys\":[', '\"\",', '\"\"]}'"})
    void jsonOfTooManyValuesIsRefusedBeforeItIsATree(String head, String piece, String tail) {
        long forMany = HeapUse.bytes(() -> assertTooLarge("application/json", head + piece.repeat(MANY) + tail));
        long forFewer = HeapUse.bytes(() -> assertTooLarge("application/json", head + piece.repeat(MANY / 2) + tail));

        assertTrue(
                forMany - forFewer < MANY * 16L,
                () -> "refusing " + MANY / 2 + " values more took " + (forMany - forFewer) + " bytes");
    }

    @Test
    void linesAreReadAsFarAsTheyAreTaken() {
        String half = "a\n".repeat(MANY / 2);
        String all = half + half;
        long forMany = HeapUse.bytes(() -> refusal("text/plain", all));
        long forFewer = HeapUse.bytes(() -> refusal("text/plain", half));

        assertTrue(
                forMany - forFewer < MANY,
                () -> "a list of " + MANY / 2 + " lines more took " + (forMany - forFewer) + " bytes");
    }

    /** The refusal needs only the length of the row, so the row is not split into its cells. */
    @ParameterizedTest
    @CsvSource({"'', line 1", "'key\nb\nc\n', line 4"})
    void aRowOfTooManyColumnsIsRefusedBeforeItIsTakenApart(String rowsBefore, String place) {
        String commas = ",".repeat(MANY);
        ProblemException problem = refusal("text/csv", rowsBefore + commas);

        assertEquals(place + " has more than " + Uploads.MAX_ROW_UNITS + " characters.", problem.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain, 'a\nb\n\n'",
        "text/plain, 'a\r\nb\r\n \t\r\n\r\n'",
        "text/csv, 'key\na\nb\n\n\n'",
        "text/csv, 'key;note\r\na;\r\nb;\r\n;\r\n ; \r\n\r\n;'",
        "text/csv, 'key,note\na,\nb,\n,\n'"
    })
    void emptyLinesAtTheEndAreNoRows(String type, String body) {
        assertEquals(
                List.of("a", "b"),
                read(type, body).rows().rows().stream().map(row -> row.get(0)).toList());
    }

    @Test
    void anEmptyCellInQuotesIsNoEmptyLine() {
        assertEquals(
                "line 3 must have 1 to 255 characters.",
                refusal("text/csv", "key\na\n\"\"").getMessage());
        assertEquals(
                "line 3 must not begin or end with a blank.",
                refusal("text/csv", "key\na\n\"\n\"\n\n").getMessage());
    }

    @Test
    void anEmptyLineAmongOthersIsCalledSo() {
        assertEquals(
                "line 2 is empty: delete it, or write its key (and 1 more).",
                refusal("text/plain", "a\n\nb\n \nc\n").getMessage());
        assertEquals(
                "line 3 has 1 columns, but the header has 2: it is empty, so delete it.",
                refusal("text/csv", "key,note\na,\n\nb,\n").getMessage());
    }

    @ParameterizedTest
    @CsvSource({"text/plain", "text/csv", "application/json"})
    void utf16WithoutItsMarkIsCalledSo(String type) {
        assertEquals(
                "body must be UTF-8: it contains the character U+0000, which suggests UTF-16.",
                refusal(type, "k\0e\0y\0\n\0a\0").getMessage());
    }

    @Test
    void rowsMayBeAsLongAsTheyAreStored() {
        int noteUnits = Uploads.MAX_ROW_UNITS - ListColumns.storedUnits(List.of("k1", ""));
        String rows = "id,note\n" + ("k%d," + "x".repeat(noteUnits) + "\n").repeat(9);
        Object[] keys = {1, 2, 3, 4, 5, 6, 7, 8, 9};

        assertEquals(9, read("text/csv", rows.formatted(keys)).rows().rows().size());
    }

    @Test
    void jsonIsAListOfItsKeysOrOfItsId() {
        ListBody keys = read(
                "application/json",
                "{\"id\": \"batch-7\", \"keys\": [\"b\", \"a\"], \"date\": \"2026-11-21\", \"reserve\": true}");
        ListBody count = read("application/json", "{\"id\": \"batch-8\", \"count\": 500}");

        LocalDate date = LocalDate.of(2026, 11, 21);
        ListColumns columns = ListColumns.ofKeys(date, 1);
        assertEquals("batch-7", keys.id());
        assertEquals(columns.reserved(), keys.rows().layout());
        assertEquals(List.of(List.of("b"), List.of("a")), keys.rows().rows());
        assertEquals(500, count.rows().layout().count());
        assertEquals(List.of(List.of("batch-8")), count.rows().rows());
    }

    /** A client that fixes one error after the other gets the errors in this order. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"scope\": \"x\", \"y\": 1} | scope must be as in the path, or left out.",
                "{\"x\": 1, \"id\": 7} | x is no field of a batch: it has id, scope, name, date, reserve, and keys or"
                        + " count.",
                "{\"id\": 7, \"date\": 8} | id must be a string.",
                "{\"date\": 7, \"keys\": 8, \"count\": 9} | date must be a string.",
                "{\"keys\": [\"\", 2]} | keys[1] must be a string.",
                "{\"keys\": [\"a\", \"a\", \"\"]} | keys[1] repeats keys[0]: each key gets one number.",
                "{\"keys\": [\"\"], \"reserve\": 1} | keys[0] must have 1 to 255 characters.",
                "{\"count\": 0} | id is missing.",
                "{\"id\": \"a\", \"count\": 0, \"reserve\": 1} | count must be a whole number from 1 to 10000.",
            })
    void firstOfTwoErrorsInJsonIsReported(String body, String detail) {
        assertEquals(detail, refusal("application/json", body).getMessage());
    }

    @Test
    void tooManyKeysIsReportedLast() {
        String head = IntStream.rangeClosed(0, Uploads.MAX_ITEMS)
                .mapToObj(i -> "\"k" + i + "\"")
                .collect(Collectors.joining(",", "{\"keys\":[", ""));

        assertEquals(
                "keys[100001] must have 1 to 255 characters.",
                refusal("application/json", head + ",\"\"]}").getMessage());
        assertEquals(
                "reserve must be true or false.",
                refusal("application/json", head + "],\"reserve\":1}").getMessage());
        assertEquals(
                "The list has more than 100000 keys. Send it in several uploads.",
                refusal("application/json", head + "]}").getMessage());
    }

    /** Query and body contradict each other. The app once followed one of them and silently ignored the other. */
    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    void whetherToReserveIsNotContradicted(boolean inQuery, boolean inBody) {
        String body = "{\"keys\": [\"a\"], \"reserve\": " + inBody + "}";

        assertEquals(
                "reserve must be as in the query, or left out.",
                assertThrows(ProblemException.class, () -> read("?reserve=" + inQuery, "application/json", body))
                        .getMessage());
        assertEquals(
                inBody,
                read("?reserve=" + inBody, "application/json", body)
                        .rows()
                        .layout()
                        .isReserved());
        assertEquals(inBody, read("application/json", body).rows().layout().isReserved());
    }

    private static void assertTooLarge(String type, String body) {
        assertEquals(ProblemType.TOO_LARGE, refusal(type, body).type());
    }

    private static ProblemException refusal(String type, String body) {
        return assertThrows(ProblemException.class, () -> read(type, body));
    }

    private static ListBody read(String type, String body) {
        return read("", type, body);
    }

    private static ListBody read(String query, String type, String body) {
        HttpRequestMessage<Optional<String>> request =
                Requests.of("/api/sequences/a/b/batches" + query, body, Map.of("content-type", type));
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            HttpCall call = Requests.call(request, share);
            return ListBody.ofKeys(
                    call, new SequenceName("a", "b"), call.query("reserve"), Optional::empty, () -> false);
        }
    }
}
