package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two instances set different statuses of one key, over a table that loses, repeats and delays their writes. */
class StatusRacesTest {
    private static final int SEEDS = 3_000;
    private static final int CALLS = 12;
    private static final SequenceName NAME = new SequenceName("races", "invoice");
    private static final TestLimits LIMITS = TestLimits.SMALL
            .withMaxAttempts(3)
            .withDeadline(Duration.ofSeconds(1))
            .withRequestTimeout(Duration.ofMillis(30));
    private static final Set<ProblemType> REFUSALS = Set.of(
            ProblemType.STATUS_FINAL,
            ProblemType.KEY_VOID,
            ProblemType.OUTCOME_UNKNOWN,
            ProblemType.STORAGE_UNAVAILABLE);

    @Test
    void statusOnlyMovesForwardAndAnswersStayTrue() {
        Set<String> answered = new HashSet<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            new Race(seed, answered).run();
        }
        assertEquals(
                Set.of(
                        "ISSUED",
                        "VOID",
                        "RESERVED",
                        "STATUS_FINAL",
                        "KEY_VOID",
                        "OUTCOME_UNKNOWN",
                        "STORAGE_UNAVAILABLE"),
                answered,
                "all of it happens");
    }

    private static final class Race {
        private final long seed;
        private final Set<String> answered;
        private final Random random;
        private final MemoryCounterStore memory = new MemoryCounterStore();
        private final UnreliableTable table;
        private final List<Sequences> instances;
        private Status last = Status.reserved(null, null);
        private boolean isConfirmed;
        private Status voided;

        Race(long seed, Set<String> answered) {
            this.seed = seed;
            this.answered = answered;
            this.random = new Random(seed);
            this.table = new UnreliableTable(memory, random, name -> watch());
            this.instances = List.of(instance(), instance());
        }

        private Sequences instance() {
            TestClock clock = TestClock.alone(Instant.EPOCH);
            return TestSequences.over(table.stores())
                    .with(LIMITS)
                    .with(clock)
                    .with(random::nextDouble, Runnable::run)
                    .start();
        }

        void run() {
            instances.get(0).allocator().next(NAME, List.of(new NumberRequest("key", 2, null, true)));
            last = stored().status();
            table.setFaults(0.5);
            for (int call = 0; call < CALLS; call++) {
                report(instances.get(random.nextInt(2)));
            }
            table.settle();
            watch();
            assertEquals(List.of(1L, 2L), List.of(stored().first(), stored().last()), this::toString);
        }

        private void report(Sequences instance) {
            try {
                PrintedAllocation printed =
                        switch (random.nextInt(4)) {
                            case 0 -> UnsentStatusChanges.issue(instance.statusChanges(), NAME, "key", "Anna");
                            case 1 -> UnsentStatusChanges.makeVoid(instance.statusChanges(), NAME, "key", "lost", null);
                            case 2 ->
                                UnsentStatusChanges.makeVoid(instance.statusChanges(), NAME, "key", "returned", null);
                            default ->
                                instance.allocator()
                                        .next(NAME, List.of(new NumberRequest("key", 2, null)))
                                        .results()
                                        .get(0)
                                        .orThrow();
                        };
                answered.add(printed.status().kind().name());
                requireTrue(printed.status());
            } catch (ProblemException e) {
                answered.add(e.type().name());
                assertTrue(REFUSALS.contains(e.type()), () -> this + " " + e.type());
                if (e.type() == ProblemType.STATUS_FINAL || e.type() == ProblemType.KEY_VOID) {
                    voided = stored().status();
                    assertTrue(voided.isVoid(), () -> this + ": what is not void was said to be");
                }
            }
        }

        private void requireTrue(Status said) {
            isConfirmed |= said.kind() == Status.Kind.ISSUED;
            if (said.isVoid()) {
                voided = said;
            }
            watch();
        }

        private Allocation stored() {
            return memory.findKey(NAME, "key").orElseThrow().value();
        }

        /** Checks the stored status after each write, including late ones. */
        private void watch() {
            if (memory.findKey(NAME, "key").isEmpty()) {
                return;
            }
            Status now = stored().status();
            assertTrue(rank(now) >= rank(last), () -> this + ": from " + last + " back to " + now);
            assertTrue(!last.isVoid() || last.equals(now), () -> this + ": a void changed from " + last + " to " + now);
            assertTrue(!isConfirmed || rank(now) > 0, () -> this + ": what was confirmed is reserved");
            assertTrue(
                    voided == null || voided.equals(now), () -> this + ": answered " + voided + ", and it is " + now);
            last = now;
        }

        private static int rank(Status status) {
            return switch (status.kind()) {
                case RESERVED -> 0;
                case ISSUED -> 1;
                case VOID -> 2;
            };
        }

        @Override
        public String toString() {
            return "Seed " + seed;
        }
    }
}
