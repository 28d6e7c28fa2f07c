package dev.numera.simulation;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.counter.Answers;
import dev.numera.counter.Backoff;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.CounterState;
import dev.numera.counter.Guarantee;
import dev.numera.counter.ImportNote;
import dev.numera.counter.KeyStatus;
import dev.numera.counter.LedgerRow;
import dev.numera.counter.Outcome.Advanced;
import dev.numera.counter.Outcome.Allocation;
import dev.numera.counter.Request;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Series;
import dev.numera.definition.DateOrder;
import dev.numera.definition.Definition;
import dev.numera.fixtures.history.Call;
import dev.numera.fixtures.history.HistoryChecker;
import dev.numera.fixtures.history.LedgerEntry;
import dev.numera.fixtures.history.Outcome;
import dev.numera.fixtures.history.Outcome.Failure;
import dev.numera.fixtures.history.Outcome.Numbers;
import dev.numera.format.ResetEvery;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.LedgerStore;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One run: at least 3 instances, 50 requests, 5 faults and a crash, interleaved as the seed says, and often an owner
 * who changes the definition until the first number; then a call of each instance at rest. Whatever happened, the
 * history of all callers must keep the guarantee under the definition that won, every caller must have been told
 * numbers or a clear problem, and the calls at rest must succeed.
 */
final class Simulation {
    private static final SequenceName SEQUENCE = new SequenceName("Simulation", "number");
    private static final int INSTANCES = 3;
    private static final double OWNED = 0.6;
    private static final double DATED = 0.3;
    private static final int REQUESTS_MIN = 50;
    private static final int FAULTS_MIN = 5;
    private static final int FIRST_CRASH_STEP = 20;
    private static final int CRASH_STEPS = 250;
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    /** A known key may be asked for with this count by mistake; no key is first asked for with it. */
    private static final int WRONG_COUNT = 9;

    private static final Duration UNCHECKED_BLOCK = Duration.ofSeconds(30);

    /** To the checker contention may have consumed numbers; here it must not have. */
    private static final String SURELY_LOST = "surely-lost";

    /** Where an advance had got when its caller was answered. */
    private record Moved(long answeredTick, long answeredNanos, long next) {}

    /** An allocation without a key that says when, by the virtual clock, it was asked for. */
    private record Asked(Call call, long askedNanos) {}

    private final Guarantee guarantee;
    private final Stage stage;
    private final SplittableRandom random;
    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Series first;
    private final CounterId id;
    private final CounterLimits limits;
    private final int blockSize;
    private final FaultyStore.FaultPlan faults;
    private final WrongStore.Wrong wrong;
    private final List<Instance> alive = new ArrayList<>();
    private final List<Asked> calls = new ArrayList<>();
    private final List<Moved> moves = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final Map<String, Integer> countByKey = new HashMap<>();
    private final Set<String> askedWrongly = new HashSet<>();
    private final Set<Long> delivered = new HashSet<>();
    private Owner owner;
    private int instances;
    private int imports;
    /** Requests that were not turned away. */
    private int taken;

    private boolean hasCrashed;
    /** Whether numbers are in the order of dates. */
    private final boolean isDated;

    private boolean isAtRest;

    /**
     * @param trace what happens is noted there; null for no notes
     * @param wrong what is wrong on purpose
     */
    Simulation(long seed, Guarantee guarantee, Executor threads, List<String> trace, WrongStore.Wrong wrong) {
        this.guarantee = guarantee;
        this.wrong = wrong;
        this.stage = new Stage(seed, threads, trace);
        this.random = stage.random();
        this.first = anyOf(
                new Series(1, 1, 1, 1L << 53, false),
                new Series(-7, 3, -7, 1L << 53, false),
                new Series(100, -2, -(1L << 53), 100, false),
                new Series(1, 1, 1, 30 + random.nextInt(100), false));
        this.limits = new CounterLimits(
                anyOf(2, 5, 50),
                anyOf(Duration.ofMillis(300), Duration.ofSeconds(10)),
                anyOf(
                        new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)),
                        new Backoff.Exponential(Duration.ofMillis(4), Duration.ZERO, Duration.ofMillis(64))),
                Duration.ofMillis(30),
                anyOf(1, 2, 4),
                anyOf(2, 100));
        this.blockSize = 1 + random.nextInt(8);
        this.faults = new FaultyStore.FaultPlan(anyOf(0.04, 0.1, 0.3));
        ResetEvery resetEvery = anyOf(ResetEvery.NEVER, ResetEvery.YEAR);
        this.id = new CounterId(SEQUENCE, resetEvery == ResetEvery.NEVER ? "" : "2026");
        this.isDated = guarantee != Guarantee.CACHED && stage.chance(DATED);
        Definition definition = Defined.ordered(
                Defined.definition(guarantee, first, resetEvery), isDated ? DateOrder.ASCENDING : DateOrder.NONE);
        table.insert(Defined.stored(SEQUENCE, definition, false, null, null), Defined.change());
    }

    /** Throws an AssertionError that says what went wrong. */
    void run() {
        IntStream.range(0, INSTANCES).forEach(ordinal -> start());
        if (stage.chance(OWNED)) {
            owner = new Owner(SEQUENCE, stage, way(), first);
            stage.enter(owner, "owner", owner::act);
        }
        stage.at(FIRST_CRASH_STEP + random.nextInt(CRASH_STEPS), this::crash);
        stage.play();
        faults.end();
        isAtRest = true;
        alive.forEach(this::requireServedAtRest);
        check();
    }

    private void start() {
        instances++;
        FaultyStore way = way();
        Instance instance = new Instance(
                "i" + instances,
                id,
                stage,
                wrong.client().apply(way),
                new DefinitionView(SEQUENCE, stage, way),
                limits,
                blockSize);
        alive.add(instance);
        int clients = 2 + random.nextInt(3);
        for (int client = 1; client <= clients; client++) {
            stage.enter(instance, instance + " client " + client, () -> beClient(instance));
        }
    }

    private FaultyStore way() {
        return new FaultyStore(stage, wrong.table().apply(table), table, faults, this::note);
    }

    /** By the definition as it stands: from the first number on the one that won. */
    private Series series() {
        return table.find(SEQUENCE).orElseThrow().definition().series();
    }

    private void crash() {
        Instance victim = alive.remove(random.nextInt(alive.size()));
        stage.note(() -> victim + " crashes");
        stage.kill(victim);
        hasCrashed = true;
        start();
    }

    private void beClient(Instance instance) {
        if (owner != null) {
            stage.sleep(Duration.ofNanos(random.nextInt(10_000_000)));
        }
        while (taken < REQUESTS_MIN || faults.seen() < FAULTS_MIN || !hasCrashed) {
            double what = random.nextDouble();
            if (what < 0.03) {
                advance(instance);
            } else if (what < 0.09 && guarantee != Guarantee.CACHED) {
                bring(instance);
            } else if (what < 0.11) {
                move(instance, new Request.Skip(random.nextInt(3), ChangeNote.NONE));
            } else {
                allocate(instance, requests());
            }
            pauseAwhile();
        }
    }

    private void pauseAwhile() {
        if (guarantee == Guarantee.CACHED && stage.chance(0.05)) {
            stage.sleep(Duration.ofMillis(random.nextInt(40_000)));
        } else if (stage.chance(0.5)) {
            stage.sleep(Duration.ofNanos(random.nextInt(5_000_000)));
        }
    }

    private List<Request.Allocate> requests() {
        if (guarantee == Guarantee.CACHED) {
            return List.of(ask(null, stage.chance(0.8) ? 1 : 1 + random.nextInt(2 * blockSize)));
        }
        int size = stage.chance(0.8) ? 1 : 2 + random.nextInt(4);
        return IntStream.range(0, size).mapToObj(ordinal -> request()).toList();
    }

    private Request.Allocate request() {
        if (!keys.isEmpty() && stage.chance(0.3)) {
            String known = keys.get(random.nextInt(keys.size()));
            boolean isMistaken = stage.chance(0.05);
            if (isMistaken) {
                askedWrongly.add(known);
            }
            return ask(known, isMistaken ? WRONG_COUNT : countByKey.get(known));
        }
        return newKeyOrNone();
    }

    private Request.Allocate newKeyOrNone() {
        int count = stage.chance(0.7) ? 1 : 1 + random.nextInt(4);
        if (guarantee == Guarantee.CACHED || guarantee == Guarantee.STRICT && stage.chance(0.5)) {
            return ask(null, count);
        }
        String key = "key " + keys.size();
        keys.add(key);
        countByKey.put(key, count);
        return ask(key, count);
    }

    private Request.Allocate ask(String key, int count) {
        LocalDate date = isDated ? date() : TODAY;
        return new Request.Allocate(key, count, date, isDated && stage.chance(0.5), isReserved(key), null);
    }

    /** At rest one that is never refused: the last one that there may be. */
    private LocalDate date() {
        return isAtRest ? TODAY.plusDays(1) : anyOf(TODAY.minusDays(1), TODAY, TODAY, TODAY, TODAY.plusDays(1));
    }

    /** Every third key, whoever asks. */
    private static boolean isReserved(String key) {
        return key != null && key.hashCode() % 3 == 0;
    }

    private static void requireAsAsked(Allocation allocation) {
        if (allocation.status().isMarked() != isReserved(allocation.key())) {
            throw new AssertionError("Another status than was asked for: " + allocation);
        }
    }

    private void advance(Instance instance) {
        long next = table.read(id).map(counter -> counter.state().next()).orElse(series().start());
        move(instance, new Request.Advance(next + series().increment() * random.nextInt(6), ChangeNote.NONE));
    }

    private void move(Instance instance, Request request) {
        stage.note(() -> "asks for " + request);
        try {
            Advanced moved = instance.move(request);
            requireAlive(instance);
            stage.note(() -> "got " + moved);
            moves.add(new Moved(stage.tick(), stage.nanoTime(), moved.next()));
        } catch (ProblemException e) {
            requireAlive(instance);
            requireClear(e, request instanceof Request.Advance, false);
        } catch (IllegalStateException | LinkageError e) {
            requireAlive(instance);
            requireBroken(e);
        }
    }

    /** A few numbers around the next one, or from far away; some keys and numbers come again. */
    private void bring(Instance instance) {
        imports++;
        ImportNote note = new ImportNote("import-" + imports, stage.now(), null);
        Series series = series();
        long next = table.read(id).map(counter -> counter.state().next()).orElse(series.start());
        List<Allocation> numbers = new ArrayList<>();
        long number = stage.chance(0.3)
                ? series.start() + series.increment() * (random.nextInt(40) - 20)
                : next + series.increment() * (random.nextInt(10) - 5);
        for (int row = random.nextInt(4); row >= 0; row--) {
            if (series.contains(number)) {
                String key = oldKey();
                numbers.add(new Allocation(
                        key,
                        number,
                        number,
                        1,
                        id.period(),
                        TODAY.minusDays(1),
                        null,
                        0,
                        stage.now(),
                        false,
                        isReserved(key) ? KeyStatus.reserved(stage.now()) : KeyStatus.SIMPLY_ISSUED,
                        note.id()));
            }
            number += series.increment() * (1 + random.nextInt(3));
        }
        if (!numbers.isEmpty()) {
            bring(instance, new Request.Import(numbers, note));
        }
    }

    private String oldKey() {
        return "old " + random.nextInt(40);
    }

    private void bring(Instance instance, Request.Import asked) {
        stage.note(() -> "asks for " + asked);
        long askedNanos = stage.nanoTime();
        long askedTick = stage.tick();
        List<Outcome> outcomes =
                asked.numbers().stream().map(number -> untold(null)).toList();
        try {
            outcomes = brought(instance, asked);
        } finally {
            long answeredTick = stage.tick();
            for (int row = 0; row < asked.numbers().size(); row++) {
                Outcome outcome = outcomes.get(row);
                stage.note(() -> "got " + outcome);
                String key = asked.numbers().get(row).key();
                calls.add(new Asked(
                        new Call(instance.toString(), "", askedTick, answeredTick, key, 1, outcome, true), askedNanos));
            }
        }
    }

    private List<Outcome> brought(Instance instance, Request.Import asked) {
        try {
            Instance.Given<Answers> given = instance.call(List.of(asked));
            requireAlive(instance);
            return ((dev.numera.counter.Outcome.Imported) given.what().only())
                    .numbers().stream()
                            .map(answer -> brought(answer, given.by().increment()))
                            .toList();
        } catch (ProblemException e) {
            requireAlive(instance);
            requireClear(e, false, false);
            Outcome failed = faults.hasDuplicated() || e.type() == ProblemType.OUTCOME_UNKNOWN
                    ? new Failure(ProblemType.OUTCOME_UNKNOWN.urn())
                    : new Failure(SURELY_LOST);
            return Collections.nCopies(asked.numbers().size(), failed);
        } catch (IllegalStateException | LinkageError e) {
            requireAlive(instance);
            requireBroken(e);
            return asked.numbers().stream().map(number -> untold(null)).toList();
        }
    }

    private Outcome brought(Answer<Allocation> answer, long increment) {
        if (answer.isRefused()) {
            ProblemType type = answer.refusal().type();
            if (type != ProblemType.NUMBER_TAKEN && type != ProblemType.KEY_REUSED) {
                throw new AssertionError("Nothing explains " + type, answer.refusal());
            }
            return new Failure(type.urn());
        }
        Allocation allocation = answer.orThrow();
        return new Numbers(allocation.first(), allocation.last(), allocation.count(), increment, allocation.replayed());
    }

    private void allocate(Instance instance, List<Request.Allocate> requests) {
        stage.note(() -> "asks for " + requests);
        long askedNanos = stage.nanoTime();
        long askedTick = stage.tick();
        List<Outcome> outcomes = requests.stream().map(Simulation::untold).toList();
        try {
            outcomes = outcomes(instance, requests);
        } finally {
            long answeredTick = stage.tick();
            for (int ordinal = 0; ordinal < requests.size(); ordinal++) {
                Request.Allocate request = requests.get(ordinal);
                Outcome outcome = outcomes.get(ordinal);
                stage.note(() -> "got " + outcome);
                note(
                        new Call(
                                instance.toString(),
                                "",
                                askedTick,
                                answeredTick,
                                request.key(),
                                request.count(),
                                outcome),
                        askedNanos);
            }
        }
    }

    private void note(Call call, long askedNanos) {
        calls.add(new Asked(call, askedNanos));
        if (!isProblem(call, ProblemType.OVERLOADED)) {
            taken++;
        }
    }

    private void note(Optional<CounterState> before, CounterState after) {
        boolean isAdvanced =
                before.filter(state -> state.epoch() != after.epoch()).isPresent();
        if (!isAdvanced) {
            LongStream.iterate(
                            before.map(CounterState::next).orElse(series().start()),
                            number -> number + series().increment())
                    .limit(Math.max(
                            0,
                            after.allocated()
                                    - before.map(CounterState::allocated).orElse(0L)))
                    .forEach(delivered::add);
        }
    }

    private static Outcome untold(Request.Allocate request) {
        return new Failure(Failure.NO_ANSWER);
    }

    private List<Outcome> outcomes(Instance instance, List<Request.Allocate> requests) {
        try {
            List<Outcome> outcomes = guarantee == Guarantee.CACHED
                    ? List.of(taken(instance, requests.get(0)))
                    : answered(instance, requests);
            requireAlive(instance);
            return outcomes;
        } catch (ProblemException e) {
            requireAlive(instance);
            return requests.stream()
                    .<Outcome>map(request -> failure(e, request))
                    .toList();
        } catch (IllegalStateException | LinkageError e) {
            requireAlive(instance);
            requireBroken(e);
            return requests.stream().map(Simulation::untold).toList();
        }
    }

    private Outcome taken(Instance instance, Request.Allocate request) {
        Instance.Given<Long> taken = instance.take(request.count());
        long increment = taken.by().increment();
        return new Numbers(
                taken.what(), taken.what() + (request.count() - 1) * increment, request.count(), increment, false);
    }

    private List<Outcome> answered(Instance instance, List<Request.Allocate> requests) {
        Instance.Given<Answers> given = instance.call(requests);
        requireAlive(instance);
        List<Outcome> outcomes = new ArrayList<>();
        for (int ordinal = 0; ordinal < requests.size(); ordinal++) {
            Answer<dev.numera.counter.Outcome> answer = given.what().answers().get(ordinal);
            if (answer.isRefused()) {
                outcomes.add(failure(answer.problem(), requests.get(ordinal)));
            } else {
                Allocation allocation = (Allocation) answer.value();
                requireAsAsked(allocation);
                outcomes.add(new Numbers(
                        allocation.first(),
                        allocation.last(),
                        allocation.count(),
                        given.by().increment(),
                        allocation.replayed()));
            }
        }
        return outcomes;
    }

    private Failure failure(ProblemException problem, Request.Allocate request) {
        requireClear(problem, true, askedWrongly.contains(request.key()));
        if (hadAnAttempt(problem) && faults.hasDuplicated()) {
            // The refusal of a second copy was believed, since no time was left to look: the first copy may have been
            // won.
            return new Failure(ProblemType.OUTCOME_UNKNOWN.urn());
        }
        return new Failure(
                problem.type() == ProblemType.CONTENTION
                        ? SURELY_LOST
                        : problem.type().urn());
    }

    /**
     * An opening whose second copy is refused counts as a clash, and a clash does not count as an attempt: it is told
     * as overloaded.
     */
    private static boolean hadAnAttempt(ProblemException problem) {
        return switch (problem.type()) {
            case CONTENTION, STORAGE_UNAVAILABLE, DATE_ORDER -> true;
            case OVERLOADED -> problem.members().containsKey("attempts");
            default -> false;
        };
    }

    /** What a dead process would have answered, nobody hears. */
    private void requireAlive(Instance instance) {
        if (stage.isKilled(instance)) {
            throw new Stage.Killed();
        }
    }

    private void requireClear(ProblemException problem, boolean mayExhaust, boolean mayBeReused) {
        boolean isClear =
                switch (problem.type()) {
                    case CONTENTION, OUTCOME_UNKNOWN, OVERLOADED, STORAGE_UNAVAILABLE -> true;
                    case EXHAUSTED -> mayExhaust && isShort();
                    case DATE_ORDER -> isDated;
                    case KEY_REUSED -> mayBeReused;
                    default -> false;
                };
        if (!isClear) {
            throw new AssertionError("Nothing explains " + problem.type() + ": " + problem.getMessage(), problem);
        }
    }

    private boolean isShort() {
        return owner != null || first.maxValue() < 1_000;
    }

    private void requireBroken(Throwable failure) {
        if (!faults.hasBroken()) {
            throw new AssertionError("Nothing explains " + failure, failure);
        }
    }

    private void requireServedAtRest(Instance instance) {
        stage.enter(instance, instance + " at rest", () -> allocate(instance, List.of(newKeyOrNone())));
        stage.play();
        Call call = calls.get(calls.size() - 1).call();
        if (!(call.outcome() instanceof Numbers || isProblem(call, ProblemType.EXHAUSTED))) {
            throw new AssertionError("At rest, with all faults over, a call failed: " + call);
        }
    }

    private static boolean isProblem(Call call, ProblemType type) {
        return call.outcome() instanceof Failure failure && failure.problem().equals(type.urn());
    }

    private void check() {
        Series series = series();
        HistoryChecker checker = new HistoryChecker(
                new dev.numera.fixtures.history.Series(
                        series.start(), series.increment(), series.minValue(), series.maxValue()),
                calls.stream().map(Asked::call).toList());
        HistoryChecker.requireSound(
                switch (guarantee) {
                    case STRICT -> checker.strict();
                    case GAPLESS -> checker.gapless(ledger());
                    case CACHED -> checker.cached();
                    case SNOWFLAKE -> throw new IllegalStateException("It has no counter.");
                });
        requireAdvancesObeyed();
        requireKeysKept();
        requireDatesInOrder();
        requireDefinitionKept();
        if (guarantee == Guarantee.STRICT) {
            requireNothingSkippedWithoutExcuse();
        }
    }

    /**
     * Numbers get lost only with a write whose answer got lost, or with a caller who was told that the outcome is
     * unknown.
     */
    private void requireNothingSkippedWithoutExcuse() {
        Set<Long> lost = new HashSet<>(delivered);
        long excused = 0;
        for (Asked asked : calls) {
            Call call = asked.call();
            if (call.outcome() instanceof Numbers numbers) {
                IntStream.range(0, numbers.count())
                        .forEach(ordinal -> lost.remove(numbers.first() + ordinal * series().increment()));
            } else if (isProblem(call, ProblemType.OUTCOME_UNKNOWN)
                    || call.outcome().equals(new Failure(Failure.NO_ANSWER))) {
                excused += call.count();
            }
        }
        if (lost.size() > excused) {
            throw new AssertionError("Nobody got " + lost + ", and only " + excused + " may have got lost");
        }
    }

    private void requireAdvancesObeyed() {
        for (Moved moved : moves) {
            for (Asked asked : calls) {
                boolean isLater = guarantee == Guarantee.CACHED
                        ? asked.askedNanos() > moved.answeredNanos() + UNCHECKED_BLOCK.toNanos()
                        : asked.call().askedNanos() > moved.answeredTick();
                if (isLater
                        && !asked.call().isImport()
                        && asked.call().outcome() instanceof Numbers numbers
                        && !numbers.replayed()
                        && series().isBefore(numbers.first(), moved.next())) {
                    throw new AssertionError("Not beyond " + moved + ": " + asked);
                }
            }
        }
    }

    /** Definition and counter stand for one another, and the owner was told no lie. */
    private void requireDefinitionKept() {
        boolean isInUse = table.find(SEQUENCE).orElseThrow().isInUse();
        if (isInUse != table.read(id).isPresent()) {
            throw new AssertionError(
                    isInUse ? "In use without a counter" : "A counter under a definition that is not in use");
        }
        if (owner != null) {
            owner.requireToldTheTruth(series());
        }
    }

    private void requireKeysKept() {
        for (Asked asked : calls) {
            String key = asked.call().key();
            if (key != null && asked.call().outcome() instanceof Numbers numbers) {
                Allocation kept = table.findKey(SEQUENCE, key)
                        .map(LedgerStore.Keyed::allocation)
                        .orElse(null);
                if (kept == null || kept.first() != numbers.first() || kept.last() != numbers.last()) {
                    throw new AssertionError("The ledger holds " + kept + " for " + asked.call());
                }
                requireAsAsked(kept);
            }
        }
    }

    private void requireDatesInOrder() {
        List<LocalDate> dates = rows().stream()
                .flatMap(row -> row.allocations().stream())
                .filter(allocation -> allocation.importId() == null)
                .map(Allocation::date)
                .toList();
        if (isDated && !dates.equals(dates.stream().sorted().toList())) {
            throw new AssertionError("Not in the order of dates: " + dates);
        }
    }

    /** In the order in which they were written. */
    private List<LedgerRow> rows() {
        List<LedgerRow> rows = new ArrayList<>(table.rowsFrom(id, Long.MIN_VALUE, Integer.MAX_VALUE));
        rows.sort((one, other) -> series().increment() > 0
                ? Long.compare(one.first(), other.first())
                : Long.compare(other.first(), one.first()));
        return rows;
    }

    private List<LedgerEntry> ledger() {
        List<LedgerEntry> entries = new ArrayList<>();
        for (LedgerRow row : rows()) {
            if (row.isAdvance()) {
                long count = (row.last() - row.first()) / series().increment() + 1;
                long last = row.first() + (count - 1) * series().increment();
                entries.add(new LedgerEntry(LedgerEntry.Kind.ADVANCE, null, row.first(), last, count));
            }
            row.allocations()
                    .forEach(entry -> entries.add(new LedgerEntry(
                            entry.importId() == null ? LedgerEntry.Kind.ALLOCATION : LedgerEntry.Kind.IMPORT,
                            entry.key(),
                            entry.first(),
                            entry.last(),
                            entry.count())));
        }
        return entries;
    }

    @SafeVarargs
    private <T> T anyOf(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
