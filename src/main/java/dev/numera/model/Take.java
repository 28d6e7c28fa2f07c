package dev.numera.model;

import dev.numera.problem.InvalidRequest;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one caller wants of a sequence, checked.
 *
 * @param key null for none
 * @param date null for today in the sequence's time zone
 * @param isReserved whether the numbers are reserved, until it is said that they are issued or void; no part of what a
 *     key identifies
 * @param actor who requests them, as the caller stated; null where the caller did not. No part of what a key identifies
 */
public record Take(
        @Nullable String key, int count, @Nullable LocalDate date, boolean isReserved, @Nullable String actor) {
    public static final int MAX_COUNT = 10_000;

    /** @throws ProblemException {@code invalid-request} that names the field */
    public Take {
        if (count < 1 || count > MAX_COUNT) {
            throw InvalidRequest.because("count", "must be from 1 to 10,000");
        }
        if (key != null) {
            PrintableText.KEY.require("key", key);
        } else if (isReserved) {
            throw InvalidRequest.because("reserve", "needs a key, under which the numbers are issued or voided later");
        }
    }

    /**
     * So many numbers for each key.
     *
     * @param date null for today, or for the day on which the list was sent
     * @throws ProblemException {@code invalid-request} for a key or the count
     */
    public static List<Take> ofEach(List<String> keys, int count, @Nullable LocalDate date, boolean isReserved) {
        return keys.stream().map(key -> new Take(key, count, date, isReserved)).toList();
    }

    /** By an unknown actor. */
    public Take(@Nullable String key, int count, @Nullable LocalDate date, boolean isReserved) {
        this(key, count, date, isReserved, null);
    }

    /** For numbers that are issued, by an unknown actor. */
    public Take(@Nullable String key, int count, @Nullable LocalDate date) {
        this(key, count, date, false, null);
    }
}
