package dev.numera.sequence;

import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Terms;
import dev.numera.format.Format;
import dev.numera.format.FormatContext;
import dev.numera.format.Revision;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.LongStream;

/** A definition as this instance knows it, prepared for use. Thread-safe; immutable, but for what is known of its index row. */
final class KnownDefinition {
    private final StoredDefinition stored;
    private final Terms terms;
    private volatile boolean isIndexed;

    KnownDefinition(StoredDefinition stored) {
        this.stored = stored;
        Definition definition = stored.definition();
        this.terms = new Terms(definition.fixed(), definition.series(), textFormat(stored), stored.isRetired(),
                stored.isInUse(), stored.version());
    }

    private static Terms.TextFormat textFormat(StoredDefinition stored) {
        int current = stored.formats().current();
        return current == 0 ? Terms.TextFormat.NONE : RevisedFormat.of(stored, current);
    }

    StoredDefinition stored() {
        return stored;
    }

    SequenceName name() {
        return stored.name();
    }

    Definition definition() {
        return stored.definition();
    }

    Terms terms() {
        return terms;
    }

    /** Whether the index was seen to hold this definition. */
    boolean isIndexed() {
        return isIndexed;
    }

    void setIndexed() {
        isIndexed = true;
    }

    boolean tellsYearByTwoDigits() {
        return terms.format() instanceof RevisedFormat current && current.format().tellsYearByTwoDigits();
    }

    /** Whether the texts of an allocation can be told: it may be of a newer definition than this one. */
    boolean canWrite(Outcome.Allocation allocation) {
        int revision = allocation.formatRevision();
        return revision == 0 || revision <= stored.formats().revisions().size() && format(revision).canWrite(allocation);
    }

    /** The texts of an allocation that can be told, by the revision of the format that it was made under; null where numbers alone will do. */
    List<String> texts(Outcome.Allocation allocation) {
        if (allocation.formatRevision() == 0) {
            return null;
        }
        RevisedFormat format = format(allocation.formatRevision());
        return LongStream.iterate(allocation.first(), number -> number + definition().increment())
                .limit(allocation.count())
                .mapToObj(number -> format.text(allocation.date(), number))
                .toList();
    }

    /** What a revision of the format has to know to read a text: the numbers that it may have been used for, which no other text stands for. */
    FormatContext context(Revision revision) {
        long greatest = Format.compile(revision.format()).isReversed() ? revision.maxValue() : revision.greatest();
        return new FormatContext(name().scope(), name().name(), revision.least(), greatest, definition().resetEvery(),
                definition().fiscalYearStart());
    }

    private RevisedFormat format(int revision) {
        return terms.format() instanceof RevisedFormat current && current.revision() == revision
                ? current
                : RevisedFormat.of(stored, revision);
    }

    private record RevisedFormat(int revision, Format format, FormatContext context, boolean isReversed) implements Terms.TextFormat {
        static RevisedFormat of(StoredDefinition stored, int revision) {
            Revision revised = stored.formats().revision(revision);
            Format format = Format.compile(revised.format());
            boolean isReversed = format.isReversed();
            Definition definition = stored.definition();
            // A plan from an old state of the counter may begin before the present revision did: it will be lost, but must not break off.
            long least = revision == stored.formats().current() ? definition.minValue() : revised.least();
            FormatContext context = new FormatContext(stored.name().scope(), stored.name().name(),
                    isReversed ? least : -FormatContext.LIMIT, isReversed ? revised.maxValue() : FormatContext.LIMIT,
                    definition.resetEvery(), definition.fiscalYearStart());
            return new RevisedFormat(revision, format, context, isReversed);
        }

        @Override
        public String text(LocalDate date, long number) {
            return format.text(context, date, number);
        }

        boolean canWrite(Outcome.Allocation allocation) {
            return (!isReversed || context.contains(allocation.first()) && context.contains(allocation.last()))
                    && (allocation.firstText() == null || allocation.firstText().equals(text(allocation.date(), allocation.first())));
        }
    }
}
