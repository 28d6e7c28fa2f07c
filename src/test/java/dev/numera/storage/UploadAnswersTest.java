package dev.numera.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.counter.KeyStatus;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Numbers;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The forms are a public contract: docs/tables.md. */
class UploadAnswersTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aNumberWithItsText() {
        Numbers numbers = new Numbers(null, 7, 7, 1, 5, List.of("INV \"7\"\n\uD83D\uDE00"), false);

        assertEquals(
                "{\"first\":7,\"last\":7,\"count\":1,\"increment\":5,\"text\":\"INV \\\"7\\\"\\n\uD83D\uDE00\"}",
                written(numbers));
        assertEquals(numbers, read(written(numbers)).value());
    }

    @Test
    void aNumberWithoutAText() {
        Numbers numbers = new Numbers(
                null, -4_000_000_000_000_000_000L, -4_000_000_000_000_000_000L, 1, -1_000_000_000_000L, null, false);

        assertEquals(
                "{\"first\":-4000000000000000000,\"last\":-4000000000000000000,\"count\":1,\"increment\":-1000000000000}",
                written(numbers));
        assertEquals(numbers, read(written(numbers)).value());
    }

    @Test
    void aNumberWhoseDateCounts() {
        Numbers numbers =
                new Numbers(null, 7, 7, 1, 1, null, LocalDate.of(2026, 11, 2), "2026", false, KeyStatus.SIMPLY_ISSUED);

        assertEquals(
                "{\"first\":7,\"last\":7,\"count\":1,\"increment\":1,\"date\":\"2026-11-02\",\"period\":\"2026\"}",
                written(numbers));
        assertEquals(numbers, read(written(numbers)).value());
    }

    /** Ten thousand texts would not fit a row: the ledger has them. The key stands in the uploaded row. */
    @Test
    void severalNumbersWithoutTheirTextsAndKey() {
        Numbers numbers = new Numbers("key", 9, 5, 3, -2, List.of("A9", "A7", "A5"), false);

        assertEquals("{\"first\":9,\"last\":5,\"count\":3,\"increment\":-2}", written(numbers));
        assertEquals(
                new Numbers(null, 9, 5, 3, -2, null, false),
                read(written(numbers)).value());
    }

    /** Of an import: a number that was there before, and is void for a reason. */
    @Test
    void whatWasThereBefore() {
        Numbers numbers = new Numbers(
                null,
                7,
                7,
                1,
                1,
                null,
                null,
                null,
                true,
                new KeyStatus(KeyStatus.Status.VOID, "misprint", null, Instant.EPOCH));

        assertEquals(
                "{\"first\":7,\"last\":7,\"count\":1,\"increment\":1,\"replayed\":true,\"status\":\"void\","
                        + "\"reason\":\"misprint\",\"statusAt\":\"1970-01-01T00:00:00Z\"}",
                written(numbers));
        assertEquals(numbers, read(written(numbers)).value());
    }

    @Test
    void aProblemWithWhatAClientNeeds() {
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

        Answer<Numbers> answer =
                read(UploadAnswers.write(Answer.refused(problem)).toString());

        assertNull(answer.value());
        assertEquals(ProblemType.EXHAUSTED, answer.problem().type());
        assertEquals("None left.", answer.problem().getMessage());
        assertEquals(members, answer.problem().members());
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfProblem(ProblemType type) {
        String written = UploadAnswers.write(Answer.refused(new ProblemException(type, "Why.")))
                .toString();

        assertEquals("{\"problem\":\"" + type.urn() + "\",\"detail\":\"Why.\",\"members\":{}}", written);
        assertEquals(type, read(written).problem().type());
    }

    private static String written(Numbers numbers) {
        return UploadAnswers.write(Answer.of(numbers)).toString();
    }

    private static Answer<Numbers> read(String json) {
        try {
            return UploadAnswers.read(JSON.readTree(json));
        } catch (JsonProcessingException e) {
            throw new AssertionError("No JSON was written: " + json, e);
        }
    }
}
