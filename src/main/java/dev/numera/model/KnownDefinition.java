package dev.numera.model;

import dev.numera.format.FiscalYear;
import dev.numera.format.Format;
import dev.numera.format.FormatContext;
import dev.numera.format.Revision;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.problem.Word;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A definition as this instance knows it, prepared for use: the terms of its counters. Thread-safe; immutable, but for
 * what is known of its index row.
 */
public final class KnownDefinition implements Terms {
    private final StoredDefinition stored;
    private final Series series;
    private final TextFormat format;
    /** Found out when it is needed first; null until then. */
    private volatile @Nullable String longestText;

    private volatile boolean isIndexed;

    public KnownDefinition(StoredDefinition stored) {
        this.stored = stored;
        this.series = stored.definition().series();
        int current = stored.formats().current();
        this.format = current == 0 ? TextFormat.NONE : RevisedFormat.of(stored, current);
    }

    public StoredDefinition stored() {
        return stored;
    }

    public SequenceName name() {
        return stored.name();
    }

    public Definition definition() {
        return stored.definition();
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
                "The sequence " + name() + " is " + kind,
                Map.of("guarantee", Word.of(fixed().guarantee())));
    }

    /** This definition as it is once a write has marked it: at another version, which the answer did not tell. */
    public KnownDefinition marked() {
        KnownDefinition marked = new KnownDefinition(stored.inUse().at(null));
        marked.setIndexed();
        return marked;
    }

    @Override
    public FixedFields fixed() {
        return stored.definition().fixed();
    }

    @Override
    public Series series() {
        return series;
    }

    @Override
    public TextFormat format() {
        return format;
    }

    @Override
    public boolean covers(Outcome.Allocation imported) {
        return canWrite(imported);
    }

    @Override
    public int warnAtPercent() {
        return definition().warnAtPercent();
    }

    @Override
    public boolean isDateOrdered() {
        return definition().isDateOrdered();
    }

    @Override
    public boolean isRetired() {
        return stored.isRetired();
    }

    @Override
    public boolean isInUse() {
        return stored.isInUse();
    }

    @Override
    public @Nullable String version() {
        return stored.version();
    }

    /** The next number of a counter; the first of all where there is none yet. */
    public long next(Optional<CounterState> counter) {
        return counter.map(CounterState::next).orElse(fixed().start());
    }

    /** Whether the index was seen to hold this definition. */
    public boolean isIndexed() {
        return isIndexed;
    }

    public void setIndexed() {
        isIndexed = true;
    }

    /** The first date whose year two digits stand for. */
    public LocalDate firstTwoDigitDate() {
        return LocalDate.of(stored.twoDigitYearsUntil() - 99, 1, 1);
    }

    /** The last one, so that the dates between the two lie in 100 calendar years, and in 100 fiscal years. */
    public LocalDate lastTwoDigitDate() {
        return FiscalYear.lastDate(stored.twoDigitYearsUntil(), fixed().fiscalYearStart());
    }

    /** Whether texts of a revision of the format tell the year by two digits; 0 is for numbers without texts. */
    public boolean tellsYearByTwoDigits(int formatRevision) {
        return formatRevision > 0 && format(formatRevision).tellsYearByTwoDigits();
    }

    /** Whether the texts of an allocation can be told: it may be of a newer definition than this one. */
    public boolean canWrite(Outcome.Allocation allocation) {
        int revision = allocation.formatRevision();
        return revision == 0
                || revision <= stored.formats().revisions().size()
                        && format(revision).canWrite(allocation);
    }

    /**
     * The texts of an allocation that can be told, by the revision of the format that it was made under; null where
     * numbers alone will do.
     */
    @Nullable
    public List<String> texts(Outcome.Allocation allocation) {
        return allocation.formatRevision() == 0
                ? null
                : texts(format(allocation.formatRevision()), allocation.date(), allocation.first(), allocation.count());
    }

    /** Whether the date of an allocation says something of its numbers: by a revision of the format, 0 for none. */
    public boolean isDateTelling(int formatRevision) {
        return !fixed().isNeverReset() || isDateOrdered() || showsDate(formatRevision);
    }

    /** Whether the texts of a revision of the format show dates; 0 is for numbers without texts. */
    public boolean showsDate(int formatRevision) {
        return formatRevision > 0 && format(formatRevision).showsDate();
    }

    /** The text of a number by a revision of the format, not 0. */
    public String text(int formatRevision, LocalDate date, long number) {
        return format(formatRevision).text(date, number);
    }

    /** Whether the present format can write so many numbers from this one on. */
    public boolean canWrite(long first, int count) {
        return !(format instanceof RevisedFormat current)
                || current.reaches(first) && current.reaches(series.last(first, count));
    }

    /** The texts of so many numbers by the present format, which can write them; null without one. */
    @Nullable
    public List<String> texts(LocalDate date, long first, int count) {
        return format instanceof RevisedFormat current ? texts(current, date, first, count) : null;
    }

    /** The longest possible text of a new number, or one of several; empty where numbers have no texts. */
    public String longestText() {
        String known = longestText;
        if (known == null) {
            known = TextLength.of(name(), definition(), LocalDate.EPOCH)
                    .map(TextLength::longest)
                    .orElse("");
            longestText = known;
        }
        return known;
    }

    private List<String> texts(RevisedFormat format, LocalDate date, long first, int count) {
        return new TextRun(
                number -> format.text(date, number), first, definition().fixed().increment(), count);
    }

    /**
     * What a revision of the format has to know to read a text: the numbers that may have been allocated under it,
     * which have no other text.
     */
    public FormatContext context(Revision revision) {
        long greatest = Format.compile(revision.format()).isReversed() ? revision.maxValue() : revision.greatest();
        return definition().formatContext(name()).within(revision.least(), greatest);
    }

    private RevisedFormat format(int revision) {
        return format instanceof RevisedFormat current && current.revision() == revision
                ? current
                : RevisedFormat.of(stored, revision);
    }

    private record RevisedFormat(
            int revision, Format format, FormatContext context, boolean isReversed, boolean showsDate)
            implements TextFormat {
        static RevisedFormat of(StoredDefinition stored, int revision) {
            Revision revised = stored.formats().revision(revision);
            Format format = Format.compile(revised.format());
            boolean isReversed = format.isReversed();
            Definition definition = stored.definition();
            // Earlier versions kept only the numbers from the change of the format on. A plan from an old state of the
            // counter may start before them: it will be lost, but must not fail.
            long least = revision == stored.formats().current() ? definition.minValue() : revised.least();
            FormatContext sequence = definition.formatContext(stored.name());
            FormatContext context = isReversed
                    ? sequence.within(least, revised.maxValue())
                    : sequence.within(-FormatContext.LIMIT, FormatContext.LIMIT);
            return new RevisedFormat(revision, format, context, isReversed, format.showsDate());
        }

        @Override
        public boolean tellsYearByTwoDigits() {
            return format.tellsYearByTwoDigits();
        }

        @Override
        public String text(LocalDate date, long number) {
            return format.text(context, date, number);
        }

        boolean reaches(long number) {
            return !isReversed || context.contains(number);
        }

        boolean canWrite(Outcome.Allocation allocation) {
            return reaches(allocation.first())
                    && reaches(allocation.last())
                    && (allocation.firstText() == null
                            || allocation.firstText().equals(text(allocation.date(), allocation.first())));
        }
    }
}
