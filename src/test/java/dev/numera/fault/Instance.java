package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.counter.CounterLimits;
import dev.numera.execution.Timekeeper;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.history.History;
import dev.numera.fixtures.history.ObservedOutcome;
import dev.numera.model.Ask;
import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.AutoCreate;
import dev.numera.sequence.ClockedSequences;
import dev.numera.sequence.Numbers;
import dev.numera.sequence.SequenceLimits;
import dev.numera.sequence.Sequences;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;

/**
 * An instance of the app without its HTTP, much cheaper than a process and just as much a stranger to the other
 * instances. It gives a storage request {@link #STORAGE_TIMEOUT}, so that faults that outlast it are soon over.
 * Thread-safe.
 */
record Instance(String name, Sequences sequences) {
    static final Duration STORAGE_TIMEOUT = Duration.ofMillis(300);
    static final Duration DEADLINE = Duration.ofSeconds(3);
    static final CounterLimits LIMITS = TestLimits.DEFAULT
            .withDeadline(DEADLINE)
            .withRequestTimeout(STORAGE_TIMEOUT)
            .ofCounters();
    /** With every loss to another instance that one is asked, so that faults meet asks even at light load. */
    static final CounterLimits ASKING = new CounterLimits(
            LIMITS.maxAttempts(), DEADLINE, LIMITS.backoff(), STORAGE_TIMEOUT, 1, LIMITS.maxWaitingCalls());
    /** What a caller may be told while storage fails. */
    static final Set<ProblemType> CLEAR_PROBLEMS = Set.of(
            ProblemType.CONTENTION,
            ProblemType.OUTCOME_UNKNOWN,
            ProblemType.OVERLOADED,
            ProblemType.STORAGE_UNAVAILABLE);

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MAX_IDLE_COUNTERS = 1_000;
    private static final int MAX_DAYS_AHEAD = 400;
    private static final int MAX_DAYS_BACK = 3_660;

    /** One with time to spare, for what must succeed before a test begins; it creates the tables. */
    static Instance patient(String connectionString) {
        return patient("patient", connectionString, Timekeeper.SYSTEM);
    }

    static Instance patient(String name, String connectionString, Timekeeper time) {
        StorageAccount account = new StorageAccount(new StorageConnection.ConnectionString(connectionString), PATIENCE);
        account.createTables();
        return over(name, account.stores(), time);
    }

    /** One that finds the tables as they are. */
    static Instance late(String connectionString) {
        StorageAccount account = new StorageAccount(new StorageConnection.ConnectionString(connectionString), PATIENCE);
        return over("late", account.stores(), Timekeeper.SYSTEM);
    }

    static Instance over(String name, Sequences.Stores stores, Timekeeper time) {
        return over(name, stores, LIMITS, time);
    }

    static Instance over(String name, Sequences.Stores stores, CounterLimits limits, Timekeeper time) {
        return new Instance(
                name,
                ClockedSequences.over(
                        stores,
                        AutoCreate.ALWAYS,
                        new SequenceLimits(limits, MAX_IDLE_COUNTERS, MAX_DAYS_AHEAD, MAX_DAYS_BACK),
                        time));
    }

    static StorageAccount account(String connectionString) {
        return new StorageAccount(new StorageConnection.ConnectionString(connectionString), STORAGE_TIMEOUT);
    }

    /**
     * Asks for numbers and notes the call. A problem is an outcome like another.
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
                return told(next(sequence, key, count, date));
            } catch (ProblemException e) {
                return new ObservedOutcome.NoNumbers(e.type().urn());
            }
        });
    }

    /** @throws ProblemException the problem */
    Numbers next(SequenceName sequence, String key, int count) {
        return next(sequence, key, count, null);
    }

    private Numbers next(SequenceName sequence, String key, int count, LocalDate date) {
        Numbers numbers = sequences
                .numbering()
                .next(sequence, List.of(new Ask(key, count, date, isReserved(key))))
                .answers()
                .get(0)
                .orThrow();
        assertEquals(isReserved(key), numbers.status().isMarked(), () -> "the status of " + key);
        return numbers;
    }

    /** Every other key, whoever asks. */
    private static boolean isReserved(String key) {
        return key != null && key.hashCode() % 2 == 0;
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

    private static ObservedOutcome told(Numbers numbers) {
        return new ObservedOutcome.Allocated(
                numbers.first(), numbers.last(), numbers.count(), numbers.increment(), numbers.replayed());
    }
}
