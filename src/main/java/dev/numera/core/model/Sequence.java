package dev.numera.core.model;

import dev.numera.core.format.Period;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored definition, ready for use: what it declares to counters, and how its numbers become texts and texts numbers
 * again. Immutable; safe for use by several threads. Two are equal if they say the same.
 */
public final class Sequence {
    /** The two-digit years of definitions that were stored without them, all of them in 2026. */
    public static final int EARLIER_TWO_DIGIT_YEARS_UNTIL = 2075;

    /** Documents of half a century before and of half a century after the first number. */
    private static final int YEARS_AFTER = 49;

    private final SequenceName name;
    private final String id;
    private final Definition definition;
    /** Shared by all copies that print alike, so that it is prepared once. */
    private final SequenceTexts texts;

    private final Standing standing;
    private final @Nullable String version;
    private final boolean isIndexed;

    private Sequence(String id, SequenceTexts texts, Standing standing, @Nullable String version, boolean isIndexed) {
        this.name = texts.name();
        this.id = id;
        this.definition = texts.definition();
        this.texts = texts;
        this.standing = standing;
        this.version = version;
        this.isIndexed = isIndexed;
    }

    /**
     * A sequence that is neither suspended nor restored.
     *
     * @param id made when the sequence was created; a sequence that is recreated gets another one
     * @param isInUse whether a number may have been allocated under it; then its fixed fields are fixed
     * @param retiredAt null unless retired
     * @param version for the next conditional write; null where it is not known
     * @param twoDigitYearsUntil the last of the 100 years, calendar and fiscal ones, that two digits of a year mean; it
     *     never moves, so that no text is read as of another century later
     */
    public Sequence(
            SequenceName name,
            String id,
            Definition definition,
            FormatHistory formats,
            boolean isInUse,
            @Nullable Instant retiredAt,
            @Nullable String version,
            int twoDigitYearsUntil) {
        this(
                id,
                new SequenceTexts(name, definition, formats, twoDigitYearsUntil),
                new Standing(isInUse, retiredAt, null, Suspension.NONE, 0, KeyForm.AS_SENT),
                version,
                false);
    }

    /** @param today the day on which it is stored, in its own time zone */
    public static Sequence first(SequenceName name, Definition definition, LocalDate today) {
        return new Sequence(
                name,
                newId(),
                definition,
                FormatHistory.of(definition),
                false,
                null,
                null,
                today.getYear() + YEARS_AFTER);
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    public SequenceName name() {
        return name;
    }

    /** Made when the sequence was created; a sequence that is recreated gets another one. */
    public String id() {
        return id;
    }

    public Definition definition() {
        return definition;
    }

    /** Prints its numbers and reads its texts. */
    public SequenceTexts texts() {
        return texts;
    }

    public FormatHistory formats() {
        return texts.formats();
    }

    /** The last of the 100 years, calendar and fiscal ones, that two digits of a year mean. */
    public int twoDigitYearsUntil() {
        return texts.twoDigitYearsUntil();
    }

    /** Whether a number may have been allocated under it; then its fixed fields are fixed. */
    public boolean isInUse() {
        return standing.isInUse();
    }

    /** Null unless retired. */
    public @Nullable Instant retiredAt() {
        return standing.retiredAt();
    }

    /** Whether and why it allocates nothing for now. */
    public Suspension suspension() {
        return standing.suspension();
    }

    /**
     * How many numbers a counter that is missing passes over when it is opened, because a restore may have lost it; 0
     * for none.
     */
    public long restoreMargin() {
        return standing.restoreMargin();
    }

    /** The form in which its keys are stored. */
    public KeyForm keyForm() {
        return standing.keyForm();
    }

    /** For the next conditional write; null where it is not known. */
    public @Nullable String version() {
        return version;
    }

    /** The end of the range before it was widened last; null where it was not since the first number. */
    public @Nullable Long widenedFrom() {
        return standing.widenedFrom();
    }

    /** Whether this process has read or written its row in the index. */
    public boolean isIndexed() {
        return isIndexed;
    }

    /**
     * This sequence by a changed definition, no longer retired.
     *
     * @throws ProblemException {@code too-many-formats}
     */
    public Sequence changedTo(Definition changed) {
        FormatHistory changedFormats = standing.isInUse()
                ? formats().changedTo(definition, changed)
                : formats().replacedBy(changed);
        Long changedEnd = standing.isInUse() ? endBeforeWidening(changed) : null;
        return new Sequence(
                id,
                new SequenceTexts(name, changed, changedFormats, twoDigitYearsUntil()),
                standing.retired(null).widenedFrom(changedEnd),
                version,
                isIndexed);
    }

    private @Nullable Long endBeforeWidening(Definition changed) {
        long end = series().end();
        return series().isBefore(end, changed.series().end()) ? (Long) end : widenedFrom();
    }

    private Sequence with(Standing changed) {
        return new Sequence(id, texts, changed, version, isIndexed);
    }

    /** The same whose range ended there before it was widened last; null where it was not. */
    public Sequence withWidenedFrom(@Nullable Long end) {
        return with(standing.widenedFrom(end));
    }

    /** Whether the next number reaches the warning level of the range, or of the part that the last widening added. */
    public boolean isNearlyUsed(long next) {
        return series().isNearlyUsed(next, definition.warnAtPercent(), widenedFrom());
    }

    /** The same with another id, for a sequence that starts again after its table was lost. */
    public Sequence recreated() {
        return new Sequence(newId(), texts, standing, version, false);
    }

    public Sequence retired(Instant at) {
        return with(standing.retired(at));
    }

    public Sequence suspended(Suspension changed) {
        return with(standing.suspended(changed));
    }

    /** The same after a restore whose margin is this, or 0 where none is needed any more. */
    public Sequence withRestoreMargin(long margin) {
        return with(standing.withRestoreMargin(margin));
    }

    /** The same with keys that are stored in this form from now on. */
    public Sequence withKeyForm(KeyForm form) {
        return with(standing.withKeyForm(form));
    }

    /** What a program must know to use it as it is now. */
    public int needs() {
        if (keyForm() != KeyForm.AS_SENT) {
            return Definition.KEY_FORM_FEATURES;
        }
        return suspension().isNone() && restoreMargin() == 0
                ? definition.needs()
                : Math.max(definition.needs(), Definition.SUSPENSION_FEATURES);
    }

    public Sequence inUse() {
        return with(standing.inUse());
    }

    public Sequence at(@Nullable String newVersion) {
        return new Sequence(id, texts, standing, newVersion, isIndexed);
    }

    /** The same once its row in the index was read or written. */
    public Sequence indexed() {
        return new Sequence(id, texts, standing, version, true);
    }

    /** The same after the write that marked it as in use, whose answer does not include the new version. */
    public Sequence marked() {
        return new Sequence(id, texts, standing.inUse(), null, true);
    }

    /** The entity tag over HTTP, quotes included: of what its owner can see, so that a mark does not make it stale. */
    public String tag() {
        return EntityTag.of(id, definition, retiredAt());
    }

    /** That of the same definition before it was retired. */
    public String tagBeforeRetired() {
        return EntityTag.of(id, definition, null);
    }

    public FixedFields fixed() {
        return definition.fixed();
    }

    public Series series() {
        return texts.series();
    }

    /** The counter of the period that a day is in. */
    public CounterId counter(LocalDate day) {
        FixedFields fixed = fixed();
        return new CounterId(
                name(),
                Period.of(day, fixed.resetEvery(), fixed.fiscalYearStart()).id());
    }

    /**
     * As {@link #counter(LocalDate)}.
     *
     * @param field by which the caller named the date, for the problem of one that has no period
     */
    public CounterId counter(String field, LocalDate day) {
        try {
            return counter(day);
        } catch (ProblemException e) {
            throw InvalidRequest.renamed(e, field);
        }
    }

    public boolean isDateOrdered() {
        return definition.isDateOrdered();
    }

    /** Tomorrow, where dates are in order: numbers under a later one would leave none for the days before it. */
    public LocalDate lastDateInOrder(Instant now) {
        return fixed().day(now).plusDays(1);
    }

    /** The next number of a counter; where there is none yet, the one that it would begin with. */
    public long next(Optional<CounterState> counter) {
        return counter.map(CounterState::next).orElseGet(() -> series().beyond(fixed().start(), restoreMargin()));
    }

    public boolean isRetired() {
        return retiredAt() != null;
    }

    /**
     * Whether no instance can have allocated a number, nor has a write under way that may still win: each first write
     * marks the definition, at the version that it was computed from. After a restore no definition says so.
     */
    public boolean isNeverUsed() {
        return !isInUse() && restoreMargin() == 0;
    }

    /** Whether it is left out of lists, and its name is free for any definition. */
    public boolean isRetiredUnused() {
        return isRetired() && isNeverUsed();
    }

    /** Why a retired sequence allocates no new numbers. */
    public ProblemException refusalAsRetired() {
        return new ProblemException(
                ProblemType.RETIRED,
                "The sequence " + name() + " is retired. Its owner can revive it with PUT and If-None-Match: *.");
    }

    /** Whether it allocates nothing new: it is retired or suspended. */
    public boolean isStopped() {
        return isRetired() || !suspension().isNone();
    }

    /** Why it allocates nothing new; only where it {@link #isStopped is stopped}. */
    public ProblemException refusalAsStopped() {
        return isRetired() ? refusalAsRetired() : suspension().refusal(name());
    }

    /** @throws ProblemException {@code not-for-guarantee} for a sequence that takes no keys */
    public void requireLedger() {
        if (!fixed().takesKeys()) {
            throw notFor(kind() + " and keeps no ledger: nothing is known of its numbers.");
        }
    }

    /** @throws ProblemException {@code not-for-guarantee} for a sequence without counters */
    public void requireCounted() {
        if (!fixed().isCounted()) {
            throw notFor(kind() + ": its ids come from a clock, it has no counter, no periods and no ledger.");
        }
    }

    /** What makes it take no keys. */
    public String kind() {
        return fixed().cycle() ? "a cycle" : EnumWord.of(fixed().guarantee());
    }

    private ProblemException notFor(String kind) {
        return new ProblemException(
                ProblemType.NOT_FOR_GUARANTEE,
                "The sequence " + name() + " is " + kind,
                Map.of("guarantee", EnumWord.of(fixed().guarantee())));
    }

    /** The present revision of the format, by which new numbers get their texts; 0 where numbers have no texts. */
    public int formatRevision() {
        return texts.formats().current();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Sequence that
                && isIndexed == that.isIndexed
                && id.equals(that.id)
                && texts.equals(that.texts)
                && standing.equals(that.standing)
                && Objects.equals(version, that.version);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, texts, standing, version, isIndexed);
    }

    @Override
    public String toString() {
        return "Sequence[" + name() + ", " + id + ", " + definition + ", " + formats() + ", until "
                + twoDigitYearsUntil() + ", " + standing + ", version " + version + (isIndexed ? ", indexed]" : "]");
    }
}
