package dev.numera.sequences.access;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.SequenceTexts;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * Adds the formatted texts to allocated numbers. The numbers may need a newer definition than the caller has: the
 * printer then reads it from storage, and blocks for the read. Thread-safe.
 */
public final class AllocationPrinter {
    private final SequenceCalls calls;
    private final DefinitionCache definitions;
    private final DateLimits dates;
    private final Clock time;

    public AllocationPrinter(SequenceCalls calls, DefinitionCache definitions, DateLimits dates, Clock time) {
        this.calls = calls;
        this.definitions = definitions;
        this.dates = dates;
        this.time = time;
    }

    /** Like {@link #of}, for one answer of several: a row that cannot be read is a problem of its own request only. */
    public Result<PrintedAllocation> ofAnswer(Sequence known, Result<? extends CounterOutcome> result) {
        return result.isRefused()
                ? Result.refused(result.refusal())
                : Result.unlessTrouble(() -> of(known, (Allocation) result.orThrow()));
    }

    /**
     * @throws ProblemException {@code rolled-back} if the stored definition lacks a format that the ledger uses
     * @throws StoreFailure the stored numbers do not fit the sequence's increment
     */
    public PrintedAllocation of(Sequence known, Allocation allocation) {
        Sequence formatting = writing(known, allocation);
        if (!isOfIncrement(formatting, allocation)) {
            throw ofAnotherIncrement(formatting, allocation);
        }
        SequenceTexts texts = formatting.texts();
        return new PrintedAllocation(
                allocation.key(),
                allocation.first(),
                allocation.last(),
                allocation.count(),
                formatting.fixed().increment(),
                texts.of(allocation),
                texts.isDateTelling(allocation.formatRevision()) ? allocation.date() : null,
                period(allocation.period()),
                allocation.replayed(),
                allocation.status(),
                allocation.actor());
    }

    /**
     * Returns the newest definition that this instance knows. Call after taking a number: its block may belong to a
     * newer definition than the call started with.
     */
    public Sequence present(SequenceName name) {
        return definitions.inMemory(name).orElseGet(() -> withNewerFormat(name));
    }

    /**
     * Prints numbers that come from a block or a lease.
     *
     * @throws ProblemException {@code rolled-back} as in {@link #of}; the refusals of a date
     */
    public PrintedAllocation taken(Sequence known, CounterId id, NumberRequest request, long first) {
        Sequence usable = known.isInUse() && known.texts().canWrite(first, request.count())
                ? known
                : withNewerFormat(known.name());
        if (!usable.texts().canWrite(first, request.count())) {
            throw olderThanLedger(usable, first);
        }
        // Checks the date again, because this definition may be newer than the definition of the first check.
        dates.dated(usable, request, () -> false, null, time.now()).orThrow();
        long last = usable.series().last(first, request.count());
        return new PrintedAllocation(
                null,
                first,
                last,
                request.count(),
                usable.fixed().increment(),
                usable.texts().of(request.day(), first, request.count()),
                usable.texts().isDateTelling(usable.formatRevision()) ? request.day() : null,
                period(id.period()),
                false,
                Status.SIMPLY_ISSUED,
                request.actor());
    }

    private static @Nullable String period(String id) {
        return id.isEmpty() ? null : id;
    }

    /**
     * Returns a definition that can write the allocation. The numbers are already allocated, so an outdated definition
     * in memory must not fail the call. A definition that was read before the first number is not trusted: its format
     * may have changed since, even if both formats write the first text alike.
     */
    private Sequence writing(Sequence known, Allocation allocation) {
        if (known.isInUse() && known.texts().canWrite(allocation)) {
            return known;
        }
        Sequence present = definitions.inMemory(known.name()).orElse(known);
        if (present.texts().canWrite(allocation) && isOfIncrement(present, allocation)) {
            return present;
        }
        Sequence newest = withNewerFormat(known.name());
        if (!newest.texts().canWrite(allocation)) {
            throw olderThanLedger(newest, allocation.first());
        }
        return newest;
    }

    /** Whether the last number of an allocation is where its first number and its count put it. */
    private static boolean isOfIncrement(Sequence known, Allocation allocation) {
        return allocation.last() == known.series().last(allocation.first(), allocation.count());
    }

    /**
     * Reports a row that does not fit the increment. Only this class can check it, because a row of the ledger is read
     * without its definition.
     */
    private static StoreFailure ofAnotherIncrement(Sequence known, Allocation allocation) {
        long increment = known.fixed().increment();
        return new StoreFailure(
                        "The ledger of " + known.name()
                                + " was written by another program and cannot be read: in the row"
                                + " of the key '" + allocation.key() + "' the property last is " + allocation.last()
                                + ", which is not " + (allocation.count() - 1) + " increments of " + increment
                                + " from the property first, " + allocation.first() + ". See docs/tables.md.",
                        false,
                        null)
                .ofOneRequest();
    }

    private static ProblemException olderThanLedger(Sequence known, long number) {
        return new ProblemException(
                ProblemType.ROLLED_BACK,
                "The definition of " + known.name() + " is older than its ledger: it lacks the format of number "
                        + number + ". Restore the definition that belongs to the ledger.");
    }

    /**
     * Reads the definition again. The numbers are already allocated, so a failure is reported as
     * {@code outcome-unknown}: a problem of storage would suggest that nothing was allocated.
     */
    private Sequence withNewerFormat(SequenceName name) {
        try {
            return calls.retryLate(() -> definitions.reload(name));
        } catch (ProblemException e) {
            throw new ProblemException(
                    ProblemType.OUTCOME_UNKNOWN,
                    "The numbers of " + name + " are allocated, but the format of their texts"
                            + " could not be read. Retry with the same key to get them; numbers without a key are"
                            + " skipped. " + e.getMessage());
        }
    }
}
