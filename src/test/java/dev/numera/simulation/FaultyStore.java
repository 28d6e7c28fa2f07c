package dev.numera.simulation;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.InstanceAsk;
import dev.numera.counter.LedgerRow;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import dev.numera.definition.Change;
import dev.numera.definition.DefinitionStore;
import dev.numera.definition.StoredDefinition;
import dev.numera.problem.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The way from one process to the table, where all goes wrong that can go wrong on the way. A request takes two steps,
 * there and back, and others may act at each.
 */
final class FaultyStore implements CounterStore {
    /** What can happen to a request. */
    enum Fault {
        /** Surely not sent. */
        REFUSED,
        /** Surely not done, and not worth trying again. */
        FORBIDDEN,
        /** It never arrives, and nobody says so. */
        SWALLOWED,
        /** It is done, and the reply gets lost. */
        LOST_REPLY,
        /** It is done after its sender has given it up. */
        LATE,
        /** It is done twice, and the second answer is handed on. */
        DUPLICATED,
        /** It is done twice, the second time after the first one's answer. */
        DUPLICATED_LATE,
        /** It is done, but the answer does not tell the version. */
        WITHOUT_VERSION,
        /** The client breaks before sending. */
        BROKEN_BEFORE,
        /** The client breaks over the answer. */
        BROKEN_AFTER
    }

    /** The most treacherous ones more often. */
    private static final List<Fault> FAULTS = Stream.concat(
                    Stream.of(Fault.values()), Stream.of(Fault.LATE, Fault.LATE, Fault.LOST_REPLY, Fault.DUPLICATED))
            .toList();

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Stage stage;
    private final CounterStore table;
    private final DefinitionStore definitions;
    private final FaultPlan plan;
    private final Watcher watcher;

    /**
     * Learns of every write that was won and whose answer arrived unharmed: what it reserved has no excuse for getting
     * lost.
     */
    interface Watcher {
        /** @param before empty where the write opened the counter */
        void delivered(Optional<CounterState> before, CounterState after);
    }

    FaultyStore(Stage stage, CounterStore table, DefinitionStore definitions, FaultPlan plan, Watcher watcher) {
        this.stage = stage;
        this.table = table;
        this.definitions = definitions;
        this.plan = plan;
        this.watcher = watcher;
    }

    /** How often requests go wrong, and how often they have. */
    static final class FaultPlan {
        private final double probability;
        private boolean isOver;
        private int seen;
        private boolean hasDuplicated;
        private boolean hasBroken;

        FaultPlan(double probability) {
            this.probability = probability;
        }

        void end() {
            isOver = true;
        }

        int seen() {
            return seen;
        }

        /** Whether a request was done twice: its second refusal can hide that it was won. */
        boolean hasDuplicated() {
            return hasDuplicated;
        }

        /** Whether an exception of no meaning was thrown. */
        boolean hasBroken() {
            return hasBroken;
        }

        private Fault next(Stage stage) {
            if (isOver || !stage.chance(probability)) {
                return null;
            }
            seen++;
            Fault fault = FAULTS.get(stage.random().nextInt(FAULTS.size()));
            hasDuplicated |= fault == Fault.DUPLICATED;
            hasBroken |= fault == Fault.BROKEN_BEFORE || fault == Fault.BROKEN_AFTER;
            return fault;
        }
    }

    @Override
    public Optional<Versioned> read(CounterId id) {
        return ask("read", () -> table.read(id));
    }

    @Override
    public Map<String, Answer<Outcome.Allocation>> find(
            SequenceName sequence, Collection<String> keys, Duration atMost) {
        return ask("find " + keys, () -> table.find(sequence, keys, atMost));
    }

    @Override
    public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        return ask("read rows from " + number, () -> table.rowsFrom(id, number, limit));
    }

    @Override
    public List<InstanceAsk.Posted> openAsks(CounterId id) {
        return ask("look for asks", () -> table.openAsks(id));
    }

    @Override
    public void removeOldAsks(CounterId id) {
        table.removeOldAsks(id);
    }

    @Override
    public Optional<InstanceAsk.Posted> findAsk(CounterId id, String process) {
        return ask("look at own ask", () -> table.findAsk(id, process));
    }

    @Override
    public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
        String what =
                state + " ask of " + ask.process() + " for " + ask.requests().size() + " at " + version;
        return tell(what, () -> table.post(id, ask, state, version));
    }

    StoredDefinition definition(SequenceName name) {
        return ask("read definition", () -> definitions.find(name)).orElseThrow();
    }

    WriteResult replace(StoredDefinition changed, Change change) {
        return tell("change to " + summary(changed), () -> definitions.replace(changed, change));
    }

    @Override
    public WriteResult write(CounterWrite write) {
        AtomicReference<Optional<CounterState>> before = new AtomicReference<>();
        String what =
                (write.opens() ? "open" : "write") + " next " + write.state().next() + " at " + write.version()
                        + (write.marksDefinition() ? " under " + write.definitionVersion() : "");
        WriteResult answer = tell(what, () -> {
            before.compareAndSet(null, table.read(write.id()).map(Versioned::state));
            return table.write(write);
        });
        if (answer instanceof WriteResult.Won won && won.version() != null) {
            watcher.delivered(before.get(), write.state());
        }
        return answer;
    }

    private <T> T ask(String what, Supplier<T> request) {
        stage.step();
        Fault fault = plan.next(stage);
        stage.note(() -> what + (fault == null ? "" : ": " + fault));
        if (fault == null) {
            T answer = request.get();
            stage.step();
            stage.note(() -> what + " answered"
                    + (answer instanceof Optional<?> found
                            ? found.map(FaultyStore::summary).orElse(" none")
                            : ""));
            return answer;
        }
        switch (fault) {
            case FORBIDDEN -> throw forbidden();
            case BROKEN_BEFORE, BROKEN_AFTER -> throw broken();
            case REFUSED -> stage.step();
            default -> stage.sleep(TIMEOUT);
        }
        throw passing();
    }

    private WriteResult tell(String what, Supplier<WriteResult> request) {
        try {
            stage.step();
        } catch (Stage.Killed e) {
            // It was on its way already.
            if (stage.chance(0.5)) {
                stage.later(request::get);
            }
            throw e;
        }
        Fault fault = plan.next(stage);
        stage.note(() -> what + (fault == null ? "" : ": " + fault));
        WriteResult answer = fault == null ? request.get() : answer(fault, request);
        stage.step();
        stage.note(() -> what + " gave " + answer);
        return answer;
    }

    private WriteResult answer(Fault fault, Supplier<WriteResult> request) {
        switch (fault) {
            case REFUSED -> {
                stage.step();
                throw passing();
            }
            case FORBIDDEN -> throw forbidden();
            case SWALLOWED -> {}
            case LOST_REPLY -> request.get();
            case LATE -> stage.later(request::get);
            case DUPLICATED -> {
                request.get();
                stage.step();
                return request.get();
            }
            case DUPLICATED_LATE -> {
                stage.later(request::get);
                return request.get();
            }
            case WITHOUT_VERSION -> {
                return request.get() instanceof WriteResult.Lost lost ? lost : new WriteResult.Won(null);
            }
            case BROKEN_BEFORE -> throw broken();
            case BROKEN_AFTER -> {
                request.get();
                throw broken();
            }
        }
        if (stage.chance(0.5)) {
            stage.sleep(TIMEOUT);
        }
        return new WriteResult.Unknown(passing());
    }

    /** Without the operation id, which no seed decides. */
    private static String summary(Object found) {
        if (found instanceof StoredDefinition stored) {
            return " " + stored.definition().series() + (stored.isInUse() ? ", in use, at " : " at ")
                    + stored.version();
        }
        if (found instanceof InstanceAsk.Posted posted) {
            return " " + posted.state() + " at " + posted.version();
        }
        Versioned counter = (Versioned) found;
        return " next " + counter.state().next() + ", epoch " + counter.state().epoch() + " at " + counter.version();
    }

    private Error broken() {
        return new LinkageError("The client broke.");
    }

    private static StoreFailure passing() {
        return new StoreFailure("No answer.", true, null);
    }

    private static StoreFailure forbidden() {
        return new StoreFailure("Forbidden.", false, null);
    }
}
