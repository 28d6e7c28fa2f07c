package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.azure.StorageAccount;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.maintain.history.History;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.sequences.definition.DefinitionEditor;
import dev.numera.sequences.definition.Precondition;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every fault, for every kind of request, at the first, second and third request of this kind and at all three in a
 * row, under each guarantee.
 *
 * <p>A cell of the sweep is one of these combinations. Each cell has two instances with two callers each and three new
 * sequences. The callers create the sequences and take numbers; the first sequence is advanced, the second one retired,
 * revived and changed, and the third one starts a second period; then they take more numbers. Many cells run at once,
 * each with its own sequences and proxy, because most of the time is spent on waiting for timeouts.
 */
@Tag("long")
class FaultSweepIT {
    private static final int CELLS_AT_ONCE = 8;
    private static final int CALLERS = 4;
    private static final int ROUNDS = 5;
    private static final int TRIES_WITH_A_KEY = 10;
    private static final int TRIES_OF_THE_OWNER = 10;
    private static final long ADVANCED_TO = 40;
    private static final List<RequestKind> KINDS =
            List.of(RequestKind.READ, RequestKind.CONDITIONAL_WRITE, RequestKind.INSERT, RequestKind.TRANSACTION);
    private static final String A_PEER_REQUEST = "RowKey='peer";
    private static final List<Met> MEETINGS = List.of(new Met(1, 1), new Met(2, 2), new Met(3, 3), new Met(1, 3));

    private static final DefinitionDraft ANOTHER_SIZE = DefinitionDraft.EMPTY.with(DefinitionField.CACHE_SIZE, 3);

    private static final RawTables TABLES = new RawTables(SharedAzurite.connectionString());
    private static final LocalDate FIRST_DAY = LocalDate.of(2026, 11, 21);
    private static final Map<Promise, SequenceName> TEMPLATES = new EnumMap<>(Promise.class);
    private static final Map<Promise, SequenceName> DAILY_TEMPLATES = new EnumMap<>(Promise.class);
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();
    private static final AtomicInteger CELLS_WITH_PEER_REQUESTS = new AtomicInteger();

    /** The requests of the kind that meet the fault. */
    private record Met(int first, int last) {}

    private record Cell(Promise promise, Fault fault, RequestKind kind, Met met) {
        Nth nth() {
            return new Nth(Set.of(kind), "", met.first(), met.last());
        }

        SequenceName sequence(String which, SequenceName template) {
            String scope = promise + "." + fault + "." + kind + "." + met.first() + "." + met.last() + "." + which;
            return new SequenceName(scope.replaceAll("[^A-Za-z0-9.]", ""), template.name());
        }
    }

    /**
     * A proxy with two storage accounts behind it. One cell after another uses it, because clients are costly to
     * create.
     */
    private record Station(FaultProxy proxy, List<StorageAccount> accounts) {
        static Station open() {
            FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
            return new Station(
                    proxy,
                    List.of(Instance.account(proxy.connectionString()), Instance.account(proxy.connectionString())));
        }
    }

    @BeforeAll
    static void defineTemplates() {
        Instance owner = Instance.patient(SharedAzurite.connectionString());
        for (Promise promise : Promise.values()) {
            TEMPLATES.put(promise, promise.defineTemplate(owner, "sweep", 4));
            DAILY_TEMPLATES.put(promise, promise.defineTemplate(owner, "sweep-daily", 4, ResetEvery.DAY));
        }
    }

    @AfterAll
    static void endThreads() {
        THREADS.shutdown();
    }

    /**
     * Runs one of fifteen cells: every fault with every kind, while the positions and guarantees take turns. Set
     * {@code -Dsweep=5} for most positions, 3 for every position, and 1 for all cells.
     */
    @Test
    void everyFaultKeepsEveryPromise() throws Exception {
        requireAllKept(oneOf(Integer.getInteger("sweep", 15)));
    }

    private static List<Cell> oneOf(int step) {
        List<Cell> all = cells();
        return IntStream.iterate(0, index -> index < all.size(), index -> index + step)
                .mapToObj(all::get)
                .toList();
    }

    private static List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (Fault fault : Fault.all(Instance.STORAGE_TIMEOUT)) {
            for (RequestKind kind : KINDS) {
                for (Met met : MEETINGS) {
                    Stream.of(Promise.values()).forEach(promise -> cells.add(new Cell(promise, fault, kind, met)));
                }
            }
        }
        return cells;
    }

    private static void requireAllKept(List<Cell> cells) throws Exception {
        BlockingQueue<Station> stations = new LinkedBlockingQueue<>(
                Stream.generate(Station::open).limit(CELLS_AT_ONCE).toList());
        ExecutorService cellsAtOnce = Executors.newFixedThreadPool(CELLS_AT_ONCE);
        Map<Cell, Future<?>> running = new LinkedHashMap<>();
        cells.forEach(cell -> running.put(cell, cellsAtOnce.submit(() -> {
            Station station = stations.take();
            try {
                live(cell, station);
            } finally {
                stations.add(station);
            }
            return null;
        })));
        cellsAtOnce.shutdown();
        StringBuilder broken = new StringBuilder();
        for (Map.Entry<Cell, Future<?>> entry : running.entrySet()) {
            try {
                entry.getValue().get();
            } catch (ExecutionException e) {
                broken.append('\n').append(entry.getKey()).append(": ").append(e.getCause());
            }
        }
        stations.forEach(station -> station.proxy().close());
        assertTrue(broken.isEmpty(), broken::toString);
        assertTrue(
                CELLS_WITH_PEER_REQUESTS.get() > cells.size() / 2,
                () -> "One instance requested numbers of the other in " + CELLS_WITH_PEER_REQUESTS + " of "
                        + cells.size() + " cells");
    }

    private static void live(Cell cell, Station station) throws Exception {
        FaultProxy proxy = station.proxy();
        List<Instance> instances = List.of(
                Instance.over("a", station.accounts().get(0), Instance.REQUESTING, Clock.SYSTEM),
                Instance.over("b", station.accounts().get(1), Instance.REQUESTING, Clock.SYSTEM));
        List<Life> lives = new ArrayList<>();
        try {
            proxy.traffic().forget();
            proxy.inject(cell.fault(), cell.nth());
            // While a machine is cold, most calls may time out before they have sent as many requests of the kind.
            for (int round = 1; round <= ROUNDS && !hasMet(proxy, cell.fault()); round++) {
                lives.addAll(play(cell, round, instances));
            }
            assertTrue(hasMet(proxy, cell.fault()), "no request met the fault");
            if (proxy.traffic().received().stream()
                    .anyMatch(request -> request.target().contains(A_PEER_REQUEST))) {
                CELLS_WITH_PEER_REQUESTS.incrementAndGet();
            }
        } finally {
            proxy.heal();
        }
        for (Life life : lives) {
            life.requireNumbers("3");
        }
        proxy.awaitLateWrites();
        for (Life life : lives) {
            life.requireNumbers("4");
            life.requireKept();
        }
        // The emulator searches all rows of a table for each query, and peer requests are queried with each write.
        lives.stream().map(Life::sequence).distinct().forEach(TABLES::empty);
    }

    private static boolean hasMet(FaultProxy proxy, Fault fault) {
        return proxy.traffic().faults().containsKey(fault.name());
    }

    /** Plays with three new sequences. */
    private static List<Life> play(Cell cell, int round, List<Instance> instances) throws Exception {
        SequenceName template = TEMPLATES.get(cell.promise());
        SequenceName daily = cell.sequence("c" + round, DAILY_TEMPLATES.get(cell.promise()));
        Life advanced = new Life(cell, cell.sequence("a" + round, template), null, instances);
        Life retired = new Life(cell, cell.sequence("b" + round, template), null, instances);
        Life firstDay = new Life(cell, daily, FIRST_DAY, instances);
        Life secondDay = new Life(cell, daily, FIRST_DAY.plusDays(1), instances);
        advanced.takeNumbers("1");
        advanced.advance();
        advanced.takeNumbers("2");
        retired.takeNumbers("1");
        retired.retireAndRevive();
        retired.change();
        retired.takeNumbers("2");
        firstDay.takeNumbers("1");
        secondDay.takeNumbers("1");
        return List.of(advanced, retired, firstDay, secondDay);
    }

    /** The calls for one sequence, or for one day of it, in one cell. */
    private record Life(Cell cell, SequenceName sequence, LocalDate date, List<Instance> instances, History history) {
        Life(Cell cell, SequenceName sequence, LocalDate date, List<Instance> instances) {
            this(cell, sequence, date, instances, new History());
        }

        void takeNumbers(String phase) throws Exception {
            List<Callable<Void>> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                Instance instance = instances.get(caller % instances.size());
                String name = "caller-" + caller;
                callers.add(() -> {
                    takeNumbers(instance, name, phase + "-of-all-on-" + date);
                    takeNumbers(instance, name, phase + "-of-" + name + "-on-" + date);
                    return null;
                });
            }
            for (Future<Void> caller : THREADS.invokeAll(callers)) {
                caller.get();
            }
        }

        private void takeNumbers(Instance instance, String caller, String key) {
            if (!cell.promise().hasKeys()) {
                Instance.requireClear(instance.next(history, caller, sequence, null, 1, date));
                return;
            }
            for (int attempt = 1; attempt <= TRIES_WITH_A_KEY; attempt++) {
                ObservedOutcome outcome = instance.next(history, caller, sequence, key, 2, date);
                if (outcome instanceof ObservedOutcome.Allocated) {
                    return;
                }
                Instance.requireClear(outcome);
            }
        }

        void requireNumbers(String phase) {
            for (Instance instance : instances) {
                String key = cell.promise().hasKeys() ? phase + "-of-" + instance.name() + "-on-" + date : null;
                instance.requireNumbers(() -> instance.next(history, "last", sequence, key, 1, date));
            }
        }

        void advance() {
            insist(() -> instances.get(0).sequences().moves().advance(sequence, ADVANCED_TO, null, ChangeNote.NONE));
        }

        void retireAndRevive() {
            insist(() ->
                    instances.get(0).sequences().lifecycle().retire(sequence, Precondition.PRESENT, ChangeNote.NONE));
            insist(() -> {
                DefinitionEditor owner = instances.get(0).sequences().editor();
                Definition unchanged = owner.get(sequence).definition();
                owner.put(sequence, DefinitionDraft.of(unchanged), Precondition.ABSENT, ChangeNote.NONE);
            });
        }

        void change() {
            insist(() -> instances
                    .get(0)
                    .sequences()
                    .editor()
                    .patch(sequence, ANOTHER_SIZE, Precondition.PRESENT, ChangeNote.NONE));
        }

        void requireKept() {
            List<ObservedCall> calls = history.calls();
            cell.promise().requireKept(calls, sequence, date == null ? "" : date.toString(), TABLES);
        }

        /**
         * Repeats a change as an owner would. A precondition that fails at a repetition means that an earlier attempt
         * was done, and an unknown sequence means that no call has created it yet.
         */
        private void insist(Runnable act) {
            for (int attempt = 1; attempt <= TRIES_OF_THE_OWNER; attempt++) {
                try {
                    act.run();
                    return;
                } catch (StoreFailure e) {
                    assertTrue(e.isWorthRetrying(), e::getMessage);
                } catch (ProblemException e) {
                    boolean isSurprised = e.type() == ProblemType.PRECONDITION_FAILED;
                    if (isSurprised && attempt > 1) {
                        return;
                    }
                    if (e.type() == ProblemType.UNKNOWN_SEQUENCE) {
                        assertTrue(
                                history.calls().stream()
                                        .noneMatch(call -> call.outcome() instanceof ObservedOutcome.Allocated),
                                () -> "The owner finds no sequence, though there were numbers: " + history.calls());
                        return;
                    }
                    assertTrue(
                            isSurprised || Instance.CLEAR_PROBLEMS.contains(e.type()),
                            () -> "The owner got " + e.type() + ": " + e.getMessage());
                }
            }
        }
    }
}
