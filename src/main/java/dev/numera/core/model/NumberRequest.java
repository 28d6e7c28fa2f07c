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
 * A request of one caller for numbers, with checked values. The caller receives all of the numbers or none, except for
 * a block.
 *
 * @param key the caller's own name for the request, in the Unicode form that is stored; null for none
 * @param count from 1 to 10,000, or the size of a block, up to a million
 * @param date the date that the caller chose; a known key must have its numbers in the period of this date. Null for
 *     today; a known key may then have numbers of any period
 * @param today when the request was accepted, in the sequence's time zone; null until the sequence is known
 * @param isReserved whether the numbers are reserved until the caller issues or voids them; ignored when a key is
 *     repeated
 * @param actor the person or system that requests the numbers, as the caller stated; null if not stated. Ignored when a
 *     key is repeated
 * @param orFewer true for a block, to allocate from memory: accepts fewer numbers than {@code count} at the end of the
 *     range
 * @param sentKey the key in the form that the caller sent; null if that equals {@code key}
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

    /**
     * The day of a block, whose numbers have no date yet. Dates are checked when numbers are allocated from the block.
     */
    public static final LocalDate UNDATED = LocalDate.EPOCH;

    /**
     * The most UTF-16 units of a ledger entry without its key: brackets, quotes, commas, a date, a count and two
     * numbers of 20 digits.
     */
    private static final int LEDGER_UNITS_BESIDE_KEY = 70;

    /**
     * Creates a request whose key was checked and is in the form that is stored.
     *
     * @throws ProblemException {@code invalid-request} for the count, or for a reservation without a key
     */
    public NumberRequest {
        int most = orFewer ? Definition.MAX_CACHE_SIZE : MAX_COUNT;
        if (count < 1 || count > most) {
            throw InvalidRequest.because("count", String.format(Locale.ROOT, "must be from 1 to %,d", most));
        }
        if (key == null && isReserved) {
            throw InvalidRequest.because("reserve", "needs a key, under which the numbers are issued or voided later");
        }
        if (orFewer && key != null) {
            throw new IllegalArgumentException("A block has no key.");
        }
        sentKey = Objects.equals(sentKey, key) ? null : sentKey;
    }

    /**
     * Creates a request whose key is as the caller sent it: checks the key, and stores it in NFC.
     *
     * @throws ProblemException {@code invalid-request} that names the field
     */
    public NumberRequest(
            @Nullable String key,
            int count,
            @Nullable LocalDate date,
            @Nullable LocalDate today,
            boolean isReserved,
            @Nullable String actor,
            boolean orFewer) {
        this(key == null ? null : KeyForms.stored(key), count, date, today, isReserved, actor, orFewer, key);
        if (key != null) {
            PrintableText.KEY.require("key", key);
        }
    }

    /**
     * Creates a request whose key, as the caller sent it, was checked by {@link PrintableText#KEY}. Stores the key in
     * NFC.
     *
     * @throws ProblemException {@code invalid-request} for the count, or for a reservation without a key
     */
    public static NumberRequest ofCheckedKey(
            @Nullable String key, int count, @Nullable LocalDate date, boolean isReserved, @Nullable String actor) {
        String stored = key == null ? null : KeyForms.stored(key);
        return new NumberRequest(stored, count, date, null, isReserved, actor, false, key);
    }

    /** Creates a request as the caller sent it, before its day in the sequence's time zone is known. */
    public NumberRequest(
            @Nullable String key, int count, @Nullable LocalDate date, boolean isReserved, @Nullable String actor) {
        this(key, count, date, null, isReserved, actor, false);
    }

    /** Creates a request of an unknown actor. */
    public NumberRequest(@Nullable String key, int count, @Nullable LocalDate date, boolean isReserved) {
        this(key, count, date, isReserved, null);
    }

    /** Creates a request of an unknown actor for numbers that are issued at once. */
    public NumberRequest(@Nullable String key, int count, @Nullable LocalDate date) {
        this(key, count, date, false, null);
    }

    /**
     * Returns a request for {@code count} numbers for each of the keys.
     *
     * @param date null for the day when the list was sent
     * @throws ProblemException {@code invalid-request} for a key or the count
     */
    public static List<NumberRequest> ofEach(
            List<String> keys, int count, @Nullable LocalDate date, boolean isReserved) {
        return keys.stream()
                .map(key -> new NumberRequest(key, count, date, isReserved))
                .toList();
    }

    /** Returns a request for a block, to allocate from memory. */
    public static NumberRequest block(int size) {
        return new NumberRequest(null, size, null, UNDATED, false, null, true);
    }

    /** Returns this request as accepted on a day in the sequence's time zone. */
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

    /** Whether the key has several Unicode forms, so that an earlier version may have stored it in another form. */
    public boolean hasKeyForms() {
        return key != null && (sentKey != null || !KeyForms.isOnlyOne(key));
    }

    /** Returns the forms that the ledger may contain the key under, in the order of lookups; empty without a key. */
    public List<String> keyForms() {
        String sent = keyAsSent();
        return sent == null ? List.of() : KeyForms.of(sent);
    }

    /** Returns the date that selects the period and appears in the texts. Call only after {@link #on}. */
    public LocalDate day() {
        if (date != null) {
            return date;
        }
        return Objects.requireNonNull(today, "A request has its day once its sequence is known.");
    }

    /** Whether no rule for dates applies to this request: see {@link #UNDATED}. */
    public boolean isUndated() {
        return date == null && UNDATED.equals(today);
    }

    /**
     * Returns the contradiction between this request and an earlier one with the same key; empty if this request
     * receives the same numbers again.
     */
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
                        + ". Send the original request again, or use another key.");
    }

    /** Returns the first status of the numbers. */
    public Status status(Instant allocatedAt) {
        return isReserved ? Status.reserved(allocatedAt, actor) : Status.SIMPLY_ISSUED;
    }

    /**
     * Returns the number of ledger rows that belong to this request alone: one by key, and a mark if it is reserved.
     */
    public int rows() {
        return key == null ? 0 : isReserved ? 2 : 1;
    }

    /**
     * Returns the most UTF-16 units that an entry for this key takes in the ledger. Includes the backslashes that JSON
     * puts before quotes and backslashes.
     */
    public static int ledgerUnits(String key) {
        int escaped =
                (int) key.chars().filter(unit -> unit == '"' || unit == '\\').count();
        return key.length() + escaped + LEDGER_UNITS_BESIDE_KEY;
    }

    /** Returns the most UTF-16 units that the entry of this request in number order takes. */
    public int ledgerUnits() {
        return key == null ? 0 : ledgerUnits(key);
    }
}
