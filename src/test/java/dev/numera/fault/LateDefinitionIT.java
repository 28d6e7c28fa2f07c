package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.sequences.definition.Precondition;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A change and a first number, and one of them reaches storage long after its sender gave up. The two never mix,
 * whichever lands first.
 */
class LateDefinitionIT {
    private final RawTables tables = new RawTables(SharedAzurite.connectionString());
    private final FaultProxy proxy = FaultProxy.before(SharedAzurite.ports());
    private final Instance slow = Instance.patient(proxy.connectionString());
    private final Instance other = Instance.patient(SharedAzurite.connectionString());
    private final SequenceName sequence =
            new SequenceName("late", UUID.randomUUID().toString());
    /** Opened when the late write is to land. */
    private final CountDownLatch lands = new CountDownLatch(1);

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    private static DefinitionDraft draft(Guarantee guarantee, String format) {
        return DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, guarantee).with(DefinitionField.FORMAT, format);
    }

    private String text(Instance instance, String key) {
        return instance.next(sequence, key, 1).texts().get(0);
    }

    /** The late change once altered the texts of a key that was already answered. */
    @Test
    void aChangeThatLandsAfterTheFirstNumberChangesNothing() throws Exception {
        other.sequences().editor().put(sequence, draft(null, "A{n}"), Precondition.ABSENT, ChangeNote.NONE);
        proxy.inject(Fault.closedThenForwarded(lands), Nth.of(RequestKind.TRANSACTION, 1));
        ProblemException unknown = assertThrows(ProblemException.class, () -> slow.sequences()
                .editor()
                .put(sequence, draft(null, "B{n}"), Precondition.PRESENT, ChangeNote.NONE));
        assertEquals(ProblemType.OUTCOME_UNKNOWN, unknown.type());
        assertEquals("A1", text(other, "a"));
        TableEntity inUse = tables.definition(sequence);

        lands.countDown();
        proxy.awaitLateWrites();

        assertEquals(inUse.getProperties(), tables.definition(sequence).getProperties());
        for (Instance instance : List.of(other, slow, Instance.late(SharedAzurite.connectionString()))) {
            assertEquals("A1", text(instance, "a"));
            assertEquals(
                    "A{n}",
                    instance.sequences().editor().get(sequence).definition().format());
        }
    }

    /**
     * The late opening once restored its own fixed fields: the definition said gapless, and a call without a key was
     * answered.
     */
    @Test
    void anOpeningThatLandsAfterAChangeWasAnsweredIsRefused() throws Exception {
        other.sequences().editor().put(sequence, draft(null, null), Precondition.ABSENT, ChangeNote.NONE);
        proxy.inject(Fault.closedThenForwarded(lands), Nth.of(RequestKind.TRANSACTION, 1));
        proxy.inject(Fault.closedBeforeForwarding(), Nth.every(RequestKind.TRANSACTION));
        CompletableFuture<ProblemException> first = CompletableFuture.supplyAsync(
                () -> assertThrows(ProblemException.class, () -> slow.next(sequence, null, 1)));
        proxy.traffic().await(Set.of(RequestKind.TRANSACTION), first);
        other.sequences().editor().put(sequence, draft(Guarantee.GAPLESS, null), Precondition.PRESENT, ChangeNote.NONE);

        assertEquals(ProblemType.KEY_REQUIRED, first.get().type());
        proxy.heal();
        lands.countDown();
        proxy.awaitLateWrites();

        assertEquals(
                List.of("definition"),
                tables.rows(sequence).stream()
                        .map(TableEntity::getRowKey)
                        .filter(row -> !row.startsWith("change:"))
                        .toList());
        assertFalse((Boolean) tables.definition(sequence).getProperty("inUse"));
        for (Instance instance : List.of(slow, other)) {
            ProblemException refused = assertThrows(ProblemException.class, () -> instance.next(sequence, null, 1));
            assertEquals(ProblemType.KEY_REQUIRED, refused.type());
        }
        assertEquals(1, slow.next(sequence, "a", 1).first());
        assertEquals(
                Guarantee.GAPLESS,
                other.sequences().editor().get(sequence).definition().fixed().guarantee());
        assertTrue((Boolean) tables.definition(sequence).getProperty("inUse"));
    }
}
