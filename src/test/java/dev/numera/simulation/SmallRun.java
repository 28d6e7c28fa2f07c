package dev.numera.simulation;

import dev.numera.contract.CounterTable;
import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.catalog.Maintenance;
import dev.numera.simulation.SmallScenario.Ask;
import dev.numera.simulation.SmallScenario.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One schedule of a {@link SmallScenario}: the app without HTTP, in processes over one table, with its steps in the
 * order that a chooser decides. The history must be sound whenever all calls have ended.
 *
 * <p>A process that dies is replaced by another one, which sends the interrupted call again and then the remaining
 * calls.
 */
final class SmallRun {
    static final SequenceName SEQUENCE = new SequenceName("Small", "number");
    static final CounterId COUNTER = new CounterId(SEQUENCE, "");
    private static final String SETUP = "setup";
    private static final String OPERATOR = "operator";
    /** The time after which every process honors a suspension. */
    private static final Duration HONORED = Duration.ofSeconds(31);

    private static final int MARGIN = 20;
    private static final Instant SET_UP_AT = Instant.parse("2026-11-21T09:00:00Z");
    private static final Instant OPERATED_AT = Instant.parse("2026-11-21T10:01:00Z");

    private final SmallScenario scenario;
    private final WrongStore.Wrong wrong;
    private final Turns turns;
    private final Executor threads;
    private final PlainIds ids = new PlainIds();
    private final MemoryCounterStore table = new MemoryCounterStore();
    private final SmallHistory history = new SmallHistory();
    private final Map<String, ChosenProcess> processes = new HashMap<>();
    private final Map<String, Sequences> running = new HashMap<>();
    private final Map<String, Runnable> restarts = new HashMap<>();
    private final MemoryCounterStore.Backup copy;
    private final long allocatedBefore;

    /** @param trace records the events; null for no records */
    SmallRun(
            SmallScenario scenario,
            WrongStore.Wrong wrong,
            int faults,
            Turns.Chooser chooser,
            Executor threads,
            List<String> trace) {
        this.scenario = scenario;
        this.wrong = wrong;
        this.threads = threads;
        this.turns = new Turns(chooser, faults, threads, trace, this::requireSound);
        Sequence first = Sequence.first(SEQUENCE, scenario.definition(), Client.TODAY);
        table.insert(first, Defined.change());
        table.index(SEQUENCE, first.id());
        if (scenario.isOpen()) {
            onTable(SET_UP_AT).allocator().next(SEQUENCE, List.of(take(setUpKey())));
        }
        ids.plain(SETUP, table.contents(SEQUENCE));
        this.copy = suspendedCopy();
        this.allocatedBefore =
                table.read(COUNTER).map(counter -> counter.value().allocated()).orElse(0L);
    }

    private String setUpKey() {
        return scenario.guarantee() == Guarantee.GAPLESS ? SmallScenario.EARLIER : null;
    }

    /** Returns a backup whose sequence is suspended, like the tables after a restore. */
    private MemoryCounterStore.Backup suspendedCopy() {
        Sequence present = table.find(SEQUENCE).orElseThrow();
        table.put(present.suspended(present.suspension().maintenance(OPERATED_AT)));
        MemoryCounterStore.Backup backup = table.backup();
        table.put(present);
        return backup;
    }

    /** Returns an instance whose requests are not delayed. */
    private Sequences onTable(Instant now) {
        return TestSequences.over(table)
                .with(AutoCreate.NEVER)
                .with(TestClock.standing(now))
                .with(() -> 0.5, SmallRun::refuse)
                .start();
    }

    /** Runs the schedule. Throws an AssertionError that names the broken promise. */
    void run() {
        scenario.callers().forEach(caller -> start(caller, caller.process(), 0));
        if (scenario.isRestored()) {
            ChosenProcess operator = new ChosenProcess(OPERATOR, turns);
            processes.put(OPERATOR, operator);
            turns.spawn(operator, OPERATOR, true, this::restore);
        }
        turns.run();
    }

    /** Returns everything that decides how the run can continue. */
    Fingerprint.Bits state() {
        Fingerprint state = new Fingerprint();
        processes.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(process -> state.add(process.getKey())
                .add(process.getValue().position()));
        state.add(ids.plain(SETUP, table.contents(SEQUENCE)));
        turns.inFlight().forEach(state::add);
        return state.add(history.relations()).bits();
    }

    private void start(Caller caller, String name, int firstCall) {
        ChosenProcess process = processes.computeIfAbsent(name, missing -> new ChosenProcess(missing, turns));
        Sequences sequences = running.computeIfAbsent(name, missing -> sequences(process));
        turns.spawn(process, name(caller, name), true, () -> {
            for (int call = firstCall; call < caller.calls().size(); call++) {
                int next = call;
                restarts.put(name(caller, name), () -> start(caller, name + "'", next));
                call(process, sequences, caller.calls().get(call));
            }
            restarts.remove(name(caller, name));
        });
    }

    /** Returns the name of the caller's thread. */
    private String name(Caller caller, String process) {
        return scenario.isShared() ? process + "." + scenario.callers().indexOf(caller) : process;
    }

    private Sequences sequences(ChosenProcess process) {
        Wire wire = new Wire(turns, process, ids, scenario.isDefinitionFixed(), () -> crashed(process));
        CounterTable counters =
                wrong.client().apply(wire.to(CounterTable.class, wrong.table().apply(table)));
        Executor background = scenario.hasThreads()
                ? task -> turns.spawn(
                        process, process.name() + " thread " + process.newOrdinal(), isMereRequest(task), task)
                : SmallRun::refuse;
        return TestSequences.over(
                        new SequenceStores(counters, counters, wire.to(DefinitionStore.class, table), table, () -> {
                            throw new IllegalStateException("No sequence here leases a worker.");
                        }))
                .with(AutoCreate.NEVER)
                .with(scenario.limits())
                .with(process)
                .with(() -> 0.5, background)
                .start();
    }

    /** Whether the task does nothing before its first request to a store, as all reads in the background do. */
    private static boolean isMereRequest(Runnable task) {
        return task instanceof CompletableFuture.AsynchronousCompletionTask;
    }

    private static void refuse(Runnable task) {
        throw new RejectedExecutionException();
    }

    private void crashed(ChosenProcess process) {
        history.crashed(process.name());
        List<Map.Entry<String, Runnable>> interrupted = restarts.entrySet().stream()
                .filter(caller -> caller.getKey().equals(process.name())
                        || caller.getKey().startsWith(process.name() + "."))
                .sorted(Map.Entry.comparingByKey())
                .toList();
        interrupted.forEach(caller -> {
            restarts.remove(caller.getKey());
            caller.getValue().run();
        });
    }

    private static NumberRequest take(String key) {
        return new NumberRequest(key, 1, Client.TODAY);
    }

    private void call(ChosenProcess process, Sequences sequences, Ask ask) {
        SmallHistory.SmallCall entry = history.entry(process.name(), ask);
        if (scenario.isShared()) {
            turns.step();
            history.start(entry, turns.tick());
        } else {
            turns.onRequest(() -> history.start(entry, turns.tick()));
        }
        SmallHistory.SmallResult result = result(sequences, ask);
        turns.requireAlive();
        history.start(entry, turns.tick());
        history.answer(entry, result, turns.tick());
        turns.trace(() -> "    " + entry);
        process.observes(result.toString());
    }

    private SmallHistory.SmallResult result(Sequences sequences, Ask ask) {
        try {
            if (ask.isAdvance()) {
                return SmallHistory.SmallResult.moved(sequences
                        .moves()
                        .advance(SEQUENCE, ask.advanceTo(), null, ChangeNote.NONE)
                        .next());
            }
            PrintedAllocation printed = sequences
                    .allocator()
                    .next(SEQUENCE, List.of(take(ask.key())))
                    .results()
                    .get(0)
                    .orThrow();
            return SmallHistory.SmallResult.of(printed);
        } catch (ProblemException e) {
            return SmallHistory.SmallResult.of(e);
        }
    }

    /** Restores the table by the runbook: suspend; wait and restore; skip the margin and resume. */
    private void restore() {
        operate(() -> onTable(OPERATED_AT).maintenance().suspendAll());
        operate(() -> {
            passTime();
            table.restore(copy);
        });
        operate(() -> {
            Maintenance maintenance = onTable(OPERATED_AT.plusSeconds(60)).maintenance();
            maintenance.skipAll(MARGIN, ChangeNote.NONE, (name, moved) -> {});
            maintenance.resumeAll((name, periods) -> {});
        });
    }

    /** Runs an operator's commands in one step, because their requests are not delayed. */
    private void operate(Runnable commands) {
        turns.step();
        commands.run();
        ids.plain(OPERATOR, table.contents(SEQUENCE));
        processes.get(OPERATOR).observes("done");
    }

    private void passTime() {
        processes.values().forEach(process -> {
            process.pass(HONORED);
            process.observes("time passes");
        });
    }

    private void requireSound() {
        new SmallVerdict(scenario, table, history, allocatedBefore).require();
    }
}
