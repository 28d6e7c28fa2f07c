package dev.numera.sequences.lists;

import dev.numera.core.model.KeyForms;
import dev.numera.core.model.Repetition;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Sha256;
import dev.numera.core.problem.Result;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An uploaded list, as storage contains it. Its rows are cut into parts, which are worked through in their order.
 *
 * @param fingerprint differs for uploads of other content
 * @param items how many rows there are in all
 * @param parts in how many parts
 * @param actor who sent it, as the caller stated; null where the caller did not
 * @param movedAt when it was sent, when its last part was done, or when the next one was requested again: whichever was
 *     last
 * @param version for the next conditional write; null before the first
 */
public record Upload(
        Id id,
        String fingerprint,
        Instant sentAt,
        ListColumns columns,
        @Nullable String actor,
        int items,
        int parts,
        Progress progress,
        Instant movedAt,
        @Nullable String version) {
    /** What a list is uploaded for. */
    public enum Kind {
        /** To be numbered. */
        BATCH,
        /** With its numbers, which another system has allocated. */
        IMPORT
    }

    /**
     * Names an upload of a sequence.
     *
     * @param id 32 hexadecimal digits in lower case; an upload of another kind may have the same
     */
    public record Id(SequenceName sequence, Kind kind, String id) {
        private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{32}");
        private static final int LENGTH = 32;

        public Id {
            if (!DIGITS.matcher(id).matches()) {
                throw new IllegalArgumentException(
                        "'" + id + "' is no id of an upload: it has 32 hexadecimal digits in lower case.");
            }
        }

        /** An id of its own. */
        public static Id random(SequenceName sequence, Kind kind) {
            return new Id(sequence, kind, UUID.randomUUID().toString().replace("-", ""));
        }

        /** The same id for the same key, which the caller chose: the first half of the SHA-256 of its stored form. */
        public static Id ofKey(SequenceName sequence, Kind kind, String key) {
            return new Id(sequence, kind, Sha256.hex(KeyForms.stored(key)).substring(0, LENGTH));
        }

        /** Of a key that the caller chose, or one of its own where that is null. */
        public static Id of(SequenceName sequence, Kind kind, @Nullable String key) {
            return key == null ? random(sequence, kind) : ofKey(sequence, kind, key);
        }

        /** Empty where the text cannot be an id. */
        public static Optional<Id> parse(SequenceName sequence, Kind kind, String id) {
            return DIGITS.matcher(id).matches() ? Optional.of(new Id(sequence, kind, id)) : Optional.empty();
        }

        public boolean isImport() {
            return kind == Kind.IMPORT;
        }

        @Override
        public String toString() {
            return sequence + (isImport() ? "/imports/" : "/batches/") + id;
        }
    }

    /**
     * The rows of a list, or of a part of it, which are stored, numbered and answered together.
     *
     * @param rows at least one, each with as many values as there are columns; checked, but for what the rows of an
     *     import mean, which is reported row by row
     * @param lines the line of each in what was sent; empty where they are not known
     * @param repetitions of rows of an import that the whole list repeats, by their indexes
     */
    public record Content(
            ListColumns columns, List<List<String>> rows, List<Integer> lines, Map<Integer, Repetition> repetitions) {
        private static final int MAX_UNITS_OF_A_PART = 200_000;

        public Content(ListColumns columns, List<List<String>> rows, List<Integer> lines) {
            this(columns, rows, lines, Map.of());
        }

        public Content(ListColumns columns, List<List<String>> rows) {
            this(columns, rows, List.of());
        }

        public Content reserved() {
            return new Content(columns.reserved(), rows, lines, repetitions);
        }

        public Content dryRun() {
            return new Content(columns.dryRun(), rows, lines, repetitions);
        }

        Content repeating(Map<Integer, Repetition> found) {
            return new Content(columns, rows, lines, found);
        }

        /** The line of a row; 0 where it is not known. */
        int line(int row) {
            return lines.isEmpty() ? 0 : lines.get(row);
        }

        /** The line of an earlier row that is equal to a row; 0 where there is none. */
        int equalLine(int row) {
            Repetition repetition = repetitions.get(row);
            return repetition != null && repetition.isEqual() ? repetition.line() : 0;
        }

        /** Its parts, in the order of the rows; a list that is sent again is cut in the same places. */
        List<Content> parts(int maxRows) {
            List<Content> parts = new ArrayList<>();
            int start = 0;
            int units = 0;
            for (int row = 0; row < rows.size(); row++) {
                int unitsOfRow = ListColumns.storedUnits(rows.get(row));
                if (row - start == maxRows || row > start && units + unitsOfRow > MAX_UNITS_OF_A_PART) {
                    parts.add(part(start, row));
                    start = row;
                    units = 0;
                }
                units += unitsOfRow;
            }
            parts.add(part(start, rows.size()));
            return parts;
        }

        private Content part(int start, int end) {
            Map<Integer, Repetition> ofPart = new TreeMap<>();
            for (int row = start; row < end && !repetitions.isEmpty(); row++) {
                Repetition repetition = repetitions.get(row);
                if (repetition != null) {
                    ofPart.put(row - start, repetition);
                }
            }
            return new Content(
                    columns, rows.subList(start, end), lines.isEmpty() ? lines : lines.subList(start, end), ofPart);
        }
    }

    /**
     * How far it is.
     *
     * @param parts that are done
     * @param items that are done
     * @param numbered how many of these items have their numbers
     * @param alreadyThere how many of those had them before: only of an import
     */
    public record Progress(int parts, int items, int numbered, int alreadyThere) {
        static final Progress NONE = new Progress(0, 0, 0, 0);

        private Progress with(List<Result<PrintedAllocation>> answers) {
            List<PrintedAllocation> results =
                    answers.stream().map(Result::value).filter(Objects::nonNull).toList();
            int replayed =
                    (int) results.stream().filter(PrintedAllocation::replayed).count();
            return new Progress(parts + 1, items + answers.size(), numbered + results.size(), alreadyThere + replayed);
        }
    }

    /** Its result so far. */
    public enum Status {
        PENDING,
        NUMBERED,
        PARTIAL,
        REJECTED
    }

    public Status status() {
        if (progress.parts() < parts) {
            return Status.PENDING;
        }
        if (progress.numbered() == items) {
            return Status.NUMBERED;
        }
        return progress.numbered() == 0 ? Status.REJECTED : Status.PARTIAL;
    }

    /** Whether it has a part of this number. */
    boolean has(int part) {
        return part >= 1 && part <= parts;
    }

    Upload withPartDone(List<Result<PrintedAllocation>> answersOfPart, Instant now) {
        return new Upload(
                id, fingerprint, sentAt, columns, actor, items, parts, progress.with(answersOfPart), now, version);
    }

    Upload requestedAgain(Instant now) {
        return new Upload(id, fingerprint, sentAt, columns, actor, items, parts, progress, now, version);
    }
}
