package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.azure.StorageAccount;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestLimits;
import dev.numera.maintain.history.History;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An instance of the app without HTTP: much cheaper than a process, and as independent of the other instances. A hasty
 * instance limits a storage request to {@link #STORAGE_TIMEOUT}, so that faults that last longer end soon. Thread-safe.
 */
record Instance(String name, Sequences sequences) {
    static final Duration STORAGE_TIMEOUT = Duration.ofMillis(300);
    static final Duration DEADLINE = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    static final TestLimits LIMITS = TestLimits.DEFAULT
            .withDeadline(DEADLINE)
            .withRequestTimeout(STORAGE_TIMEOUT)
            .withMaxIdleCounters(1_000);
    private static final TestLimits PATIENT = LIMITS.withDeadline(Duration.ofMinutes(1));
    /**
     * Limits under which every lost write leads to a peer request, so that faults hit peer requests even at light load.
     */
    static final TestLimits REQUESTING = LIMITS.withLossesBeforePeerRequest(1);
    /** The problems that a caller may get while storage fails. */
    static final Set<ProblemType> CLEAR_PROBLEMS = Set.of(
            ProblemType.CONTENTION,
            ProblemType.OUTCOME_UNKNOWN,
            ProblemType.OVERLOADED,
            ProblemType.STORAGE_UNAVAILABLE);

    /**
     * Returns an instance with long deadlines, for calls that must succeed on a busy machine, too. It creates the
     * tables.
     */
    static Instance patient(String connectionString) {
        return patient("patient", connectionString, Clock.SYSTEM);
    }

    static Instance patient(String name, String connectionString, Clock time) {
        return over(name, TestAccount.withTables(connectionString), PATIENT, time);
    }

    /** Returns an instance that uses the existing tables. */
    static Instance late(String connectionString) {
        return over("late", TestAccount.at(connectionString), PATIENT, Clock.SYSTEM);
    }

    /** Returns an instance that abandons storage requests early. */
    static Instance hasty(String name, String connectionString) {
        return over(name, account(connectionString), LIMITS, Clock.SYSTEM);
    }

    static Instance over(String name, StorageAccount account, TestLimits limits, Clock time) {
        return new Instance(
                name, TestSequences.over(account).with(limits).with(time).start());
    }

    static StorageAccount account(String connectionString) {
        return TestAccount.at(connectionString, STORAGE_TIMEOUT);
    }

    /**
     * Requests numbers and records the call. A problem counts as an outcome.
     *
     * @param key null for a request without a key
     * @throws RuntimeException any failure that is not a problem; callers must never get one
     */
    ObservedOutcome next(History history, String caller, SequenceName sequence, String key, int count) {
        return next(history, caller, sequence, key, count, null);
    }

    /** Like {@link #next(History, String, SequenceName, String, int)}, with a date. */
    ObservedOutcome next(History history, String caller, SequenceName sequence, String key, int count, LocalDate date) {
        return history.call(name, caller, key, count, () -> {
            try {
                return answered(next(sequence, key, count, date));
            } catch (ProblemException e) {
                // A call without time for another read may have believed the refusal of a request's second copy, so
                // numbers may be lost.
                return new ObservedOutcome.NoNumbers(
                        e.type().urn(),
                        Set.of(ProblemType.CONTENTION, ProblemType.OUTCOME_UNKNOWN)
                                .contains(e.type()));
            }
        });
    }

    /** @throws ProblemException the problem that the call was answered with */
    PrintedAllocation next(SequenceName sequence, String key, int count) {
        return next(sequence, key, count, null);
    }

    private PrintedAllocation next(SequenceName sequence, String key, int count, LocalDate date) {
        PrintedAllocation printed = sequences
                .allocator()
                .next(sequence, List.of(new NumberRequest(key, count, date, isReserved(key))))
                .results()
                .get(0)
                .orThrow();
        assertEquals(isReserved(key), printed.status().isMarked(), () -> "the status of " + key);
        return printed;
    }

    /** Whether a request with this key reserves its numbers: every other key does, for all callers. */
    private static boolean isReserved(String key) {
        return key != null && key.hashCode() % 2 == 0;
    }

    /**
     * Repeats a request until it gets numbers, because storage may be slow on a busy machine. Each try is recorded.
     *
     * @throws AssertionError after a minute; at the first problem that is not one of {@link #CLEAR_PROBLEMS}; without a
     *     key, at an unknown outcome
     */
    void requireNumbers(History history, String caller, SequenceName sequence, String key, int count) {
        requireNumbers(() -> {
            ObservedOutcome outcome = next(history, caller, sequence, key, count);
            assertFalse(key == null && isProblem(outcome, ProblemType.OUTCOME_UNKNOWN), "numbers may have been lost");
            return outcome;
        });
    }

    /**
     * Repeats a call until it gets numbers. Each try has the timeouts of this instance.
     *
     * @throws AssertionError after a minute; at the first problem that is not one of {@link #CLEAR_PROBLEMS}
     */
    void requireNumbers(Supplier<ObservedOutcome> call) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        ObservedOutcome outcome = call.get();
        while (!(outcome instanceof ObservedOutcome.Allocated) && System.nanoTime() - until < 0) {
            requireClear(outcome);
            outcome = call.get();
        }
        assertInstanceOf(ObservedOutcome.Allocated.class, outcome, name + " gets no numbers");
    }

    /** Throws an AssertionError unless the outcome is numbers or one of {@link #CLEAR_PROBLEMS}. */
    static void requireClear(ObservedOutcome outcome) {
        boolean isClear = outcome instanceof ObservedOutcome.Allocated
                || CLEAR_PROBLEMS.stream().anyMatch(type -> isProblem(outcome, type));
        assertTrue(isClear, () -> "A caller got " + outcome);
    }

    static boolean isProblem(ObservedOutcome outcome, ProblemType type) {
        return outcome instanceof ObservedOutcome.NoNumbers failure
                && failure.problem().equals(type.urn());
    }

    private static ObservedOutcome answered(PrintedAllocation printed) {
        return new ObservedOutcome.Allocated(
                printed.first(), printed.last(), printed.count(), printed.increment(), printed.replayed());
    }
}
