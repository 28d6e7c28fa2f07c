package dev.numera.sequences.catalog;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.DefinitionStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fails each request of a maintenance run in turn, or loses its answer. */
class MaintenanceTest {
    private static final List<SequenceName> NAMES =
            List.of(new SequenceName("shop", "invoice"), new SequenceName("shop", "order"));
    private static final StoreFailure NO_ANSWER = new StoreFailure("No answer.", true, null);

    private final TestClock clock = TestClock.alone();
    private MemoryCounterStore table = new MemoryCounterStore();
    private boolean isCommitted;
    /** Several threads send requests at once. */
    private final AtomicInteger requests = new AtomicInteger();

    private int failing;

    private <T> T failing(Class<T> seam) {
        return ForwardingStore.over(seam, seam.cast(table), request -> {
            if (requests.incrementAndGet() != failing) {
                return request.forward();
            }
            if (request.method().getReturnType() != WriteResult.class) {
                throw NO_ANSWER;
            }
            if (isCommitted) {
                request.forward();
            }
            return new WriteResult.Unknown(NO_ANSWER);
        });
    }

    private Maintenance restarted() {
        table = new MemoryCounterStore();
        Sequences sequences = TestSequences.over(table).with(clock).start();
        NAMES.forEach(name -> sequences.allocator().next(name, List.of(new NumberRequest("a", 1, null))));
        return TestSequences.over(table)
                .with(failing(CounterStore.class))
                .with(failing(DefinitionStore.class))
                .with(clock)
                .start()
                .maintenance();
    }

    private void atEachRequest(Consumer<Maintenance> action) {
        requests.set(0);
        failing = 0;
        action.accept(restarted());
        int all = requests.get();
        assertTrue(all > 10, () -> "only " + all + " requests");
        for (int request = 1; request <= all; request++) {
            Maintenance maintenance = restarted();
            requests.set(0);
            failing = request;
            assertDoesNotThrow(() -> action.accept(maintenance), "request " + request + " failed");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRequestThatFailsEndsNeitherSuspensionNorAdvanceNorResumption(boolean isCommittedThen) {
        isCommitted = isCommittedThen;
        atEachRequest(maintenance -> {
            assertEquals(NAMES, maintenance.suspendAll());
            maintenance.skipAll(1_000, ChangeNote.NONE, (name, move) -> {});
            maintenance.forgetMargins();
            assertEquals(List.of(), maintenance.resumeAll((name, periods) -> {}));
        });
    }
}
