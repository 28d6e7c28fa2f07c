package dev.numera.simulation;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.maintain.history.KeyStatus;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedCall.Purpose;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.maintain.history.ObservedStatusChange;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A caller of one instance, which sends calls until the run has seen enough and records every answer. */
final class Client {
    /** Everything that the callers of a run share. */
    record World(
            Scenario scenario,
            Scheduler scheduler,
            Faults faults,
            CallLog history,
            MemoryCounterStore table,
            CounterId counter,
            Problems problems) {
        Series series() {
            return table.find(counter.sequence()).orElseThrow().definition().series();
        }
    }

    static final LocalDate TODAY = LocalDate.of(2026, 11, 21);

    private static final Instant IMPORTED_AT = Instant.parse("2026-11-21T09:00:00Z");
    /** A count that is sent with known keys by mistake. No key is first sent with it. */
    private static final int WRONG_COUNT = 9;

    private static final int LONGEST_LIST = 98;
    private static final int REASONS = 2;

    private final World world;
    private final Scenario scenario;
    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final CallLog history;
    private final SimulatedInstance instance;
    private boolean isAtRest;
    private boolean isTurnedAway;

    Client(World world, SimulatedInstance instance) {
        this.world = world;
        this.scenario = world.scenario();
        this.scheduler = world.scheduler();
        this.random = scheduler.random();
        this.history = world.history();
        this.instance = instance;
    }

    void callUntil(BooleanSupplier isEnough) {
        if (scenario.isOwned()) {
            scheduler.sleep(Duration.ofNanos(random.nextInt(10_000_000)));
        }
        while (!isEnough.getAsBoolean()) {
            call();
            pauseAwhile();
        }
    }

    /** Sends one call that must succeed, because nothing fails any more. */
    void callAtRest() {
        isAtRest = true;
        allocate(List.of(newKeyOrNone()));
    }

    private void call() {
        double what = random.nextDouble();
        what -= scenario.advances();
        if (what < 0) {
            advance();
            return;
        }
        what -= scenario.skips();
        if (what < 0) {
            skip();
            return;
        }
        what -= scenario.imports();
        if (what < 0) {
            importSome();
            return;
        }
        what -= scenario.statuses();
        if (what < 0 && !history.keys().isEmpty()) {
            changeStatus();
            return;
        }
        allocate(requests());
    }

    private void pauseAwhile() {
        if (scenario.isCached() && scheduler.chance(0.05)) {
            scheduler.sleep(Duration.ofMillis(random.nextInt(40_000)));
        } else if (isTurnedAway || scheduler.chance(scenario.idling())) {
            scheduler.sleep(Duration.ofNanos(random.nextInt(5_000_000)));
        }
    }

    private List<NumberRequest> requests() {
        if (scenario.isCached()) {
            int cacheSize = scenario.definition().cacheSize();
            return List.of(take(null, scheduler.chance(0.8) ? 1 : 1 + random.nextInt(2 * cacheSize), date()));
        }
        LocalDate date = date();
        if (scheduler.chance(scenario.lists())) {
            return IntStream.range(0, 1 + random.nextInt(LONGEST_LIST))
                    .mapToObj(ordinal -> take(history.newKey(1), 1, date))
                    .toList();
        }
        int size = scheduler.chance(0.8) ? 1 : 2 + random.nextInt(4);
        return IntStream.range(0, size).mapToObj(ordinal -> request(date)).toList();
    }

    private NumberRequest request(LocalDate date) {
        List<String> keys = history.keys();
        if (!keys.isEmpty() && scheduler.chance(scenario.replays())) {
            String known = keys.get(random.nextInt(keys.size()));
            boolean isMistaken = scheduler.chance(0.05);
            if (isMistaken) {
                history.askedWrongly().add(known);
            }
            return take(known, isMistaken ? WRONG_COUNT : history.count(known), date);
        }
        return newKeyOrNone(date);
    }

    private NumberRequest newKeyOrNone() {
        return newKeyOrNone(date());
    }

    private NumberRequest newKeyOrNone(LocalDate date) {
        int count = scheduler.chance(0.7) ? 1 : 1 + random.nextInt(4);
        boolean isKeyed =
                switch (scenario.definition().fixed().guarantee()) {
                    case STRICT -> scheduler.chance(0.5);
                    case GAPLESS -> true;
                    default -> false;
                };
        return take(isKeyed ? history.newKey(count) : null, count, date);
    }

    private static NumberRequest take(String key, int count, LocalDate date) {
        return new NumberRequest(key, count, date, isReserved(key));
    }

    /** Whether a request with this key reserves its numbers: every third key does, whichever client sends it. */
    static boolean isReserved(String key) {
        return key != null && key.hashCode() % 3 == 0;
    }

    /**
     * Returns a date for a request, or null for today. At rest it is the latest possible date, which is never refused.
     */
    private LocalDate date() {
        if (!scenario.isDated()) {
            return scheduler.chance(0.5) ? TODAY : null;
        }
        return isAtRest ? TODAY.plusDays(1) : TODAY.plusDays(random.nextInt(5) / 2 - 1);
    }

    private void allocate(List<NumberRequest> requests) {
        scheduler.trace(() -> "asks for " + requests);
        long startNanos = scheduler.nanos();
        long startTick = scheduler.tick();
        int list = history.newList();
        List<Returned> returneds = Collections.nCopies(requests.size(), Returned.NOTHING);
        try {
            returneds = answers(requests);
        } finally {
            long answeredTick = scheduler.tick();
            for (int ordinal = 0; ordinal < requests.size(); ordinal++) {
                NumberRequest request = requests.get(ordinal);
                record(
                        request.key(),
                        request.count(),
                        isReserved(request.key()) ? Purpose.RESERVATION : Purpose.NUMBERS,
                        startTick,
                        answeredTick,
                        startNanos,
                        list,
                        returneds.get(ordinal));
            }
        }
    }

    /** An answer to a caller. */
    private record Returned(ObservedOutcome outcome, PrintedAllocation printed) {
        static final Returned NOTHING = new Returned(new NoNumbers(NoNumbers.NO_ANSWER), null);

        static Returned of(PrintedAllocation printed) {
            return new Returned(
                    new ObservedOutcome.Allocated(
                            printed.first(),
                            printed.last(),
                            printed.count(),
                            printed.increment(),
                            printed.replayed(),
                            printed.key() == null ? null : observed(printed.status())),
                    printed);
        }

        static Returned of(String problem) {
            return new Returned(new NoNumbers(problem), null);
        }
    }

    private void record(
            String key,
            int count,
            Purpose purpose,
            long startTick,
            long answeredTick,
            long startNanos,
            int list,
            Returned results) {
        scheduler.trace(
                () -> "got " + results.outcome + (results.printed == null ? "" : " " + results.printed.texts()));
        ObservedCall call =
                new ObservedCall(instance.name(), "", startTick, answeredTick, key, count, results.outcome, purpose);
        history.add(new CallLog.TimedCall(call, startNanos, list, results.printed));
    }

    private List<Returned> answers(List<NumberRequest> requests) {
        isTurnedAway = false;
        try {
            List<Result<PrintedAllocation>> answers = alive(() -> instance.sequences()
                            .allocator()
                            .next(world.counter().sequence(), requests))
                    .results();
            List<Returned> returneds = new ArrayList<>();
            for (int ordinal = 0; ordinal < requests.size(); ordinal++) {
                Result<PrintedAllocation> result = answers.get(ordinal);
                returneds.add(
                        result.isRefused()
                                ? refused(result.refusal(), requests.get(ordinal))
                                : Returned.of(result.orThrow()));
            }
            return returneds;
        } catch (ProblemException e) {
            return requests.stream().map(request -> refused(e, request)).toList();
        } catch (IllegalStateException | LinkageError e) {
            world.problems().requireBroken(e);
            return Collections.nCopies(requests.size(), Returned.NOTHING);
        }
    }

    private Returned refused(ProblemException problem, NumberRequest request) {
        if (problem.type() == ProblemType.KEY_VOID) {
            Map<?, ?> allocation = (Map<?, ?>) problem.members().get("allocation");
            return Returned.of(new PrintedAllocation(
                    request.key(),
                    (long) allocation.get("first"),
                    (long) allocation.get("last"),
                    (int) allocation.get("count"),
                    (long) allocation.get("increment"),
                    texts(allocation),
                    null,
                    null,
                    true,
                    new Status(Status.Kind.VOID, (String) allocation.get("reason"), null, null),
                    null));
        }
        isTurnedAway = problem.type() == ProblemType.OVERLOADED;
        world.problems().requireExplained(problem, history.askedWrongly().contains(request.key()));
        return Returned.of(world.problems().consumption(problem));
    }

    private static List<String> texts(Map<?, ?> allocation) {
        return allocation.get("texts") instanceof List<?> texts
                ? texts.stream().map(String.class::cast).toList()
                : null;
    }

    private void advance() {
        Series series = world.series();
        long next = world.table()
                .read(world.counter())
                .map(counter -> counter.value().next())
                .orElse(series.start());
        long target = next + series.increment() * random.nextInt(6);
        move("advance to " + target, () -> history.moves()
                .add(moved(instance.sequences()
                        .moves()
                        .advance(world.counter().sequence(), target, TODAY, ChangeNote.NONE)
                        .next())));
    }

    private void skip() {
        int numbers = random.nextInt(3);
        move("skip " + numbers, () -> instance.sequences()
                .maintenance()
                .skipAll(numbers, ChangeNote.NONE, (name, move) -> history.moves()
                        .add(moved(move.next()))));
    }

    private CallLog.Moved moved(long next) {
        requireAlive();
        scheduler.trace(() -> "moved to " + next);
        return new CallLog.Moved(scheduler.tick(), scheduler.nanos(), next);
    }

    private void move(String what, Runnable call) {
        scheduler.trace(() -> "asks for " + what);
        try {
            call.run();
        } catch (ProblemException e) {
            requireAlive();
            scheduler.trace(() -> "got " + e.type());
            world.problems().requireExplained(e, false);
        } catch (IllegalStateException | LinkageError e) {
            requireAlive();
            world.problems().requireBroken(e);
        }
    }

    /** Imports a few numbers around the next one, or far away from it. Some keys and numbers repeat earlier ones. */
    private void importSome() {
        Series series = world.series();
        long next = world.table()
                .read(world.counter())
                .map(counter -> counter.value().next())
                .orElse(series.start());
        List<ImportedNumber> rows = new ArrayList<>();
        long number = scheduler.chance(0.3)
                ? series.start() + series.increment() * (random.nextInt(40) - 20)
                : next + series.increment() * (random.nextInt(10) - 5);
        for (int row = random.nextInt(4); row >= 0; row--) {
            if (series.contains(number)) {
                rows.add(old("old " + random.nextInt(40), number));
            }
            number += series.increment() * (1 + random.nextInt(3));
        }
        if (!rows.isEmpty()) {
            importAll(rows, Change.imported("import-" + history.newImport(), IMPORTED_AT, null));
        }
    }

    private ImportedNumber old(String key, long number) {
        Status.Kind status = isReserved(key)
                ? Status.Kind.RESERVED
                : key.hashCode() % 3 == 1 ? Status.Kind.VOID : Status.Kind.ISSUED;
        if (status == Status.Kind.VOID) {
            history.importedAsVoid().add(key);
        }
        return new ImportedNumber(
                key, number, null, TODAY.minusDays(1), status, status == Status.Kind.VOID ? "imported" : null);
    }

    private void importAll(List<ImportedNumber> rows, Change note) {
        scheduler.trace(() -> "imports " + rows);
        long startNanos = scheduler.nanos();
        long startTick = scheduler.tick();
        int list = history.newList();
        List<Returned> returneds = Collections.nCopies(rows.size(), Returned.NOTHING);
        try {
            returneds = imported(rows, note);
        } finally {
            long answeredTick = scheduler.tick();
            for (int row = 0; row < rows.size(); row++) {
                record(
                        rows.get(row).key(),
                        1,
                        Purpose.IMPORT,
                        startTick,
                        answeredTick,
                        startNanos,
                        list,
                        returneds.get(row));
            }
        }
    }

    private List<Returned> imported(List<ImportedNumber> rows, Change note) {
        try {
            return alive(() -> instance.sequences()
                            .imports()
                            .importNumbers(world.counter().sequence(), rows, note))
                    .stream()
                    .map(this::imported)
                    .toList();
        } catch (ProblemException e) {
            world.problems().requireExplained(e, false);
            // The import takes several writes, and some of them may have been won.
            return Collections.nCopies(rows.size(), Returned.of(ProblemType.OUTCOME_UNKNOWN.urn()));
        } catch (IllegalStateException | LinkageError e) {
            world.problems().requireBroken(e);
            return Collections.nCopies(rows.size(), Returned.NOTHING);
        }
    }

    private Returned imported(Result<PrintedAllocation> result) {
        if (result.isRefused()) {
            world.problems().requireExplainsRow(result.refusal());
            return Returned.of(result.refusal().type().urn());
        }
        return Returned.of(result.orThrow());
    }

    private void changeStatus() {
        String key = history.keys().get(random.nextInt(history.keys().size()));
        Status.Kind wanted = scheduler.chance(0.5) ? Status.Kind.ISSUED : Status.Kind.VOID;
        String reason = wanted == Status.Kind.VOID ? "reason " + random.nextInt(REASONS) : null;
        scheduler.trace(() -> "makes " + key + " " + wanted + " " + reason);
        long startTick = scheduler.tick();
        ProblemType problem = ProblemType.OUTCOME_UNKNOWN;
        KeyStatus answered = null;
        try {
            answered = observed(alive(() -> reason == null
                            ? UnsentStatusChanges.issue(
                                    instance.sequences().statusChanges(),
                                    world.counter().sequence(),
                                    key,
                                    null)
                            : UnsentStatusChanges.makeVoid(
                                    instance.sequences().statusChanges(),
                                    world.counter().sequence(),
                                    key,
                                    reason,
                                    null))
                    .status());
            problem = null;
        } catch (ProblemException e) {
            problem = e.type();
            world.problems().requireExplainsStatus(e);
        } catch (IllegalStateException | LinkageError e) {
            world.problems().requireBroken(e);
        } finally {
            record(key, new KeyStatus(kindOf(wanted), reason), startTick, answered, problem);
        }
    }

    private void record(String key, KeyStatus wanted, long startTick, KeyStatus answered, ProblemType problem) {
        scheduler.trace(() -> "got " + (problem == null ? "it" : problem));
        // The refusal of a second copy may hide that the first copy was done. These two problems exclude that, because
        // they come from the key's row.
        boolean mayHaveChanged =
                problem != null && problem != ProblemType.UNKNOWN_KEY && problem != ProblemType.STATUS_FINAL;
        history.statusCalls()
                .add(new ObservedStatusChange(
                        instance.name(),
                        "",
                        startTick,
                        scheduler.tick(),
                        key,
                        wanted,
                        answered,
                        problem == null ? null : EnumWord.of(problem),
                        mayHaveChanged));
    }

    static KeyStatus observed(Status status) {
        return new KeyStatus(kindOf(status.kind()), status.reason());
    }

    private static KeyStatus.Kind kindOf(Status.Kind kind) {
        return KeyStatus.Kind.valueOf(kind.name());
    }

    /**
     * Returns the answer of a call. Ends the client instead if its process has died, because the answer cannot arrive.
     */
    private <T> T alive(Supplier<T> call) {
        try {
            return call.get();
        } finally {
            requireAlive();
        }
    }

    private void requireAlive() {
        if (scheduler.isKilled(instance.name())) {
            throw new Scheduler.Killed();
        }
    }
}
