package dev.numera.functions.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Status;
import dev.numera.core.problem.Actor;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.json.Json;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.RowResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultPartsTest {
    private static final int CAPACITY = 49_152;

    private final ResultParts answer = new ResultParts(
            Json.object().put("id", "batch-7").put("scope", "App1").put("name", "invoice"), CAPACITY);

    @Test
    void oneKeyIsOnePart() {
        assertEquals(
                List.of(
                        "{\"id\":\"batch-7\",\"scope\":\"App1\",\"name\":\"invoice\",\"status\":\"numbered\",\"part\":1,\"parts\":1,"
                                + "\"allocations\":[{\"key\":\"a\",\"first\":1,\"last\":1,\"count\":1,\"increment\":1}]}"),
                answer.parts(List.of(numbered("a", 1, false))));
    }

    @Test
    void aKeyWithAProblemMakesItPartial() {
        ProblemException problem = new ProblemException(ProblemType.KEY_REUSED, "Another count.");

        assertEquals(
                List.of(
                        "{\"id\":\"batch-7\",\"scope\":\"App1\",\"name\":\"invoice\",\"status\":\"partial\",\"part\":1,\"parts\":1,"
                                + "\"allocations\":[{\"key\":\"a\",\"first\":1,\"last\":1,\"count\":1,\"increment\":1,\"replayed\":true},"
                                + "{\"key\":\"b\",\"problem\":{\"type\":\"urn:problem-type:numera:key-reused\","
                                + "\"title\":\"The key belongs to another request\",\"status\":422,\"detail\":\"Another count.\"}}]}"),
                answer.parts(List.of(numbered("a", 1, true), refused("b", problem))));
    }

    @Test
    void aRejectedBatchCarriesTheProblem() {
        assertEquals(
                "{\"id\":\"batch-7\",\"scope\":\"App1\",\"name\":\"invoice\",\"status\":\"rejected\",\"part\":1,\"parts\":1,"
                        + "\"allocations\":[],\"problem\":{\"type\":\"urn:problem-type:numera:retired\","
                        + "\"title\":\"The sequence is retired\",\"status\":410,\"detail\":\"Gone.\"}}",
                answer.rejected(new ProblemException(ProblemType.RETIRED, "Gone.")));
    }

    @Test
    void manyKeysAreSplitIntoFullParts() throws JsonProcessingException {
        List<RowResult<NumberRequest>> items = IntStream.range(0, 5_000)
                .mapToObj(i -> numbered("order-" + i, i + 1, false))
                .toList();

        List<String> parts = answer.parts(items);

        List<String> keys = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            JsonNode part = Json.read(parts.get(i));
            assertTrue(parts.get(i).length() <= CAPACITY);
            assertTrue(parts.get(i).length() > CAPACITY * 3 / 4 || i == parts.size() - 1, "a part is left half empty");
            assertEquals(i + 1, part.get("part").intValue());
            assertEquals(parts.size(), part.get("parts").intValue());
            part.get("allocations")
                    .forEach(allocation -> keys.add(allocation.get("key").textValue()));
        }
        assertEquals(items.stream().map(item -> item.requested().key()).toList(), keys);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void aRedeliveryIsSplitInTheSamePlaces(int everyNthIsReplayed) throws JsonProcessingException {
        List<RowResult<NumberRequest>> first = IntStream.range(0, 3_000)
                .mapToObj(i -> numbered("order-" + i, i + 1, false))
                .toList();
        List<RowResult<NumberRequest>> again = IntStream.range(0, 3_000)
                .mapToObj(i -> numbered("order-" + i, i + 1, i % everyNthIsReplayed == 0))
                .toList();

        assertEquals(firstKeys(answer.parts(first)), firstKeys(answer.parts(again)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tooManyTextsAreDivided(boolean replayed) throws JsonProcessingException {
        List<String> texts = LongStream.range(0, 10_000)
                .mapToObj(i -> "INV-2026-" + (1_000_000 - 7 * i) + "é")
                .toList();
        PrintedAllocation printed =
                PlainNumbers.of("batch-7", 1_000_000, 1_000_000 - 7 * 9_999, 10_000, -7, texts, replayed);

        List<String> parts = answer.parts(List.of(numbered(10_000, printed)));

        List<String> inOrder = new ArrayList<>();
        for (String part : parts) {
            assertTrue(part.length() <= CAPACITY && part.length() > CAPACITY * 9 / 10
                    || part == parts.get(parts.size() - 1));
            JsonNode allocations = Json.read(part).get("allocations");
            assertEquals(1, allocations.size());
            JsonNode piece = allocations.get(0);
            assertEquals("batch-7", piece.get("key").textValue());
            assertEquals(piece.get("count").intValue(), piece.get("texts").size());
            assertEquals(1_000_000 - 7L * inOrder.size(), piece.get("first").longValue());
            piece.get("texts").forEach(text -> inOrder.add(text.textValue()));
            assertEquals(
                    1_000_000 - 7L * (inOrder.size() - 1), piece.get("last").longValue());
            assertEquals(replayed, piece.has("replayed"));
        }
        assertEquals(texts, inOrder);
    }

    @Test
    void textsAreDividedInTheSamePlacesAgain() throws JsonProcessingException {
        assertEquals(countsOfParts(false), countsOfParts(true));
    }

    /**
     * Confirmed numbers once made the first part longer. A client that had read it before lost the keys that moved into
     * it from the second part.
     */
    @Test
    void partsStayTheSameWhenNumbersAreConfirmedMeanwhile() throws JsonProcessingException {
        assertEquals(
                firstKeysOf(new Status(Status.Kind.RESERVED, null, null, Instant.EPOCH)),
                firstKeysOf(new Status(Status.Kind.ISSUED, null, null, Instant.EPOCH.plusNanos(1))));
    }

    /**
     * The actor of a confirmation takes room in each piece, and once moved texts from the first part into the second.
     */
    @Test
    void textsAreDividedInTheSamePlacesAfterAnActorHasConfirmedThem() throws JsonProcessingException {
        String actor = Actor.of("\u00FC".repeat(100), "i".repeat(80));

        assertEquals(
                countsOfParts(new Status(Status.Kind.RESERVED, null, null, Instant.EPOCH)),
                countsOfParts(new Status(Status.Kind.ISSUED, null, actor, Instant.EPOCH)));
    }

    private List<String> firstKeysOf(Status status) throws JsonProcessingException {
        return firstKeys(answer.parts(IntStream.range(0, 3_000)
                .mapToObj(i -> new RowResult<>(
                        new NumberRequest("key-" + i, 1, null),
                        Result.of(
                                new PrintedAllocation("key-" + i, i, i, 1, 1, null, null, null, false, status, null))))
                .toList()));
    }

    @Test
    void nothingInItNeedsAnEscapeOfXmlOrMoreThanAByte() throws JsonProcessingException {
        String key = "<a & \"b\"> ]]> é 数 \uD83D\uDE00 \uFFFF";
        String part = answer.parts(List.of(numbered(key, 1, false))).get(0);

        assertTrue(part.chars().allMatch(unit -> unit >= ' ' && unit <= '~'), part);
        assertFalse(part.matches(".*[<>&].*"), part);
        assertEquals(key, Json.read(part).get("allocations").get(0).get("key").textValue());
    }

    @Test
    void theLongestProblemsFitAMessage() {
        String id = "\uD83D\uDE00".repeat(126);
        ResultParts widest =
                new ResultParts(Json.object().put("id", id).put("scope", id).put("name", id), CAPACITY);

        assertTrue(widest.rejected(new ProblemException(ProblemType.KEY_REUSED, "The key '" + id + "' is known."))
                        .length()
                <= CAPACITY);
        List<String> parts = widest.parts(IntStream.range(0, 100)
                .mapToObj(i -> numbered(id + i, Long.MIN_VALUE, false))
                .toList());
        assertTrue(parts.stream().allMatch(part -> part.length() <= CAPACITY));
    }

    private static List<String> firstKeys(List<String> parts) throws JsonProcessingException {
        List<String> keys = new ArrayList<>();
        for (String part : parts) {
            keys.add(Json.read(part).get("allocations").get(0).get("key").textValue());
        }
        return keys;
    }

    private List<Integer> countsOfParts(boolean replayed) throws JsonProcessingException {
        return countsOfParts(orders(replayed));
    }

    private List<Integer> countsOfParts(Status status) throws JsonProcessingException {
        return countsOfParts(orders(false).with(status));
    }

    private static PrintedAllocation orders(boolean replayed) {
        List<String> texts =
                LongStream.rangeClosed(1, 10_000).mapToObj(i -> "ORDER-" + i).toList();
        return PlainNumbers.of("batch-7", 1, 10_000, 10_000, 1, texts, replayed);
    }

    private List<Integer> countsOfParts(PrintedAllocation printed) throws JsonProcessingException {
        List<Integer> counts = new ArrayList<>();
        for (String part : answer.parts(List.of(numbered(10_000, printed)))) {
            counts.add(Json.read(part).get("allocations").get(0).get("count").intValue());
        }
        return counts;
    }

    private static RowResult<NumberRequest> numbered(int count, PrintedAllocation printed) {
        return new RowResult<>(new NumberRequest("batch-7", count, null), Result.of(printed));
    }

    private static RowResult<NumberRequest> numbered(String key, long number, boolean replayed) {
        return new RowResult<>(
                new NumberRequest(key, 1, null), Result.of(PlainNumbers.of(key, number, number, 1, 1, null, replayed)));
    }

    private static RowResult<NumberRequest> refused(String key, ProblemException problem) {
        return new RowResult<>(new NumberRequest(key, 1, null), Result.refused(problem));
    }
}
