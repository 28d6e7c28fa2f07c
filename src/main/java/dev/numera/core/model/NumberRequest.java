package dev.numera.core.model;

import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that one caller requests, checked: all of them or none, but for a block.
 *
 * @param key the caller's own name for the request, in the form in which it is stored; null for none
 * @param count from 1 to 10,000, or the size of a block, up to a million
 * @param date that the caller chose, to whose period a known key must belong; null for today, with a key of any period
 * @param today when the request was accepted, in the sequence's time zone; null until the sequence is known
 * @param isReserved whether the numbers are reserved, until it is said that they are issued or void; no part of what a
 *     key identifies
 * @param actor who requests them, as the caller stated; null where the caller did not. No part of what a key identifies
 * @param orFewer whether they are a block to allocate from memory: as many as are left, but at most the count
 * @param sentKey the key as it was sent; null where that is the form in which it is stored
 */
public record NumberRequest(
        @Nullable String key,
        int count,
        @Nullable LocalDate date,
        @Nullable LocalDate today,
        boolean isReserved,
        @Nullable String actor,
        boolean orFewer,
        @Nullable String sentKey)
        implements CounterRequest {
    public static final int MAX_COUNT = 10_000;

    /** Instead of a day, for numbers to be kept in memory: each date is checked when they are handed out. */
    public static final LocalDate UNDATED = LocalDate.EPOCH;

    /** Brackets, quotes, commas, a date, a count and two numbers of 20 digits. */
    private static final int LEDGER_UNITS_BESIDE_KEY = 70;

    /** @throws ProblemException {@code invalid-request} that names the field */
    public NumberRequest {
        int most = orFewer ? Definition.MAX_CACHE_SIZE : MAX_COUNT;
        if (count < 1 || count > most) {
            throw InvalidRequest.because("count", String.format(Locale.ROOT, "must be from 1 to %,d", most));
        }
        if (key != null) {
            PrintableText.KEY.require("key", key);
            sentKey = sentKey == null ? KeyForms.otherThanStored(key) : sentKey;
            key = KeyForms.stored(key);
        } else if (isReserved) {
            throw InvalidRequest.because("reserve", "needs a key, under which the numbers are issued or voided later");
        }
        if (orFewer && key != null) {
            throw new IllegalArgumentException("A block has no key.");
        }
    }

    /** Takes the key as the caller sent it, and stores it in NFC. */
    public NumberRequest(
            @Nullable String key,
            int count,
            @Nullable LocalDate date,
            @Nullable LocalDate today,
            boolean isReserved,
            @Nullable String actor,
            boolean orFewer) {
        this(key, count, date, today, isReserved, actor, orFewer, null);
    }

    /** As a caller requests them, on a day that is not known yet. */
    public NumberRequest(
            @Nullable String key, int count, @Nullable LocalDate date, boolean isReserved, @Nullable String actor) {
        this(key, count, date, null, isReserved, actor, false);
    }

    /** By an unknown actor. */
    public NumberRequest(@Nullable String key, int count, @Nullable LocalDate date, boolean isReserved) {
        this(key, count, date, isReserved, null);
    }

    /** For numbers that are issued, by an unknown actor. */
    public NumberRequest(@Nullable String key, int count, @Nullable LocalDate date) {
        this(key, count, date, false, null);
    }

    /**
     * So many numbers for each key.
     *
     * @param date null for today, or for the day on which the list was sent
     * @throws ProblemException {@code invalid-request} for a key or the count
     */
    public static List<NumberRequest> ofEach(
            List<String> keys, int count, @Nullable LocalDate date, boolean isReserved) {
        return keys.stream()
                .map(key -> new NumberRequest(key, count, date, isReserved))
                .toList();
    }

    /** A block to allocate from memory. */
    public static NumberRequest block(int size) {
        return new NumberRequest(null, size, null, UNDATED, false, null, true);
    }

    /** The same as a request of this day. */
    public NumberRequest on(LocalDate accepted) {
        return new NumberRequest(key, count, date, accepted, isReserved, actor, orFewer, sentKey);
    }

    /**
     * Returns the key in the Unicode form that the caller sent and expects in the answer; null if the request has no
     * key.
     */
    public @Nullable String keyAsSent() {
        return sentKey == null ? key : sentKey;
    }

    /** Whether its key has several forms, so that an earlier version may have stored it under another one. */
    public boolean hasKeyForms() {
        return key != null && (sentKey != null || !KeyForms.isOnlyOne(key));
    }

    /** Returns the forms that the ledger may contain the key under, in the order of lookups; empty without a key. */
    public List<String> keyForms() {
        String sent = keyAsSent();
        return sent == null ? List.of() : KeyForms.of(sent);
    }

    /** What the format's date tokens show, and what chooses the period. Only where its sequence is known. */
    public LocalDate day() {
        return date != null ? date : requireToday();
    }

    LocalDate requireToday() {
        return Objects.requireNonNull(today, "A request has its day once its sequence is known.");
    }

    /** Whether no rule for dates applies to it: see {@link #UNDATED}. */
    public boolean isUndated() {
        return date == null && UNDATED.equals(today);
    }

    /** Why it may not have the numbers of an earlier request with its key; empty if it may. */
    public Optional<ProblemException> mismatch(String period, Allocation earlier) {
        if (count != earlier.count()) {
            return Optional.of(reused("with count " + earlier.count() + ", not " + count));
        }
        if (date != null && !period.equals(earlier.period())) {
            return Optional.of(reused("in the period " + earlier.period() + ", not " + period));
        }
        return Optional.empty();
    }

    private ProblemException reused(String difference) {
        return new ProblemException(
                ProblemType.KEY_REUSED,
                "The key '" + key + "' already has an allocation " + difference
                        + ". Send the request as it was, or another key.");
    }

    /** The status of its numbers when they are allocated. */
    public Status status(Instant allocatedAt) {
        return isReserved ? Status.reserved(allocatedAt, actor) : Status.SIMPLY_ISSUED;
    }

    /** How many rows of the ledger are its own: one by key, and a mark where it is reserved. */
    public int rows() {
        return key == null ? 0 : isReserved ? 2 : 1;
    }

    /**
     * How many UTF-16 units an entry for this key takes in the ledger at most: JSON puts a backslash before quotes and
     * backslashes.
     */
    public static int ledgerUnits(String key) {
        int escaped =
                (int) key.chars().filter(unit -> unit == '"' || unit == '\\').count();
        return key.length() + escaped + LEDGER_UNITS_BESIDE_KEY;
    }

    /** How many UTF-16 units its entry in number order takes at most. */
    public int ledgerUnits() {
        return key == null ? 0 : ledgerUnits(key);
    }
}
