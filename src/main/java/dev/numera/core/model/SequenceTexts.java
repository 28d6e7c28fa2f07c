package dev.numera.core.model;

import dev.numera.core.format.FiscalYear;
import dev.numera.core.format.Format;
import dev.numera.core.format.FormatContext;
import dev.numera.core.format.ParsedText;
import dev.numera.core.format.Period;
import dev.numera.core.format.Revision;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Prints the numbers of a sequence, and reads texts in any format that the sequence has had.
 *
 * <p>Immutable to callers, and thread-safe. The first call that needs the range of a format or the longest text
 * prepares it, not the constructor: printing may fail for a stored definition, and callers that only read its fields
 * must not fail.
 */
public final class SequenceTexts {
    /** The most meanings of one text. More would need several formats that differ by case alone, which are rare. */
    static final int MAX_READINGS = 8;

    /** The most characters that the texts of one request may have, each counted as the longest possible text. */
    private static final int MAX_CHARACTERS = 1_000_000;

    private final SequenceName name;
    private final Definition definition;
    private final FormatHistory formats;
    private final int twoDigitYearsUntil;
    private final Series series;
    /** The compiled formats, at index revision minus 1. */
    private final Format[] compiled;
    /**
     * The contexts for writing, at index revision minus 1. Two threads may prepare the same value; the values are
     * equal.
     */
    private final AtomicReferenceArray<FormatContext> writing;

    private volatile @Nullable String longest;

    SequenceTexts(SequenceName name, Definition definition, FormatHistory formats, int twoDigitYearsUntil) {
        this.name = name;
        this.definition = definition;
        this.formats = formats;
        this.twoDigitYearsUntil = twoDigitYearsUntil;
        this.series = definition.series();
        this.compiled = formats.revisions().stream().map(Revision::format).toArray(Format[]::new);
        this.writing = new AtomicReferenceArray<>(compiled.length);
    }

    SequenceName name() {
        return name;
    }

    Definition definition() {
        return definition;
    }

    FormatHistory formats() {
        return formats;
    }

    int twoDigitYearsUntil() {
        return twoDigitYearsUntil;
    }

    Series series() {
        return series;
    }

    Format format(int revision) {
        return compiled[revision - 1];
    }

    /** Returns the text of a number by a revision of the format; null by revision 0. */
    public @Nullable String text(int formatRevision, LocalDate date, long number) {
        return formatRevision == 0 ? null : format(formatRevision).text(writing(formatRevision), date, number);
    }

    /** Whether these texts can print an allocation, which may have been made under a newer definition than this one. */
    public boolean canWrite(Allocation allocation) {
        int revision = allocation.formatRevision();
        String stored = allocation.firstText();
        return revision == 0
                || revision <= compiled.length
                        && reaches(revision, allocation)
                        && (stored == null || stored.equals(text(revision, allocation.date(), allocation.first())));
    }

    /**
     * Whether the present format may print new numbers. It may if all of them lie within the declared range, because
     * formats are compared only over that range: beyond it, an earlier format may have printed the same text for
     * another number.
     */
    public boolean canWrite(long first, int count) {
        return series.contains(first) && series.contains(series.last(first, count));
    }

    private boolean reaches(int formatRevision, Allocation allocation) {
        if (!format(formatRevision).isReversed()) {
            return true;
        }
        FormatContext context = writing(formatRevision);
        return context.contains(allocation.first()) && context.contains(allocation.last());
    }

    /**
     * Returns the texts of an allocation by the revision of the format that it was made under; null by revision 0. Call
     * only if this {@link #canWrite(Allocation) can print} the allocation.
     */
    public @Nullable List<String> of(Allocation allocation) {
        return of(
                allocation.formatRevision(),
                allocation.date(),
                allocation.first(),
                allocation.count(),
                allocation.firstText());
    }

    /**
     * Returns the texts of new numbers by the present format; null without a format. Call only if this
     * {@link #canWrite(long, int) can print} the numbers.
     */
    public @Nullable List<String> of(LocalDate date, long first, int count) {
        return of(formats.current(), date, first, count, null);
    }

    /** @param firstText the text of the first number if it is known; null to print it as well */
    private @Nullable List<String> of(
            int formatRevision, LocalDate date, long first, int count, @Nullable String firstText) {
        if (formatRevision == 0) {
            return null;
        }
        Format format = format(formatRevision);
        FormatContext context = writing(formatRevision);
        return new LazyTexts(
                number -> format.text(context, date, number),
                first,
                definition.fixed().increment(),
                count,
                firstText);
    }

    /** Returns why one request may not have {@code count} new numbers: their texts could be too long together. */
    public Optional<ProblemException> tooManyCharacters(int count) {
        if ((long) count * Format.MAX_TEXT_LENGTH <= MAX_CHARACTERS) {
            return Optional.empty();
        }
        String text = longest();
        int most = text.length();
        if ((long) count * most <= MAX_CHARACTERS) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "count",
                String.format(
                        Locale.ROOT,
                        "must be at most %,d with this format: count times the longest possible text, %s with %d"
                                + " characters, must not exceed %,d characters",
                        MAX_CHARACTERS / most,
                        text,
                        most,
                        MAX_CHARACTERS)));
    }

    /** Returns the longest possible text of a new number, or one of several; empty if numbers have no texts. */
    public String longest() {
        String known = longest;
        if (known == null) {
            known = formats.current() == 0
                    ? ""
                    : LongestText.of(format(formats.current()), name, definition, LocalDate.EPOCH)
                            .longest();
            longest = known;
        }
        return known;
    }

    /** Whether the date of an allocation matters for its numbers: it selects the counter or shows in the texts. */
    public boolean isDateTelling(int formatRevision) {
        return !definition.fixed().isNeverReset() || definition.isDateOrdered() || showsDate(formatRevision);
    }

    /** Whether the texts of a revision of the format show dates; 0 is for numbers without texts. */
    public boolean showsDate(int formatRevision) {
        return formatRevision > 0 && format(formatRevision).showsDate();
    }

    /** Whether texts of a revision of the format show the year by two digits; 0 is for numbers without texts. */
    public boolean tellsYearByTwoDigits(int formatRevision) {
        return formatRevision > 0 && format(formatRevision).tellsYearByTwoDigits();
    }

    /** Returns the first date whose year two digits can mean. */
    public LocalDate firstTwoDigitDate() {
        return LocalDate.of(twoDigitYearsUntil - 99, 1, 1);
    }

    /**
     * Returns the last date whose year two digits can mean. From the first to the last date there are 100 calendar
     * years, and 100 fiscal years.
     */
    public LocalDate lastTwoDigitDate() {
        return FiscalYear.lastDate(twoDigitYearsUntil, definition.fixed().fiscalYearStart());
    }

    /**
     * Returns the number and period of a text, by the newest format that the sequence has or had and that can have
     * written it. Without such a format, and with none now, the text is the digits of a number.
     *
     * @throws ProblemException {@code text-unreadable}, with the position and the expectation of the format that read
     *     furthest
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
        if (furthest != null && (formats.current() > 0 || ofDigits(text).isEmpty())) {
            throw furthest;
        }
        return new ReadText(plain(text), 0);
    }

    /**
     * Returns the number and period of a text as a person typed it: like {@link #read}, but if no format can have
     * written exactly this text, blanks and the separators of groups do not matter.
     *
     * @throws ProblemException {@code text-unreadable}, as {@link #read}; also if the typed text has several meanings
     */
    public ParsedText readTyped(String text) {
        try {
            return read(text).parsed();
        } catch (ProblemException exact) {
            Set<ParsedText> readings = new LinkedHashSet<>();
            for (int revision : newestFirst()) {
                FormatContext context = context(formats.revision(revision));
                addReading(readings, () -> {
                    ParsedText parsed = format(revision).parseTyped(text, context, lastTwoDigitDate());
                    requireMember(parsed.number());
                    return parsed;
                });
            }
            if (readings.size() == 1) {
                return readings.iterator().next();
            }
            throw exact;
        }
    }

    private static int position(ProblemException unreadable) {
        return unreadable.members().get("position") instanceof Integer position ? position : 0;
    }

    /**
     * Refuses a number that the increment never reaches from the start. Accepts any number of a cycle, because its
     * later rounds start at a bound and may reach other numbers.
     */
    private void requireMember(long number) {
        if (!definition.fixed().cycle() && !series.isWholeIncrementsAway(number)) {
            throw new ProblemException(
                    ProblemType.TEXT_UNREADABLE,
                    "Expected " + definition.fixed().start() + " or a number whole increments of "
                            + definition.fixed().increment() + " before or after it, not " + number + ".",
                    Map.of("position", 1));
        }
    }

    /**
     * Returns at most {@value #MAX_READINGS} possible meanings of a text that may have the wrong case, other blanks,
     * hyphens or leading zeros, or no separators of groups: first the meaning of the unchanged text, then by format.
     */
    public List<ParsedText> readings(String text) {
        Set<ParsedText> readings = new LinkedHashSet<>();
        addReading(readings, () -> read(text).parsed());
        for (int revision : newestFirst()) {
            FormatContext context = context(formats.revision(revision));
            addReading(readings, () -> format(revision).parseAnyCase(text, context, lastTwoDigitDate()));
            addReading(readings, () -> format(revision).parseRemembered(text, context, lastTwoDigitDate()));
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

    /**
     * Returns the revisions in the order of reading: the present one, which may be an earlier one that was chosen
     * again, then the newest first.
     */
    private int[] newestFirst() {
        IntStream all = IntStream.iterate(compiled.length, revision -> revision > 0, revision -> revision - 1);
        return IntStream.concat(IntStream.of(formats.current()), all)
                .filter(revision -> revision > 0)
                .distinct()
                .toArray();
    }

    /**
     * Returns the number whose digits a text is, as of a number that was allocated without a format. Empty if the range
     * has no such number, or if the sequence restarts, because digits show no period.
     */
    public Optional<ParsedText> ofDigits(String text) {
        try {
            long number = Long.parseLong(text);
            boolean isNumber = Long.toString(number).equals(text)
                    && series.contains(number)
                    && definition.fixed().isNeverReset();
            return isNumber ? Optional.of(new ParsedText(number, Period.ALWAYS)) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private ParsedText plain(String text) {
        String expected = definition.fixed().isNeverReset()
                ? "Expected a number from " + definition.minValue() + " to " + definition.maxValue()
                        + ": the sequence has no format."
                : "The sequence restarts and has no format, so a number alone does not show of which period it is."
                        + " Read the ledger by from, to and date.";
        ParsedText parsed = ofDigits(text)
                .orElseThrow(() -> new ProblemException(ProblemType.TEXT_UNREADABLE, expected, Map.of("position", 1)));
        requireMember(parsed.number());
        return parsed;
    }

    /**
     * Returns the context for reading a text by a revision of the format: its range holds the numbers that may have
     * been allocated under the revision, which have no other text.
     */
    public FormatContext context(Revision revision) {
        long greatest = revision.format().isReversed() ? revision.maxValue() : revision.greatest();
        return definition.formatContext(name).within(revision.least(), greatest);
    }

    /**
     * Returns the context for writing texts by a revision of the format. Its range may be wider than the revision's
     * stored range, which in earlier versions starts at the first number after the change of the format. A plan from an
     * old state of the counter may start with a lower number: such a plan loses its write, but must not fail before.
     */
    private FormatContext writing(int formatRevision) {
        FormatContext known = writing.get(formatRevision - 1);
        if (known == null) {
            known = preparedToWrite(formatRevision);
            writing.set(formatRevision - 1, known);
        }
        return known;
    }

    private FormatContext preparedToWrite(int formatRevision) {
        Revision revision = formats.revision(formatRevision);
        FormatContext sequence = definition.formatContext(name);
        if (!revision.format().isReversed()) {
            return sequence.within(-FormatContext.LIMIT, FormatContext.LIMIT);
        }
        long least = formatRevision == formats.current() ? definition.minValue() : revision.least();
        return sequence.within(least, revision.maxValue());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SequenceTexts that
                && twoDigitYearsUntil == that.twoDigitYearsUntil
                && name.equals(that.name)
                && definition.equals(that.definition)
                && formats.equals(that.formats);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, definition, formats, twoDigitYearsUntil);
    }
}
