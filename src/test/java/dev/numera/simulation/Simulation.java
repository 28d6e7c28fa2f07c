package dev.numera.simulation;

import dev.numera.contract.CounterTable;
import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemType;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.ledger.LedgerStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.LongStream;

/**
 * One run: at least 3 processes, 50 requests, some failures and a crash, interleaved by the seed, and often an owner
 * that changes the definition; then a call of each process at rest. The history of all callers must keep the guarantee,
 * every caller must get numbers or a true problem, and the calls at rest must succeed.
 */
final class Simulation {
    private static final SequenceName SEQUENCE = new SequenceName("Simulation", "number");
    private static final int INSTANCES = 3;
    private static final int REQUESTS_MIN = 50;
    private static final int FAULTS_MIN = 5;
    private static final int FIRST_CRASH_STEP = 20;
    private static final int CRASH_STEPS = 250;
    private static final int LEAP_STEPS = 600;
    /** An idle period after which unchanged rows are removed and very late requests arrive. */
    private static final Duration LEAP = Duration.ofSeconds(70);

    private static final Duration QUIET_DELAY = Duration.ofMillis(100);
    private static final int CLIENTS_MIN = 2;
    private static final int MORE_CLIENTS = 3;

    private final Scheduler scheduler;
    private final Scenario scenario;
    private final Faults faults;
    private final Problems problems;
    private final CallLog history = new CallLog();
    private final MemoryCounterStore table;
    private final CounterId counter;
    private final WrongStore.Wrong wrong;
    private final List<SimulatedInstance> alive = new ArrayList<>();
    private int started;
    private boolean hasCrashed;

    /**
     * @param trace records the events; null for no records
     * @param wrong the planted bug
     */
    Simulation(long seed, Guarantee guarantee, Executor threads, Trace trace, WrongStore.Wrong wrong) {
        this.scheduler = new Scheduler(seed, threads, trace);
        this.scenario = wrong.scenario().apply(Scenario.draw(scheduler.random(), guarantee));
        this.faults = new Faults(scheduler, scenario);
        this.problems = new Problems(scenario, faults);
        this.table = new MemoryCounterStore(scheduler::nanos);
        this.counter = new CounterId(SEQUENCE, scenario.definition().fixed().isNeverReset() ? "" : "2026");
        this.wrong = wrong;
        scheduler.trace(() -> scenario.toString());
    }

    /** Runs the simulation. Throws an AssertionError that names the broken promise. */
    void run() {
        table.insert(Sequence.first(SEQUENCE, scenario.definition(), Client.TODAY), Defined.change());
        for (int ordinal = 0; ordinal < INSTANCES; ordinal++) {
            startWithClients();
        }
        Owner owner = scenario.isOwned() ? owner() : null;
        scheduler.at(FIRST_CRASH_STEP + scheduler.random().nextInt(CRASH_STEPS), this::crash);
        scheduler.pauseAtSteps(scenario.pauses());
        for (int leap = 0; leap < scenario.leaps(); leap++) {
            scheduler.leapAt(scheduler.random().nextInt(LEAP_STEPS), LEAP);
        }
        if (faults.isQuiet()) {
            scheduler.delayTasksAtMost(QUIET_DELAY);
        }
        scheduler.run();
        scheduler.pauseAtSteps(0);
        faults.end();
        if (owner != null) {
            scheduler.spawn("owner", "owner at rest", owner::finish);
            scheduler.run();
        }
        alive.forEach(this::requireServedAtRest);
        new Verdict(scenario, table, counter, history).require(owner);
    }

    private Owner owner() {
        Owner owner = new Owner(SEQUENCE, scheduler, faults, start("owner").sequences(), scenario.definition());
        scheduler.spawn("owner", "owner", owner::act);
        return owner;
    }

    private void startWithClients() {
        started++;
        SimulatedInstance instance = start("i" + started);
        alive.add(instance);
        int clients = CLIENTS_MIN + scheduler.random().nextInt(MORE_CLIENTS);
        for (int ordinal = 1; ordinal <= clients; ordinal++) {
            Client client = client(instance);
            scheduler.spawn(
                    instance.name(), instance + " client " + ordinal, () -> client.callUntil(this::hasSeenEnough));
        }
    }

    private Client client(SimulatedInstance instance) {
        return new Client(new Client.World(scenario, scheduler, faults, history, table, counter, problems), instance);
    }

    private SimulatedInstance start(String name) {
        Network network = new Network(scheduler, faults, this::delivered);
        CounterTable counters = wrong.client()
                .apply(network.to(CounterTable.class, wrong.table().apply(table)));
        SequenceStores stores = new SequenceStores(
                counters,
                counters,
                network.to(DefinitionStore.class, table),
                network.to(LedgerStore.class, table),
                () -> {
                    throw new IllegalStateException("No sequence of the simulation leases a worker.");
                });
        return SimulatedInstance.start(name, stores, scenario, scheduler, faults, wrong.counters());
    }

    private boolean hasSeenEnough() {
        return history.taken() >= REQUESTS_MIN && (!faults.isAny() || faults.seen() >= FAULTS_MIN) && hasCrashed;
    }

    private void crash() {
        SimulatedInstance victim = alive.remove(scheduler.random().nextInt(alive.size()));
        scheduler.trace(() -> victim + " crashes");
        scheduler.kill(victim.name());
        hasCrashed = true;
        startWithClients();
    }

    private void delivered(Optional<CounterState> before, CounterState after) {
        boolean isAdvanced =
                before.filter(state -> state.epoch() != after.epoch()).isPresent();
        if (!isAdvanced) {
            var series = table.find(SEQUENCE).orElseThrow().definition().series();
            LongStream.iterate(
                            before.map(CounterState::next).orElse(series.start()),
                            number -> number + series.increment())
                    .limit(Math.max(
                            0,
                            after.allocated()
                                    - before.map(CounterState::allocated).orElse(0L)))
                    .forEach(history.delivered()::add);
        }
    }

    private void requireServedAtRest(SimulatedInstance instance) {
        scheduler.spawn(
                instance.name(), instance + " at rest", () -> client(instance).callAtRest());
        scheduler.run();
        ObservedCall call = history.last().call();
        boolean isExhausted =
                call.outcome() instanceof NoNumbers failure && failure.problem().equals(ProblemType.EXHAUSTED.urn());
        if (!(call.outcome() instanceof Allocated) && !isExhausted) {
            throw new AssertionError("At rest, with all faults over, a call failed: " + call);
        }
    }
}
