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
 * An uploaded list, as storage contains it. Its rows are divided into parts, which are processed in order.
 *
 * @param fingerprint differs for uploads of other content
 * @param items the number of rows
 * @param parts the number of parts
 * @param actor the person or system that sent the list, as the caller stated; null if not stated
 * @param movedAt when the upload last moved: it was sent, a part was done, or the next part was requested again
 * @param version the version for the next conditional write; null before the first one
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
    /** The purpose of an uploaded list. */
    public enum Kind {
        /** A list of keys that need numbers. */
        BATCH,
        /** A list of numbers that another system has allocated. */
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

        /** Creates a new random id. */
        public static Id random(SequenceName sequence, Kind kind) {
            return new Id(sequence, kind, UUID.randomUUID().toString().replace("-", ""));
        }

        /** The same id for the same key, which the caller chose: the first half of the SHA-256 of its stored form. */
        public static Id ofKey(SequenceName sequence, Kind kind, String key) {
            return new Id(sequence, kind, Sha256.hex(KeyForms.stored(key)).substring(0, LENGTH));
        }

        /** Returns the id of a key that the caller chose, or a new random id if the key is null. */
        public static Id of(SequenceName sequence, Kind kind, @Nullable String key) {
            return key == null ? random(sequence, kind) : ofKey(sequence, kind, key);
        }

        /** Returns the id with these digits; empty if the string cannot be an id. */
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
     * The rows of a list, or of one of its parts.
     *
     * @param rows at least one, each with a value for each column. The rows are checked, except the meaning of an
     *     import row, which is reported row by row
     * @param lines the line of each row in the sent file; empty if unknown
     * @param repetitions the rows of an import that repeat or contradict another row of the whole list, by index
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

        /** Returns the line of a row; 0 if unknown. */
        public int line(int row) {
            return lines.isEmpty() ? 0 : lines.get(row);
        }

        /** Returns the line of an earlier, equal row; 0 if there is none. */
        int equalLine(int row) {
            Repetition repetition = repetitions.get(row);
            return repetition != null && repetition.isEqual() ? repetition.line() : 0;
        }

        /** Divides the rows into parts, in order. A list that is sent again is divided at the same rows. */
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
     * The progress of an upload.
     *
     * @param parts how many parts are done
     * @param items how many rows are done
     * @param numbered how many of these rows have their numbers
     * @param alreadyThere for an import, how many of the numbers the ledger already had
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

    /** The result of an upload so far. */
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

    /** Whether the upload has a part with this number. */
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
