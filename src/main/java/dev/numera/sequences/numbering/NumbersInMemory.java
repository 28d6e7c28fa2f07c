package dev.numera.sequences.numbering;

import dev.numera.core.counter.BlockCounter;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.snowflake.LeaseCost;
import dev.numera.sequences.access.AllocationPrinter;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.DefinitionCache;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.access.SequenceCalls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Allocates numbers that this instance has reserved: from blocks of {@code cached} sequences, and ids of
 * {@code snowflake} sequences. Thread-safe; calls block for storage requests if the instance needs a new block or
 * lease.
 */
public final class NumbersInMemory {
    private final CounterReader reader;
    private final DefinitionCache definitions;
    private final DateLimits dates;
    private final CounterRegistry counters;
    private final CounterMoves moves;
    private final AllocationPrinter formatter;
    private final SnowflakeIds snowflakes;
    private final Clock time;

    public NumbersInMemory(
            CounterReader reader,
            DefinitionCache definitions,
            DateLimits dates,
            CounterRegistry counters,
            CounterMoves moves,
            AllocationPrinter formatter,
            SnowflakeIds snowflakes,
            Clock time) {
        this.reader = reader;
        this.definitions = definitions;
        this.dates = dates;
        this.counters = counters;
        this.moves = moves;
        this.formatter = formatter;
        this.snowflakes = snowflakes;
        this.time = time;
    }

    CallResult<PrintedAllocation> fromBlocks(
            Sequence known,
            CounterId id,
            List<NumberRequest> requests,
            boolean isNew,
            SequenceCalls.SequenceCall call) {
        BlockCounter counter = counters.blocks(known, id);
        if (known.isStopped()) {
            counter.discard();
        }
        BlockCounter.Cost cost = new BlockCounter.Cost();
        List<Result<PrintedAllocation>> results = new ArrayList<>();
        for (NumberRequest request : allowed(known, id, requests, call)) {
            long first = moves.openIfMissing(
                    known,
                    id,
                    call,
                    () -> counter.take(request.count(), known.definition().cacheSize(), call.deadline(), cost));
            results.add(Result.of(formatter.taken(formatter.present(id.sequence()), id, request, first)));
        }
        return new CallResult<>(results, isNew, cost.attempts(), cost.storageNanos());
    }

    CallResult<PrintedAllocation> fromLease(
            Sequence known,
            CounterId id,
            List<NumberRequest> requests,
            boolean isNew,
            SequenceCalls.SequenceCall call) {
        List<NumberRequest> allowed = allowed(known, id, requests, call);
        LeaseCost cost = new LeaseCost(time);
        Sequence usable =
                snowflakes.definitionInUse(known, call.deadline(), cost).orElseThrow(DefinitionChangedException::new);
        List<Result<PrintedAllocation>> results = new ArrayList<>();
        for (NumberRequest request : allowed) {
            long first = snowflakes.take(known.name(), request.count(), call.deadline(), cost);
            results.add(Result.of(formatter.taken(usable, id, request, first)));
        }
        return new CallResult<>(results, isNew, cost.attempts(), cost.storageNanos());
    }

    /**
     * Checks the dates of the requests, because no write plan does. Cached and snowflake sequences have no order of
     * dates.
     */
    private List<NumberRequest> allowed(
            Sequence known, CounterId id, List<NumberRequest> requests, SequenceCalls.SequenceCall call) {
        Instant now = time.now();
        List<NumberRequest> allowed = new ArrayList<>();
        for (NumberRequest request : requests) {
            allowed.add(dates.dated(known, request, () -> reader.isOpening(call, known, id), null, now)
                    .orThrow());
        }
        return allowed;
    }

    /** Discards the cached definition and the blocks of a sequence after its definition has changed. */
    public void forget(SequenceName name) {
        definitions.forget(name);
        counters.discardBlocks(name);
    }
}
