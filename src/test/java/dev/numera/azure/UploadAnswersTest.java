package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.json.Checked;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.numbering.KeyVoidException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stored answers of an upload, a public contract in docs/tables.md. */
class UploadAnswersTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final StoredRow ROW =
            new StoredRow(TableNames.BATCHES, new TableEntity("App1:order:1", "answers:000001"));

    @Test
    void aNumberWithItsText() {
        PrintedAllocation printed = PlainNumbers.of(null, 7, 7, 1, 5, List.of("INV \"7\"\n\uD83D\uDE00"), false);

        assertEquals(
                "{\"first\":7,\"last\":7,\"count\":1,\"increment\":5,\"text\":\"INV \\\"7\\\"\\n\uD83D\uDE00\"}",
                written(printed));
        assertEquals(printed, read(written(printed)).value());
    }

    @Test
    void aNumberWithoutAText() {
        PrintedAllocation printed = PlainNumbers.of(
                null, -4_000_000_000_000_000_000L, -4_000_000_000_000_000_000L, 1, -1_000_000_000_000L, null, false);

        assertEquals(
                "{\"first\":-4000000000000000000,\"last\":-4000000000000000000,\"count\":1,\"increment\":-1000000000000}",
                written(printed));
        assertEquals(printed, read(written(printed)).value());
    }

    @Test
    void storesADateThatMatters() {
        PrintedAllocation printed = new PrintedAllocation(
                null, 7, 7, 1, 1, null, LocalDate.of(2026, 11, 2), "2026", false, Status.SIMPLY_ISSUED, null);

        assertEquals(
                "{\"first\":7,\"last\":7,\"count\":1,\"increment\":1,\"date\":\"2026-11-02\",\"period\":\"2026\"}",
                written(printed));
        assertEquals(printed, read(written(printed)).value());
    }

    /** Ten thousand texts would not fit one row, and the ledger holds them. The uploaded row holds the key. */
    @Test
    void severalNumbersAreStoredWithoutTheirTextsAndKey() {
        PrintedAllocation printed = PlainNumbers.of("key", 9, 5, 3, -2, List.of("A9", "A7", "A5"), false);

        assertEquals("{\"first\":9,\"last\":5,\"count\":3,\"increment\":-2}", written(printed));
        assertEquals(
                PlainNumbers.of(null, 9, 5, 3, -2, null, false),
                read(written(printed)).value());
    }

    /** The answer of an imported row whose number existed already and is void for a reason. */
    @Test
    void readsAnswersOfEarlierBuilds() {
        PrintedAllocation printed = new PrintedAllocation(
                null,
                7,
                7,
                1,
                1,
                null,
                null,
                null,
                true,
                new Status(Status.Kind.VOID, "misprint", null, Instant.EPOCH),
                null);

        assertEquals(
                "{\"first\":7,\"last\":7,\"count\":1,\"increment\":1,\"replayed\":true,\"status\":\"void\","
                        + "\"reason\":\"misprint\",\"statusAt\":\"1970-01-01T00:00:00Z\"}",
                written(printed));
        assertEquals(printed, read(written(printed)).value());
    }

    @Test
    void storesTheMembersOfAProblem() {
        Map<String, Object> members = Map.of(
                "left",
                0,
                "name",
                "x",
                "fields",
                List.of("a", "b"),
                "errors",
                List.of(Map.of("field", "f")),
                "is",
                true);
        ProblemException problem = new ProblemException(ProblemType.EXHAUSTED, "None left.", members);

        Result<PrintedAllocation> result =
                read(UploadAnswers.write(Result.refused(problem)).toString());

        assertNull(result.value());
        assertEquals(ProblemType.EXHAUSTED, result.problem().type());
        assertEquals("None left.", result.problem().getMessage());
        assertEquals(members, result.problem().members());
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfProblem(ProblemType type) {
        String written = UploadAnswers.write(Result.refused(new ProblemException(type, "Why.")))
                .toString();

        assertEquals("{\"problem\":\"" + type.urn() + "\",\"detail\":\"Why.\",\"members\":{}}", written);
        assertEquals(type, read(written).problem().type());
    }

    /** A part has up to 490 answers, which limits the length of each. */
    @Test
    void longestAnswersAreBrief() {
        String quotes = "\"".repeat(255);
        String note = "\"".repeat(200);
        Status voided = new Status(Status.Kind.VOID, note, note, Instant.parse("2026-11-21T09:30:00.123456789Z"));
        PrintedAllocation printed = new PrintedAllocation(
                quotes,
                -3_999_999_999_999_999_999L,
                -3_999_999_999_999_999_999L,
                1,
                -1_000_000_000_000L,
                List.of(quotes),
                LocalDate.of(2026, 11, 21),
                "2026-11-21",
                true,
                voided,
                note);
        for (Result<PrintedAllocation> result : List.of(
                Result.of(printed),
                Result.<PrintedAllocation>refused(KeyVoidException.of(new SequenceName("App1", "order"), printed)
                        .orElseThrow()),
                Result.<PrintedAllocation>refused(
                        InvalidRequest.because("date", "under it the text is " + quotes + ", not " + quotes)),
                Result.<PrintedAllocation>refused(
                        new ProblemException(ProblemType.NUMBER_TAKEN, "Taken.", Map.of("key", quotes))))) {
            String brief = UploadAnswers.writeBriefly(result).toString();

            assertTrue(brief.length() <= 1_000, () -> brief.length() + " characters: " + brief);
            assertEquals(result.isRefused(), read(brief).isRefused());
        }
    }

    @Test
    void aBriefAnswerThatIsShortStaysWhole() {
        PrintedAllocation printed = new PrintedAllocation(
                null,
                7,
                7,
                1,
                1,
                null,
                null,
                null,
                false,
                new Status(Status.Kind.RESERVED, null, "Ann", Instant.EPOCH),
                "Ann");

        assertEquals(
                printed,
                read(UploadAnswers.writeBriefly(Result.of(printed)).toString()).value());
    }

    /** This was once reported as an internal error. */
    @Test
    void unreadableAnswerIsReportedWithItsRow() {
        String numbers = "\"first\":1,\"last\":1,\"count\":1,\"increment\":1";
        requireUnreadable(" must be an object, not []", "[]");
        requireUnreadable(
                ".first must be an integer from -4000000000000000000 to 4000000000000000000, not \"1\"",
                "{\"first\":\"1\",\"last\":1}");
        requireUnreadable(
                ".count must be an integer from 1 to 10000, not 4294967296",
                "{\"first\":1,\"last\":1,\"count\":4294967296}");
        requireUnreadable(".text must be a string of 1 to 255 characters, not null", "{" + numbers + ",\"text\":null}");
        requireUnreadable(
                ".date must be a date such as 2026-11-21, not \"2026-02-30\"",
                "{" + numbers + ",\"date\":\"2026-02-30\"}");
        requireUnreadable(
                ".status must be one of issued, reserved, void, not \"lost\"", "{" + numbers + ",\"status\":\"lost\"}");
        requireUnreadable(
                ".statusAt is missing: it must be a time such as 2026-11-21T09:30:00Z",
                "{" + numbers + ",\"status\":\"void\"}");
        requireUnreadable(
                ".statusAt must be a time such as 2026-11-21T09:30:00Z, not \"yesterday\"",
                "{" + numbers + ",\"status\":\"void\",\"statusAt\":\"yesterday\"}");
    }

    @Test
    void unreadableProblemIsReportedWithItsRow() {
        String problem = "{\"problem\":\"urn:problem-type:numera:exhausted\"";
        requireUnreadable(".members is missing: it must be an object", problem + ",\"detail\":\"None left.\"}");
        requireUnreadable(
                ".detail is missing: it must be a string of 0 to 100000 characters", problem + ",\"members\":{}}");
        requireUnreadable(".problem must be a string of 1 to 1000 characters, not 1", "{\"problem\":1,\"members\":{}}");
        requireUnreadable(
                ".problem must be a problem type that this version knows, though a newer one may know more, not"
                        + " \"urn:problem-type:numera:moon\"",
                "{\"problem\":\"urn:problem-type:numera:moon\",\"detail\":\"Full.\",\"members\":{}}");
        Result<PrintedAllocation> result =
                read(problem + ",\"detail\":\"Why.\",\"members\":{\"left\":0,\"name\":null}}");
        assertEquals(Map.of("left", 0), result.problem().members());
    }

    private static void requireUnreadable(String why, String json) {
        StoreFailure failure = assertThrows(StoreFailure.class, () -> read(json));

        assertEquals(
                "The row answers:000001 of App1:order:1 in table numerabatches was written by another program and"
                        + " cannot be read: its property answers" + why + ". See docs/tables.md.",
                failure.getMessage());
    }

    private static String written(PrintedAllocation printed) {
        return UploadAnswers.write(Result.of(printed)).toString();
    }

    private static Result<PrintedAllocation> read(String json) {
        try {
            return UploadAnswers.read(new Checked(JSON.readTree(json), "answers", ROW::wrong));
        } catch (JsonProcessingException e) {
            throw new AssertionError("No JSON was written: " + json, e);
        }
    }
}
