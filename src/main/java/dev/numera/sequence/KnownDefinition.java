package dev.numera.sequence;

import dev.numera.counter.Terms;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.LongStream;

/** A definition as this instance knows it, prepared for use. Immutable and thread-safe. */
final class KnownDefinition {
    private final StoredDefinition stored;
    private final Terms terms;

    KnownDefinition(StoredDefinition stored, boolean isPinned) {
        this.stored = stored;
        Definition definition = stored.definition();
        this.terms = new Terms(definition.fixed(), definition.series(), textFormat(stored.formatRevision()), stored.isRetired(), isPinned);
    }

    StoredDefinition stored() {
        return stored;
    }

    Definition definition() {
        return stored.definition();
    }

    Terms terms() {
        return terms;
    }

    boolean knowsFormat(int revision) {
        return revision <= stored.formats().size();
    }

    /** The texts of numbers that were handed out under a revision of the format; null where the numbers alone will do. */
    List<String> texts(int formatRevision, LocalDate date, long first, int count) {
        LongStream numbers = LongStream.iterate(first, number -> number + definition().increment()).limit(count);
        if (formatRevision == 0) {
            return definition().exceedsExactNumbers() ? numbers.mapToObj(Long::toString).toList() : null;
        }
        Terms.TextFormat format = formatRevision == terms.format().revision() ? terms.format() : textFormat(formatRevision);
        return numbers.mapToObj(number -> format.text(date, number)).toList();
    }

    private Terms.TextFormat textFormat(int revision) {
        if (revision == 0) {
            return Terms.TextFormat.NONE;
        }
        Format format = Format.compile(stored.formats().get(revision - 1));
        return new RevisedFormat(revision, format, definition().formatContext(stored.name()));
    }

    private record RevisedFormat(int revision, Format format, FormatContext context) implements Terms.TextFormat {
        @Override
        public String text(LocalDate date, long number) {
            return format.text(context, date, number);
        }
    }
}
