package dev.numera.sequences.access;

import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Status;
import dev.numera.core.problem.Actor;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An allocation with its texts, its status and its actor, as HTTP, the queue and uploads return it.
 *
 * @param key null if the caller sent none
 * @param texts null if the sequence has no format and its numbers are exact in every client
 * @param date the date of the numbers; null if it means nothing: the sequence is never reset, its texts show no date,
 *     and its dates have no order
 * @param period null if the sequence is never reset
 * @param replayed whether an earlier request with the same key got them first
 * @param status whether the numbers are issued, reserved, void and so on
 * @param actor the person or system that requested or imported the numbers, as the caller stated; null if not stated or
 *     not recorded
 */
public record PrintedAllocation(
        @Nullable String key,
        long first,
        long last,
        int count,
        long increment,
        @Nullable List<String> texts,
        @Nullable LocalDate date,
        @Nullable String period,
        boolean replayed,
        Status status,
        @Nullable String actor) {
    /** Overhead of each text: quotes, a comma, and the objects that hold the text while the answer is written. */
    private static final int CHARACTERS_BESIDE_A_TEXT = 8;
    /** Size of the fields of an allocation, except its key, reason, actors and texts. */
    private static final int CHARACTERS_OF_OTHER_FIELDS = 400;

    /** Returns the most characters that an answer with all texts has, including quotes and field names. */
    public long characters() {
        return characters(key, texts, status, actor);
    }

    /** Returns an upper bound for the characters of an allocation with these fields in an answer. */
    public static long characters(
            @Nullable String key, @Nullable List<String> texts, Status status, @Nullable String actor) {
        long fields = (long) CHARACTERS_OF_OTHER_FIELDS + length(key) + length(status.reason()) + length(actor);
        for (Status each : status.history()) {
            fields += CHARACTERS_OF_OTHER_FIELDS + 2L * length(each.actor());
        }
        int count = texts == null ? 0 : texts.size();
        return fields + (long) count * (longest(texts) + CHARACTERS_BESIDE_A_TEXT);
    }

    /** Returns the most characters that an answer to requests for new numbers has. */
    public static long characters(Sequence known, List<NumberRequest> requests) {
        int longest = known.texts().longest().length();
        return requests.stream()
                .mapToLong(request -> CHARACTERS_OF_OTHER_FIELDS
                        + length(request.key())
                        + 2L * length(request.actor())
                        + (long) request.count() * (longest + CHARACTERS_BESIDE_A_TEXT))
                .sum();
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /** Returns the length of the longest text; 0 without texts. */
    public int longestText() {
        return longest(texts);
    }

    /** Returns the length of the longest text: in one allocation, the first or the last text is the longest. */
    private static int longest(@Nullable List<String> texts) {
        return texts == null || texts.isEmpty()
                ? 0
                : Math.max(texts.get(0).length(), texts.get(texts.size() - 1).length());
    }

    public PrintedAllocation replayed(boolean isReplayed) {
        return new PrintedAllocation(
                key, first, last, count, increment, texts, date, period, isReplayed, status, actor);
    }

    /** Returns the same numbers under another form of their key. */
    public PrintedAllocation underKey(@Nullable String form) {
        return Objects.equals(form, key) ? this : with(form, texts);
    }

    public PrintedAllocation with(@Nullable String otherKey, @Nullable List<String> otherTexts) {
        return new PrintedAllocation(
                otherKey, first, last, count, increment, otherTexts, date, period, replayed, status, actor);
    }

    /** Adds the date, including for sequences whose periods and texts do not show it. */
    public PrintedAllocation dated(LocalDate day) {
        return new PrintedAllocation(key, first, last, count, increment, texts, day, period, replayed, status, actor);
    }

    public PrintedAllocation with(Status other) {
        return new PrintedAllocation(key, first, last, count, increment, texts, date, period, replayed, other, actor);
    }

    public long highest() {
        return Math.max(first, last);
    }

    /** Returns a part of the numbers, with their texts. */
    public PrintedAllocation part(long from, long to, int size, List<String> ofThem) {
        return new PrintedAllocation(key, from, to, size, increment, ofThem, date, period, replayed, status, actor);
    }

    /** Returns the fields of the JSON object, in order. */
    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        if (key != null) {
            members.put("key", key);
        }
        members.put("first", first);
        members.put("last", last);
        members.put("count", count);
        members.put("increment", increment);
        if (texts != null) {
            members.put("texts", texts);
        }
        if (date != null) {
            members.put("date", date.toString());
        }
        if (period != null) {
            members.put("period", period);
        }
        if (replayed) {
            members.put("replayed", true);
        }
        if (actor != null) {
            members.putAll(Actor.fields("actor", actor));
        }
        members.putAll(status.fields());
        return members;
    }
}
