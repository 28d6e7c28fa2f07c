package dev.numera.sequence;

import dev.numera.model.Status;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An allocation as callers see it, everywhere alike.
 *
 * @param key null where the caller sent none
 * @param texts null where there is no format and the numbers are exact in every client
 * @param date under which they were allocated; null where it says nothing of them: the sequence is never reset, its
 *     texts show no date, and its dates have no order
 * @param period null where the sequence is never reset
 * @param replayed whether an earlier request with the same key got them first
 * @param status what is said of them
 * @param actor who requested or imported them, as the caller stated; null where the caller did not, or where nothing
 *     recorded it
 */
public record Numbers(
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
    /** The most characters that an answer with all texts has, quotes and fields included. */
    public long characters() {
        return AnswerRoom.characters(key, texts, status, actor);
    }

    /** The characters of the longest text; 0 without texts. */
    public int longestText() {
        return AnswerRoom.longest(texts);
    }

    public Numbers replayed(boolean isReplayed) {
        return new Numbers(key, first, last, count, increment, texts, date, period, isReplayed, status, actor);
    }

    public Numbers with(@Nullable String otherKey, @Nullable List<String> otherTexts) {
        return new Numbers(otherKey, first, last, count, increment, otherTexts, date, period, replayed, status, actor);
    }

    public Numbers with(Status other) {
        return new Numbers(key, first, last, count, increment, texts, date, period, replayed, other, actor);
    }

    long highest() {
        return Math.max(first, last);
    }

    /** Some of them, with their texts. */
    public Numbers part(long from, long to, int size, List<String> ofThem) {
        return new Numbers(key, from, to, size, increment, ofThem, date, period, replayed, status, actor);
    }

    /** The fields that its JSON has, in their order. */
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
            members.put("actor", actor);
        }
        members.putAll(status.fields());
        return members;
    }
}
