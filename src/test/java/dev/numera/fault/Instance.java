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

/**
 * An instance of the app without its HTTP, much cheaper than a process and just as much a stranger to the other
 * instances. A hasty one limits a storage request to {@link #STORAGE_TIMEOUT}, so that faults that outlast it are soon
 * over. Thread-safe.
 */
record Instance(String name, Sequences sequences) {
    static final Duration STORAGE_TIMEOUT = Duration.ofMillis(300);
    static final Duration DEADLINE = Duration.ofSeconds(3);
    private static final int PATIENT_TRIES = 5;
    static final TestLimits LIMITS = TestLimits.DEFAULT
            .withDeadline(DEADLINE)
            .withRequestTimeout(STORAGE_TIMEOUT)
            .withMaxIdleCounters(1_000);
    private static final TestLimits PATIENT = LIMITS.withDeadline(Duration.ofMinutes(1));
    /** Every loss to a peer posts a request to it, so that faults hit peer requests even at light load. */
    static final TestLimits REQUESTING = LIMITS.withLossesBeforePeerRequest(1);
    /** The problems that a caller may get while storage fails. */
    static final Set<ProblemType> CLEAR_PROBLEMS = Set.of(
            ProblemType.CONTENTION,
            ProblemType.OUTCOME_UNKNOWN,
            ProblemType.OVERLOADED,
            ProblemType.STORAGE_UNAVAILABLE);

    /** One with time to spare, for what must succeed on a busy machine too; it creates the tables. */
    static Instance patient(String connectionString) {
        return patient("patient", connectionString, Clock.SYSTEM);
    }

    static Instance patient(String name, String connectionString, Clock time) {
        return over(name, TestAccount.withTables(connectionString), PATIENT, time);
    }

    /** One that finds the tables as they are. */
    static Instance late(String connectionString) {
        return over("late", TestAccount.at(connectionString), PATIENT, Clock.SYSTEM);
    }

    /** Abandons a request to storage early. */
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
     * Requests numbers and records the call. A problem is an outcome like another.
     *
     * @param key null for none
     * @throws RuntimeException anything but numbers or a problem, which no caller may ever see
     */
    ObservedOutcome next(History history, String caller, SequenceName sequence, String key, int count) {
        return next(history, caller, sequence, key, count, null);
    }

    /** As the other, with a date. */
    ObservedOutcome next(History history, String caller, SequenceName sequence, String key, int count, LocalDate date) {
        return history.call(name, caller, key, count, () -> {
            try {
                return answered(next(sequence, key, count, date));
            } catch (ProblemException e) {
                // The refusal of a request's second copy may have been believed where no time was left to look.
                return new ObservedOutcome.NoNumbers(
                        e.type().urn(),
                        Set.of(ProblemType.CONTENTION, ProblemType.OUTCOME_UNKNOWN)
                                .contains(e.type()));
            }
        });
    }

    /** @throws ProblemException the problem */
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

    /** Every other key, for all callers. */
    private static boolean isReserved(String key) {
        return key != null && key.hashCode() % 2 == 0;
    }

    /**
     * Requests numbers until there are some, since storage that works may not answer in time on a busy machine. Each
     * try is recorded.
     *
     * @throws AssertionError after {@value #PATIENT_TRIES} tries; at the first problem that is not clear or, without a
     *     key, that does not state that nothing was consumed
     */
    void requireNumbers(History history, String caller, SequenceName sequence, String key, int count) {
        ObservedOutcome outcome = next(history, caller, sequence, key, count);
        for (int attempt = 1; attempt < PATIENT_TRIES && !(outcome instanceof ObservedOutcome.Allocated); attempt++) {
            requireClear(outcome);
            assertFalse(key == null && isProblem(outcome, ProblemType.OUTCOME_UNKNOWN), "numbers may have been lost");
            outcome = next(history, caller, sequence, key, count);
        }
        assertInstanceOf(ObservedOutcome.Allocated.class, outcome, name + " for " + caller);
    }

    /** Throws an AssertionError unless it is numbers or one of {@link #CLEAR_PROBLEMS}. */
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
