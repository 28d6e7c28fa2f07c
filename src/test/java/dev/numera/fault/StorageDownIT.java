package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.azure.StorageAccount;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.maintain.history.History;
import dev.numera.maintain.history.ObservedOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole storage account fails or refuses requests. Every caller gets the reason, at once or at its deadline, and
 * later calls work.
 */
class StorageDownIT {
    private static final int CALLERS = 32;
    /** The longest wait of a call, which may wait for a definition and then for a counter on a busy machine. */
    private static final Duration PATIENCE = Instance.DEADLINE.multipliedBy(3);

    private static final Duration AT_ONCE = Instance.DEADLINE.minusMillis(500);
    private static final int PATIENT_TRIES = 10;
    private static final Set<RequestKind> WRITES = Set.of(RequestKind.CONDITIONAL_WRITE, RequestKind.TRANSACTION);

    private final FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
    private final TestClock clock = TestClock.system();
    private final StorageAccount account = Instance.account(proxy.connectionString());
    private final Instance instance = Instance.over("a", account, Instance.LIMITS, clock);
    /** An instance with a short deadline, for tests that have to wait for it. */
    private final Instance hasty =
            Instance.over("hasty", account, Instance.LIMITS.withDeadline(Duration.ofSeconds(1)), clock);

    private final SequenceName sequence =
            new SequenceName("App1", UUID.randomUUID().toString());

    @BeforeAll
    static void createTables() {
        Instance.patient(SharedAzurite.connectionString());
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    /** Returns a number. Repeats the call, because working storage may not answer at once on a busy machine. */
    private long number() {
        return number(instance);
    }

    private long number(Instance numbering) {
        for (int attempt = 1; attempt < PATIENT_TRIES; attempt++) {
            try {
                return numbering.next(sequence, null, 1).first();
            } catch (ProblemException busy) {
                assertTrue(Instance.CLEAR_PROBLEMS.contains(busy.type()), busy::getMessage);
            }
        }
        return numbering.next(sequence, null, 1).first();
    }

    /** Returns every status and every body once; each of them takes a deadline. */
    static Stream<Arguments> transientAnswers() {
        List<Integer> statuses = List.of(408, 429, 500, 502, 503, 504);
        ErrorBody[] bodies = ErrorBody.values();
        return IntStream.range(0, Math.max(statuses.size(), bodies.length))
                .mapToObj(i -> Arguments.of(statuses.get(i % statuses.size()), bodies[i % bodies.length]));
    }

    static Stream<Arguments> finalAnswers() {
        return Stream.of(400, 401, 403, 501, 505).flatMap(StorageDownIT::withEachBody);
    }

    private static Stream<Arguments> withEachBody(int status) {
        return Stream.of(ErrorBody.values()).map(body -> Arguments.of(status, body));
    }

    /** Storage does not answer, and each request takes its whole timeout. The callers' waits must not add up. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void manyCallersWaitOnlyForTheirOwnTime(boolean isKnown) {
        if (isKnown) {
            number();
        }
        proxy.inject(Fault.neverAnswered(Duration.ofMinutes(1)), Nth.every());
        History history = new History();
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        List<CompletableFuture<ObservedOutcome>> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            String name = "caller-" + caller;
            callers.add(CompletableFuture.supplyAsync(() -> instance.next(history, name, sequence, null, 1), threads));
        }
        callers.forEach(caller -> Instance.requireClear(caller.join()));
        threads.shutdown();
        assertTrue(history.calls().stream().noneMatch(call -> call.outcome() instanceof ObservedOutcome.Allocated));
        long longest = history.calls().stream()
                .mapToLong(call -> call.answeredNanos() - call.startNanos())
                .max()
                .orElseThrow();
        assertTrue(longest < PATIENCE.toNanos(), () -> "A caller waited " + longest / 1_000_000 + " ms");
    }

    @ParameterizedTest
    @MethodSource("transientAnswers")
    void transientFailureIsRetriedUntilTheDeadline(int status, ErrorBody body) {
        number(hasty);
        proxy.inject(Fault.status(status, body), Nth.every());
        ProblemException problem = refused(hasty);
        assertTrue(Instance.CLEAR_PROBLEMS.contains(problem.type()), problem::getMessage);
        proxy.heal();
        number(hasty);
    }

    @ParameterizedTest
    @MethodSource("finalAnswers")
    void lastingFailureIsReportedAtOnce(int status, ErrorBody body) {
        number();
        proxy.inject(Fault.status(status, body), Nth.every());
        requireReportedAtOnce("" + status);
        clock.pass(Duration.ofSeconds(30));
        requireReportedAtOnce("" + status);
        proxy.heal();
        number();
    }

    private void requireReportedAtOnce(String said) {
        long began = System.nanoTime();
        ProblemException problem = refused();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, problem.type());
        assertTrue(problem.getMessage().contains(said), problem::getMessage);
        assertTrue(took.compareTo(AT_ONCE) < 0, took::toString);
    }

    /** A gateway may answer with a page and a success status, which is no answer of the table service. */
    @ParameterizedTest
    @EnumSource(ErrorBody.class)
    void aPageOfSuccessIsNoAnswer(ErrorBody body) {
        number(hasty);
        proxy.inject(Fault.status(200, body), Nth.every());
        ProblemException problem = refused(hasty);
        assertTrue(Instance.CLEAR_PROBLEMS.contains(problem.type()), problem::getMessage);
        clock.pass(Duration.ofSeconds(30));
        ProblemException ofDefinition = refused(hasty);
        assertTrue(Instance.CLEAR_PROBLEMS.contains(ofDefinition.type()), ofDefinition::getMessage);
        proxy.heal();
        number(hasty);
    }

    @Test
    void noServerListens() {
        number();
        proxy.close();
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused().type());
        clock.pass(Duration.ofSeconds(30));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused().type());
    }

    @Test
    void wrongKeyIsReportedAtOnceAndNotShown() {
        String wrongKey = proxy.connectionString().replace("AccountKey=Eby8", "AccountKey=AAAA");
        Instance stranger = Instance.over("stranger", Instance.account(wrongKey), Instance.LIMITS, clock);
        ProblemException problem = assertThrows(ProblemException.class, () -> stranger.next(sequence, null, 1));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, problem.type());
        assertTrue(problem.getMessage().contains("403"), problem::getMessage);
        assertTrue(!problem.getMessage().contains("AAAA"), problem::getMessage);
        assertEquals(1, proxy.traffic().received().size(), "it is not tried again");
    }

    /** The write certainly fails and reads work, so the answer may say that nothing was consumed. */
    @Test
    void aRefusedWriteConsumesNothing() {
        long before = number();
        proxy.inject(Fault.status(403, ErrorBody.XML), new Nth(WRITES, "", 1, 1));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused().type());
        assertEquals(before + 1, number());
    }

    private ProblemException refused() {
        return refused(instance);
    }

    private ProblemException refused(Instance refused) {
        return assertThrows(ProblemException.class, () -> refused.next(sequence, null, 1));
    }
}
