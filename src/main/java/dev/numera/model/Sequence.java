package dev.numera.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.numera.format.FiscalYear;
import dev.numera.format.Format;
import dev.numera.format.FormatContext;
import dev.numera.format.ParsedText;
import dev.numera.format.Period;
import dev.numera.format.Revision;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.problem.Word;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A stored definition, ready for use: what it declares to counters, and how its numbers become texts and texts numbers
 * again. Immutable.
 *
 * @param id made when the sequence was created; a sequence that is recreated gets another one
 * @param isInUse whether a number may have been allocated under it; then its fixed fields are fixed
 * @param retiredAt null unless retired
 * @param suspension whether and why it allocates nothing for now
 * @param restoreMargin how many numbers a counter that is missing passes over when it is opened, because a restore may
 *     have lost it; 0 for none
 * @param version for the next conditional write; null where it is not known
 * @param twoDigitYearsUntil the last of the 100 years, calendar and fiscal ones, that two digits of a year mean; it
 *     never moves, so that no text is read as of another century later
 * @param widenedFrom the end of the range before it was widened last; null where it was not since the first number
 * @param isIndexed whether this process has read or written its row in the index
 * @param keyForm in which its keys are stored
 */
public record Sequence(
        SequenceName name,
        String id,
        Definition definition,
        FormatHistory formats,
        boolean isInUse,
        @Nullable Instant retiredAt,
        Suspension suspension,
        long restoreMargin,
        @Nullable String version,
        int twoDigitYearsUntil,
        @Nullable Long widenedFrom,
        boolean isIndexed,
        KeyForm keyForm) {
    /** That of definitions that were stored without one, all of them in 2026. */
    public static final int EARLIER_TWO_DIGIT_YEARS_UNTIL = 2075;

    /** What the texts of one request may take, each counted as the longest possible one. */
    private static final int MAX_CHARACTERS = 1_000_000;

    /** Documents of half a century before and of half a century after the first number. */
    private static final int YEARS_AFTER = 49;

    /** Formats that differ by case alone are rare. */
    private static final int MAX_READINGS = 4;

    /** One that is neither suspended nor restored. */
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
                name,
                id,
                definition,
                formats,
                isInUse,
                retiredAt,
                Suspension.NONE,
                0,
                version,
                twoDigitYearsUntil,
                null,
                false,
                KeyForm.AS_SENT);
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

    /**
     * This sequence by a changed definition, no longer retired.
     *
     * @throws ProblemException {@code too-many-formats}
     */
    public Sequence changedTo(Definition changed) {
        FormatHistory changedFormats = isInUse ? formats.changedTo(definition, changed) : FormatHistory.of(changed);
        return new Sequence(
                name,
                id,
                changed,
                changedFormats,
                isInUse,
                null,
                suspension,
                restoreMargin,
                version,
                twoDigitYearsUntil,
                isInUse ? endBeforeWidening(changed) : null,
                isIndexed,
                keyForm);
    }

    private @Nullable Long endBeforeWidening(Definition changed) {
        long end = series().end();
        return series().isBefore(end, changed.series().end()) ? (Long) end : widenedFrom;
    }

    /** The same whose range ended there before it was widened last; null where it was not. */
    public Sequence withWidenedFrom(@Nullable Long end) {
        return new Sequence(
                name,
                id,
                definition,
                formats,
                isInUse,
                retiredAt,
                suspension,
                restoreMargin,
                version,
                twoDigitYearsUntil,
                end,
                isIndexed,
                keyForm);
    }

    /** Whether the next number reaches the warning level of the range, or of the part that the last widening added. */
    public boolean isNearlyUsed(long next) {
        return series().isNearlyUsed(next, definition.warnAtPercent(), widenedFrom);
    }

    /** The same with another id, for a sequence that starts again after its table was lost. */
    public Sequence recreated() {
        return new Sequence(
                name,
                newId(),
                definition,
                formats,
                isInUse,
                retiredAt,
                suspension,
                restoreMargin,
                version,
                twoDigitYearsUntil,
                widenedFrom,
                false,
                keyForm);
    }

    public Sequence retired(Instant at) {
        return new Sequence(
                name,
                id,
                definition,
                formats,
                isInUse,
                at,
                suspension,
                restoreMargin,
                version,
                twoDigitYearsUntil,
                widenedFrom,
                isIndexed,
                keyForm);
    }

    public Sequence suspended(Suspension changed) {
        return new Sequence(
                name,
                id,
                definition,
                formats,
                isInUse,
                retiredAt,
                changed,
                restoreMargin,
                version,
                twoDigitYearsUntil,
                widenedFrom,
                isIndexed,
                keyForm);
    }

    /** The same after a restore whose margin is this, or 0 where none is needed any more. */
    public Sequence withRestoreMargin(long margin) {
        return new Sequence(
                name,
                id,
                definition,
                formats,
                isInUse,
                retiredAt,
                suspension,
                margin,
                version,
                twoDigitYearsUntil,
                widenedFrom,
                isIndexed,
                keyForm);
    }

    /** The same with keys that are stored in this form from now on. */
    public Sequence withKeyForm(KeyForm form) {
        return new Sequence(
                name,
                id,
                definition,
                formats,
                isInUse,
                retiredAt,
                suspension,
                restoreMargin,
                version,
                twoDigitYearsUntil,
                widenedFrom,
                isIndexed,
                form);
    }

    /** What a program must know to use it as it is now. */
    public int needs() {
        if (keyForm != KeyForm.AS_SENT) {
            return Definition.KEY_FORM_FEATURES;
        }
        return suspension.isNone() && restoreMargin == 0
                ? definition.needs()
                : Math.max(definition.needs(), Definition.SUSPENSION_FEATURES);
    }

    public Sequence inUse() {
        return new Sequence(
                name,
                id,
                definition,
                formats,
                true,
                retiredAt,
                suspension,
                restoreMargin,
                version,
                twoDigitYearsUntil,
                widenedFrom,
                isIndexed,
                keyForm);
    }

    public Sequence at(@Nullable String newVersion) {
        return new Sequence(
                name,
                id,
                definition,
                formats,
                isInUse,
                retiredAt,
                suspension,
                restoreMargin,
                newVersion,
                twoDigitYearsUntil,
                widenedFrom,
                isIndexed,
                keyForm);
    }

    /** The same once its row in the index was read or written. */
    public Sequence indexed() {
        return new Sequence(
                name,
                id,
                definition,
                formats,
                isInUse,
                retiredAt,
                suspension,
                restoreMargin,
                version,
                twoDigitYearsUntil,
                widenedFrom,
                true,
                keyForm);
    }

    /** The same after the write that marked it as in use, whose answer does not include the new version. */
    public Sequence marked() {
        return inUse().at(null).indexed();
    }

    /** The entity tag over HTTP, quotes included: of what its owner can see, so that a mark does not make it stale. */
    public String tag() {
        return tag(retiredAt);
    }

    /** That of the same definition before it was retired. */
    public String tagBeforeRetired() {
        return tag(null);
    }

    private String tag(@Nullable Instant retired) {
        String content = DefinitionField.ALL.stream()
                .map(field -> delimited(field.of(definition)))
                .collect(Collectors.joining("", id + retired, ""));
        return '"' + UUID.nameUUIDFromBytes(content.getBytes(UTF_8)).toString() + '"';
    }

    /** With its length: a free text may hold any separator. */
    private static String delimited(@Nullable Object value) {
        return value == null ? "-" : value.toString().length() + ":" + value;
    }

    public FixedFields fixed() {
        return definition.fixed();
    }

    public Series series() {
        return definition.series();
    }

    /** The counter of the period that a day is in. */
    public CounterId counter(LocalDate day) {
        FixedFields fixed = fixed();
        return new CounterId(
                name,
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
        return counter.map(CounterState::next).orElseGet(() -> series().beyond(fixed().start(), restoreMargin));
    }

    public boolean isRetired() {
        return retiredAt != null;
    }

    /**
     * Whether no instance can have allocated a number, nor has a write under way that may still win: each first write
     * marks the definition, at the version that it was computed from. After a restore no definition says so.
     */
    public boolean isNeverUsed() {
        return !isInUse && restoreMargin == 0;
    }

    /** Whether it is left out of lists, and its name is free for any definition. */
    public boolean isRetiredUnused() {
        return isRetired() && isNeverUsed();
    }

    /** Why a retired sequence allocates no new numbers. */
    public ProblemException refusalAsRetired() {
        return new ProblemException(
                ProblemType.RETIRED,
                "The sequence " + name + " is retired. Its owner can revive it with PUT and If-None-Match: *.");
    }

    /** Whether it allocates nothing new: it is retired or suspended. */
    public boolean isStopped() {
        return isRetired() || !suspension.isNone();
    }

    /** Why it allocates nothing new; only where it {@link #isStopped is stopped}. */
    public ProblemException refusalAsStopped() {
        return isRetired() ? refusalAsRetired() : suspension.refusal(name);
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
        return fixed().cycle() ? "a cycle" : Word.of(fixed().guarantee());
    }

    private ProblemException notFor(String kind) {
        return new ProblemException(
                ProblemType.NOT_FOR_GUARANTEE,
                "The sequence " + name + " is " + kind,
                Map.of("guarantee", Word.of(fixed().guarantee())));
    }

    /** Why there are not so many new numbers for one request: their texts could be too long together. */
    public Optional<ProblemException> tooManyCharacters(int count) {
        if ((long) count * Format.MAX_TEXT_LENGTH <= MAX_CHARACTERS) {
            return Optional.empty();
        }
        String text = longestText();
        int longest = text.length();
        if ((long) count * longest <= MAX_CHARACTERS) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "count",
                String.format(
                        Locale.ROOT,
                        "must be at most %,d with this format: count times the longest possible text, %s with %d"
                                + " characters, must not exceed %,d characters",
                        MAX_CHARACTERS / longest,
                        text,
                        longest,
                        MAX_CHARACTERS)));
    }

    /** The present revision of the format, by which new numbers get their texts; 0 where numbers have no texts. */
    public int formatRevision() {
        return formats.current();
    }

    /** The text of a number by a revision of the format; null by revision 0. */
    public @Nullable String text(int formatRevision, LocalDate date, long number) {
        return formatRevision == 0 ? null : format(formatRevision).text(writing(formatRevision), date, number);
    }

    /** Whether the texts of an allocation can be made: it may be of a newer definition than this one. */
    public boolean canWrite(Allocation allocation) {
        int revision = allocation.formatRevision();
        return revision == 0
                || revision <= formats.revisions().size()
                        && reaches(revision, allocation.first())
                        && reaches(revision, allocation.last())
                        && (allocation.firstText() == null
                                || allocation
                                        .firstText()
                                        .equals(text(revision, allocation.date(), allocation.first())));
    }

    /**
     * Whether the present format is for so many numbers from this one on. Formats are compared over the declared range
     * alone: beyond it, a format that is no longer the present one may write what the present one writes of others.
     */
    public boolean canWrite(long first, int count) {
        return series().contains(first) && series().contains(series().last(first, count));
    }

    private boolean reaches(int formatRevision, long number) {
        return !format(formatRevision).isReversed() || writing(formatRevision).contains(number);
    }

    /**
     * The texts of an allocation that this definition {@link #canWrite can write}, by the revision of the format that
     * it was made under; null where numbers alone are enough.
     */
    @Nullable
    public List<String> texts(Allocation allocation) {
        return texts(allocation.formatRevision(), allocation.date(), allocation.first(), allocation.count());
    }

    /** Whether an allocation's last number is as many increments beyond the first as its count. */
    public boolean isOfIncrement(Allocation allocation) {
        return allocation.last() == series().last(allocation.first(), allocation.count());
    }

    /** The texts of so many numbers by the present format, which can write them; null without one. */
    @Nullable
    public List<String> texts(LocalDate date, long first, int count) {
        return texts(formatRevision(), date, first, count);
    }

    private @Nullable List<String> texts(int formatRevision, LocalDate date, long first, int count) {
        if (formatRevision == 0) {
            return null;
        }
        Format format = format(formatRevision);
        FormatContext context = writing(formatRevision);
        return new TextRun(number -> format.text(context, date, number), first, fixed().increment(), count);
    }

    /** The longest possible text of a new number, or one of several; empty where numbers have no texts. */
    public String longestText() {
        return formatRevision() == 0
                ? ""
                : TextLength.of(format(formatRevision()), name, definition, LocalDate.EPOCH)
                        .longest();
    }

    /** Whether the date of an allocation says something of its numbers: by a revision of the format, 0 for none. */
    public boolean isDateTelling(int formatRevision) {
        return !fixed().isNeverReset() || isDateOrdered() || showsDate(formatRevision);
    }

    /** Whether the texts of a revision of the format show dates; 0 is for numbers without texts. */
    public boolean showsDate(int formatRevision) {
        return formatRevision > 0 && format(formatRevision).showsDate();
    }

    /** Whether texts of a revision of the format show the year by two digits; 0 is for numbers without texts. */
    public boolean tellsYearByTwoDigits(int formatRevision) {
        return formatRevision > 0 && format(formatRevision).tellsYearByTwoDigits();
    }

    /** The first date whose year two digits can mean. */
    public LocalDate firstTwoDigitDate() {
        return LocalDate.of(twoDigitYearsUntil - 99, 1, 1);
    }

    /** The last one, so that the dates between the two lie in 100 calendar years, and in 100 fiscal years. */
    public LocalDate lastTwoDigitDate() {
        return FiscalYear.lastDate(twoDigitYearsUntil, fixed().fiscalYearStart());
    }

    /** @param formatRevision by which the text was read; 0 where the sequence never had a format */
    public record ReadText(ParsedText parsed, int formatRevision) {}

    /**
     * The number and period of a text, by every format that the sequence ever had; the newest format that can have
     * written it decides.
     *
     * @throws ProblemException {@code text-unreadable}, with what the format that could read most of it expected where
     */
    public ReadText read(String text) {
        ProblemException furthest = null;
        for (int revision : newestFirst()) {
            try {
                FormatContext context = context(formats.revision(revision));
                ParsedText parsed = format(revision).parse(text, context, lastTwoDigitDate());
                requireMember(parsed.number());
                return new ReadText(parsed, revision);
            } catch (ProblemException e) {
                furthest = furthest == null || position(e) > position(furthest) ? e : furthest;
            }
        }
        if (furthest == null) {
            return new ReadText(plain(text), 0);
        }
        throw furthest;
    }

    private static int position(ProblemException unreadable) {
        return unreadable.members().get("position") instanceof Integer position ? position : 0;
    }

    /** Each further round of a cycle begins at a bound, from where whole increments may lead to other numbers. */
    private void requireMember(long number) {
        if (!fixed().cycle() && !series().isWholeIncrementsAway(number)) {
            throw new ProblemException(
                    ProblemType.TEXT_UNREADABLE,
                    "Expected " + fixed().start() + " or a number whole increments of " + fixed().increment()
                            + " before or after it, not " + number + ".",
                    Map.of("position", 1));
        }
    }

    /**
     * What a text in any case may mean, each meaning once: as it is, by the newest format that can have written it,
     * then as any format would write it, the newest first. At most {@value #MAX_READINGS}.
     */
    public List<ParsedText> readings(String text) {
        Set<ParsedText> readings = new LinkedHashSet<>();
        addReading(readings, () -> read(text).parsed());
        for (int revision : newestFirst()) {
            FormatContext context = context(formats.revision(revision));
            addReading(readings, () -> format(revision).parseAnyCase(text, context, lastTwoDigitDate()));
        }
        return readings.stream().limit(MAX_READINGS).toList();
    }

    private static void addReading(Set<ParsedText> readings, Supplier<ParsedText> reading) {
        try {
            readings.add(reading.get());
        } catch (ProblemException e) {
            if (e.type() != ProblemType.TEXT_UNREADABLE) {
                throw e;
            }
        }
    }

    /** The present format first, which may be an earlier one that was chosen again. */
    private int[] newestFirst() {
        int count = formats.revisions().size();
        IntStream all = IntStream.iterate(count, revision -> revision > 0, revision -> revision - 1);
        return IntStream.concat(IntStream.of(formatRevision()), all)
                .filter(revision -> revision > 0)
                .distinct()
                .toArray();
    }

    /** Without a format the text of a number is its digits, which show no period. */
    private ParsedText plain(String text) {
        if (!fixed().isNeverReset()) {
            throw new ProblemException(
                    ProblemType.TEXT_UNREADABLE,
                    "The sequence restarts and has no format, so a number alone does not show of which period it is."
                            + " Read the ledger by from, to and date.",
                    Map.of("position", 1));
        }
        try {
            long number = Long.parseLong(text);
            if (Long.toString(number).equals(text) && series().contains(number)) {
                requireMember(number);
                return new ParsedText(number, Period.ALWAYS);
            }
        } catch (NumberFormatException e) {
            // Falls through: no number is as unreadable as one out of range.
        }
        throw new ProblemException(
                ProblemType.TEXT_UNREADABLE,
                "Expected a number from " + definition.minValue() + " to " + definition.maxValue()
                        + ": the sequence has no format.",
                Map.of("position", 1));
    }

    private Format format(int revision) {
        return formats.revision(revision).format();
    }

    /**
     * What a revision of the format has to know to read a text: the numbers that may have been allocated under it,
     * which have no other text.
     */
    public FormatContext context(Revision revision) {
        long greatest = revision.format().isReversed() ? revision.maxValue() : revision.greatest();
        return definition.formatContext(name).within(revision.least(), greatest);
    }

    /**
     * What a revision of the format has to know to write a text. Earlier versions kept only the numbers from the change
     * of the format on. A plan from an old state of the counter may start before them: it will be lost, but must not
     * fail.
     */
    private FormatContext writing(int formatRevision) {
        Revision revision = formats.revision(formatRevision);
        FormatContext sequence = definition.formatContext(name);
        if (!revision.format().isReversed()) {
            return sequence.within(-FormatContext.LIMIT, FormatContext.LIMIT);
        }
        long least = formatRevision == formatRevision() ? definition.minValue() : revision.least();
        return sequence.within(least, revision.maxValue());
    }
}
