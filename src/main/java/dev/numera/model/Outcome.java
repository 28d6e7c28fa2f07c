package dev.numera.model;

import dev.numera.problem.Answer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a request got. */
public sealed interface Outcome {
    /**
     * Numbers: {@code first}, {@code first + increment} and so on. With a key it is also what the ledger holds.
     *
     * @param key null where the caller sent none
     * @param firstText the text of the first number, null without a format
     * @param formatRevision which revision of the format gave the texts, 0 without a format
     * @param replayed whether the numbers were handed out by an earlier request with the same key
     * @param status what is said of the numbers; of those without a key nothing ever is
     * @param importId of the import that brought it; null where the sequence gave it by itself
     * @param operationId of the write that took the numbers, where it was read from the row of its key; null elsewhere,
     *     and of rows that earlier versions wrote
     */
    record Allocation(
            @Nullable String key,
            long first,
            long last,
            int count,
            String period,
            LocalDate date,
            @Nullable String firstText,
            int formatRevision,
            Instant allocatedAt,
            boolean replayed,
            KeyStatus status,
            @Nullable String importId,
            @Nullable String operationId)
            implements Outcome {
        /** The same told to the one by whom it was given. */
        public Allocation asFirst() {
            return but(allocatedAt, false, status);
        }

        public Allocation asReplay() {
            return but(allocatedAt, true, status);
        }

        /** The same given at another time. */
        public Allocation at(Instant givenAt) {
            return but(givenAt, replayed, status);
        }

        public Allocation with(KeyStatus said) {
            return but(allocatedAt, replayed, said);
        }

        private Allocation but(Instant givenAt, boolean isReplay, KeyStatus said) {
            return new Allocation(
                    key,
                    first,
                    last,
                    count,
                    period,
                    date,
                    firstText,
                    formatRevision,
                    givenAt,
                    isReplay,
                    said,
                    importId,
                    null);
        }

        /** The same to hand out from memory. */
        public Block asBlock(long increment, CounterState after) {
            return new Block(first, count, increment, after);
        }

        public long highest() {
            return Math.max(first, last);
        }

        /** How many rows of the ledger are its own. */
        public int rows() {
            return key == null ? 0 : status.isMarked() ? 2 : 1;
        }
    }

    /**
     * Numbers to hand out from memory: {@code first}, {@code first + increment} and so on.
     *
     * @param after what the counter was written as
     */
    record Block(long first, int count, long increment, CounterState after) implements Outcome {}

    /** The counter was moved. */
    record Advanced(long previousNext, long next, ChangeNote note) implements Outcome {
        /** The last number before the new next one, wherever it was passed over. */
        public long lastPassed() {
            return next - Long.signum(next - previousNext);
        }
    }

    /**
     * What became of the first numbers of an import: as many of them as were asked for or fit one write.
     *
     * @param numbers each as it stands in the ledger now, replayed where it stood there before; or why it may not
     */
    record Imported(List<Answer<Allocation>> numbers) implements Outcome {
        public Imported {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * Nothing: the definition's fixed fields are not, or no longer, those that the counter was made for. Ask by the
     * present ones.
     */
    record Outdated() implements Outcome {}

    /**
     * What a ledger gains with one write, in number order: either keyed allocations, or a range that was advanced over.
     *
     * @param advanced null for none
     */
    record LedgerAddition(List<Allocation> allocations, @Nullable Advanced advanced) {
        public static final LedgerAddition NONE = new LedgerAddition(List.of(), null);

        public LedgerAddition {
            allocations = List.copyOf(allocations);
        }

        /** The number by which the row in number order is named; only for one that is not empty. */
        public long highest() {
            return advanced == null
                    ? Math.max(
                            allocations.get(0).first(),
                            allocations.get(allocations.size() - 1).last())
                    : Math.max(advanced.previousNext(), advanced.lastPassed());
        }

        public boolean isEmpty() {
            return allocations.isEmpty() && advanced == null;
        }
    }
}
