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
 * A sequence as stored, ready for use: its definition, its state (in use, retired, suspended) and the texts of its
 * numbers. Immutable and thread-safe. Two sequences are equal if all of their values are equal.
 */
public final class Sequence {
    /** The last two-digit year of definitions that earlier versions stored without this value, all of them in 2026. */
    public static final int EARLIER_TWO_DIGIT_YEARS_UNTIL = 2075;

    /**
     * The number of years after the creation of a sequence that two digits can mean. The other half of the 100 years
     * lies before it, for older documents.
     */
    private static final int YEARS_AFTER = 49;

    private final SequenceName name;
    private final String id;
    private final Definition definition;
    private final FixedFields fixed;
    private final Series series;
    private final int formatRevision;
    /** Shared by all copies of this sequence whose texts are the same, so that it is prepared once. */
    private final SequenceTexts texts;

    private final Standing standing;
    private final @Nullable String version;
    private final boolean isIndexed;

    private Sequence(String id, SequenceTexts texts, Standing standing, @Nullable String version, boolean isIndexed) {
        this.name = texts.name();
        this.id = id;
        this.definition = texts.definition();
        this.fixed = definition.fixed();
        this.series = texts.series();
        this.formatRevision = texts.formats().current();
        this.texts = texts;
        this.standing = standing;
        this.version = version;
        this.isIndexed = isIndexed;
    }

    /**
     * Creates a sequence from its stored parts.
     *
     * @param id random, made when the sequence was created; a sequence that is recreated gets another id
     * @param twoDigitYearsUntil the last of the 100 years, calendar or fiscal, that two digits can mean. It never
     *     changes, so that a text always means the same century
     * @param version for the next conditional write; null if it is not known
     */
    public Sequence(
            SequenceName name,
            String id,
            Definition definition,
            FormatHistory formats,
            int twoDigitYearsUntil,
            Standing standing,
            @Nullable String version) {
        this(id, new SequenceTexts(name, definition, formats, twoDigitYearsUntil), standing, version, false);
    }

    /**
     * Returns a new sequence.
     *
     * @param today the present day in the sequence's time zone
     */
    public static Sequence first(SequenceName name, Definition definition, LocalDate today) {
        return new Sequence(
                name,
                newId(),
                definition,
                FormatHistory.of(definition),
                today.getYear() + YEARS_AFTER,
                Standing.NEW,
                null);
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    public SequenceName name() {
        return name;
    }

    /** Returns the random id, made when the sequence was created. A sequence that is recreated gets another id. */
    public String id() {
        return id;
    }

    public Definition definition() {
        return definition;
    }

    /** Returns the texts of the sequence, which print its numbers and read them back. */
    public SequenceTexts texts() {
        return texts;
    }

    public FormatHistory formats() {
        return texts.formats();
    }

    /** Returns the last of the 100 years, calendar or fiscal, that two digits can mean. */
    public int twoDigitYearsUntil() {
        return texts.twoDigitYearsUntil();
    }

    /** Whether a number may have been allocated. From then on the fixed fields no longer change. */
    public boolean isInUse() {
        return standing.isInUse();
    }

    /** Returns when the sequence was retired; null if it is not retired. */
    public @Nullable Instant retiredAt() {
        return standing.retiredAt();
    }

    /** Returns the suspension, which is {@link Suspension#NONE} if the sequence is not suspended. */
    public Suspension suspension() {
        return standing.suspension();
    }

    /**
     * Returns how many numbers past its start a counter begins if restores may have lost its row; 0 if no restore did.
     */
    public long restoreMargin() {
        return standing.restoreMargin();
    }

    /** Returns how many numbers a counter that the latest restore put back must have been advanced by; 0 for none. */
    public long latestMargin() {
        return standing.latestMargin();
    }

    /** Returns the Unicode form that keys are stored in. */
    public KeyForm keyForm() {
        return standing.keyForm();
    }

    /** Returns the version for the next conditional write; null if it is not known. */
    public @Nullable String version() {
        return version;
    }

    /** Returns the end of the range before it was last widened; null if it was not widened since the first number. */
    public @Nullable Long widenedFrom() {
        return standing.widenedFrom();
    }

    /** Whether this process has read or written the sequence's row in the index. */
    public boolean isIndexed() {
        return isIndexed;
    }

    /**
     * Returns this sequence with a changed definition. A retired sequence is revived.
     *
     * @throws ProblemException {@code too-many-formats}
     */
    public Sequence changedTo(Definition changed) {
        FormatHistory changedFormats = standing.isInUse()
                ? formats().changedTo(definition, changed)
                : formats().replacedBy(changed);
        SequenceTexts changedTexts = new SequenceTexts(name, changed, changedFormats, twoDigitYearsUntil());
        Long changedEnd = standing.isInUse() ? endBeforeWidening(changedTexts.series()) : null;
        return new Sequence(id, changedTexts, standing.retired(null).widenedFrom(changedEnd), version, isIndexed);
    }

    private @Nullable Long endBeforeWidening(Series changed) {
        long end = series.end();
        return series.isBefore(end, changed.end()) ? (Long) end : widenedFrom();
    }

    private Sequence with(Standing changed) {
        return new Sequence(id, texts, changed, version, isIndexed);
    }

    /** Whether the next number reaches the warning level of the range, or of the part that the last widening added. */
    public boolean isNearlyUsed(long next) {
        return series.isNearlyUsed(next, definition.warnAtPercent(), widenedFrom());
    }

    /** Returns this sequence with a new id, for a sequence that starts again after its table was lost. */
    public Sequence recreated() {
        return new Sequence(newId(), texts, standing, version, false);
    }

    public Sequence retired(Instant at) {
        return with(standing.retired(at));
    }

    public Sequence suspended(Suspension changed) {
        return with(standing.suspended(changed));
    }

    /** Returns this sequence with the margin of a restore; 0 if no margin is needed any more. */
    public Sequence withRestoreMargin(long margin) {
        return with(standing.withMargins(margin, margin));
    }

    /** Returns this sequence with the margin of one more restore. */
    public Sequence plusRestoreMargin(long margin) {
        return with(standing.withMargins(restoreMargin() + margin, margin));
    }

    /** Returns this sequence with the form that keys are stored in from now on. */
    public Sequence withKeyForm(KeyForm form) {
        return with(standing.withKeyForm(form));
    }

    /** Returns the feature level that a program needs to use the sequence in its present state. */
    public int needs() {
        int level = Math.max(definition.needs(), formats().needs());
        if (!suspension().isNone() || restoreMargin() != 0) {
            level = Math.max(level, Definition.SUSPENSION_FEATURES);
        }
        return keyForm() == KeyForm.AS_SENT ? level : Math.max(level, Definition.KEY_FORM_FEATURES);
    }

    public Sequence inUse() {
        return with(standing.inUse());
    }

    public Sequence at(@Nullable String newVersion) {
        return new Sequence(id, texts, standing, newVersion, isIndexed);
    }

    /** Returns this sequence after its row in the index was read or written. */
    public Sequence indexed() {
        return new Sequence(id, texts, standing, version, true);
    }

    /**
     * Returns this sequence after the write that marked it as in use. Its version is unknown, because storage does not
     * return it for that write.
     */
    public Sequence marked() {
        return new Sequence(id, texts, standing.inUse(), null, true);
    }

    /**
     * Returns the entity tag for HTTP, including its quotes. It depends only on fields that the owner can see, so
     * internal marks do not make it stale.
     */
    public String tag() {
        return EntityTag.of(id, definition, retiredAt());
    }

    /** Returns the entity tag that the same definition had before it was retired. */
    public String tagBeforeRetired() {
        return EntityTag.of(id, definition, null);
    }

    public FixedFields fixed() {
        return fixed;
    }

    public Series series() {
        return series;
    }

    /** Returns the counter of the period that contains a day. */
    public CounterId counter(LocalDate day) {
        return new CounterId(
                name,
                Period.of(day, fixed.resetEvery(), fixed.fiscalYearStart()).id());
    }

    /**
     * Like {@link #counter(LocalDate)}, but names the caller's field in the problem.
     *
     * @param field the name of the caller's field with the date, for the problem if the date has no period
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

    /** Returns the next number of a counter; without a counter, the number that a new one would start with. */
    public long next(Optional<CounterState> counter) {
        return counter.map(CounterState::next).orElseGet(() -> series.beyond(fixed.start(), restoreMargin()));
    }

    public boolean isRetired() {
        return standing.isRetired();
    }

    /**
     * Whether the sequence has surely allocated no number, and no pending write can still do so. The first write of a
     * counter also marks the definition as in use, and only if the definition still has the version that the write was
     * computed from. After a restore this returns false, because the mark may be lost.
     */
    public boolean isNeverUsed() {
        return !isInUse() && restoreMargin() == 0;
    }

    /**
     * Whether the sequence was retired without having allocated a number. Lists leave it out, and its name is free for
     * any definition.
     */
    public boolean isRetiredUnused() {
        return isRetired() && isNeverUsed();
    }

    /** Returns the refusal of a retired sequence. */
    public ProblemException refusalAsRetired() {
        return new ProblemException(
                ProblemType.RETIRED,
                "The sequence " + name + " is retired. Its owner can revive it with PUT and If-None-Match: *.");
    }

    /** Whether the sequence allocates no new numbers because it is retired or suspended. */
    public boolean isStopped() {
        return standing.isStopped();
    }

    /** Returns the refusal of a sequence that {@link #isStopped is stopped}. */
    public ProblemException refusalAsStopped() {
        return isRetired() ? refusalAsRetired() : suspension().refusal(name);
    }

    /**
     * Refuses a sequence without a ledger.
     *
     * @throws ProblemException {@code not-for-guarantee}
     */
    public void requireLedger() {
        if (!fixed.takesKeys()) {
            throw notFor(kind() + " and keeps no ledger, so its numbers cannot be looked up.");
        }
    }

    /**
     * Refuses a sequence without counters.
     *
     * @throws ProblemException {@code not-for-guarantee}
     */
    public void requireCounted() {
        if (!fixed.isCounted()) {
            throw notFor(kind() + ": its ids come from a clock, it has no counter, no periods and no ledger.");
        }
    }

    /** Returns the word for the kind of sequence, such as "cached", for messages why it has no keys or counters. */
    public String kind() {
        return fixed.cycle() ? "a cycle" : EnumWord.of(fixed.guarantee());
    }

    private ProblemException notFor(String kind) {
        return new ProblemException(
                ProblemType.NOT_FOR_GUARANTEE,
                "The sequence " + name + " is " + kind,
                Map.of("guarantee", EnumWord.of(fixed.guarantee())));
    }

    /** Returns the revision of the format that writes the texts of new numbers; 0 if they have no texts. */
    public int formatRevision() {
        return formatRevision;
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
        return "Sequence[" + name + ", " + id + ", " + definition + ", " + formats() + ", until " + twoDigitYearsUntil()
                + ", " + standing + ", version " + version + (isIndexed ? ", indexed]" : "]");
    }
}
