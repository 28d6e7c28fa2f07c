package dev.numera.sequence;

import dev.numera.counter.BlockCounter;
import dev.numera.execution.Clock;
import dev.numera.model.Answers;
import dev.numera.model.CounterId;
import dev.numera.model.DateLimits;
import dev.numera.model.OutdatedException;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.snowflake.LeaseCost;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers that this instance has reserved: blocks of {@code cached} sequences and ids of {@code snowflake} sequences.
 * Thread-safe; calls block for storage requests where a block or a lease has to be taken.
 */
final class NumbersInMemory {
    private final CounterReader reader;
    private final Definitions definitions;
    private final DateLimits dates;
    private final Counters counters;
    private final CounterMoves moves;
    private final NumbersFormatter formatter;
    private final SnowflakeIds snowflakes;
    private final Clock time;

    NumbersInMemory(
            CounterReader reader,
            Definitions definitions,
            DateLimits dates,
            Counters counters,
            CounterMoves moves,
            NumbersFormatter formatter,
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

    Answers<Numbers> fromBlocks(
            Sequence known, CounterId id, List<Take> takes, boolean isNew, SequenceAccess.Visit visit) {
        BlockCounter counter = counters.blocks(known, id);
        if (known.isStopped()) {
            counter.discard();
        }
        BlockCounter.Cost cost = new BlockCounter.Cost();
        List<Answer<Numbers>> answers = new ArrayList<>();
        for (Take take : allowed(known, id, takes, visit)) {
            long first = moves.orOpen(
                    known,
                    id,
                    visit,
                    () -> counter.take(take.count(), known.definition().cacheSize(), visit.deadline(), cost));
            answers.add(Answer.of(formatter.taken(formatter.present(id.sequence()), id, take, first)));
        }
        return new Answers<>(answers, isNew, cost.attempts(), cost.storageNanos());
    }

    Answers<Numbers> fromLease(
            Sequence known, CounterId id, List<Take> takes, boolean isNew, SequenceAccess.Visit visit) {
        List<Take> allowed = allowed(known, id, takes, visit);
        LeaseCost cost = new LeaseCost(time);
        Sequence usable = snowflakes.usable(known, visit.deadline(), cost).orElseThrow(OutdatedException::new);
        List<Answer<Numbers>> answers = new ArrayList<>();
        for (Take take : allowed) {
            long first = snowflakes.take(known.name(), take.count(), visit.deadline(), cost);
            answers.add(Answer.of(formatter.taken(usable, id, take, first)));
        }
        return new Answers<>(answers, isNew, cost.attempts(), cost.storageNanos());
    }

    /** Checks the dates of requests that no write plan checks. Such sequences have no order of dates. */
    private List<Take> allowed(Sequence known, CounterId id, List<Take> takes, SequenceAccess.Visit visit) {
        Instant now = time.now();
        return takes.stream()
                .map(take -> dates.dated(known, take, () -> reader.isOpening(visit, known, id), null, now)
                        .orThrow())
                .toList();
    }

    /** Forgets the definition and the blocks of a sequence, which have changed. */
    void forget(SequenceName name) {
        definitions.forget(name);
        counters.discardBlocks(name);
    }
}
