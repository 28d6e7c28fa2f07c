package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.retry.StoreFailure;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The mark for the whole service when the backup container refuses the write. */
class MaintenanceMarksTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final MaintenanceMark CLOSED = MaintenanceMark.NONE.creationClosed(NOW);

    private final MarkBlobs container = mock();
    private final Table table = new RowsInMemory().table();
    private final MaintenanceMarks marks =
            new MaintenanceMarks(List.of(table), new ParallelReads(RowsInMemory.THREADS), () -> container);

    MaintenanceMarksTest() {
        doThrow(new StoreFailure("No role.", false, null)).when(container).keep(any());
    }

    @Test
    void aMarkThatIsStricterThanTheContainersIsInTheTables() {
        when(container.last()).thenReturn(MaintenanceMark.NONE);

        assertEquals(CLOSED, marks.change(mark -> mark.creationClosed(NOW)));

        assertEquals(CLOSED, marks.read());
    }

    /** A command that ran at the same time once stored the suspension again, because it had read it before. */
    @Test
    void aSuspensionThatAnotherCommandLiftsMeanwhileDoesNotComeBack() {
        MaintenanceMark suspended = MaintenanceMark.NONE.suspended(NOW);
        MarkBlobs writable = mock();
        MaintenanceMarks commands =
                new MaintenanceMarks(List.of(table), new ParallelReads(RowsInMemory.THREADS), () -> writable);
        when(writable.last()).thenReturn(MaintenanceMark.NONE);
        commands.change(mark -> suspended);
        doAnswer(read -> {
                    doReturn(MaintenanceMark.NONE).when(writable).last();
                    commands.change(MaintenanceMark::resumed);
                    return suspended;
                })
                .when(writable)
                .last();

        commands.change(mark -> mark.creationClosed(NOW));

        assertEquals(CLOSED, commands.read());
    }

    /** If this passed, the next command would read the stricter mark from the container and restore it. */
    @Test
    void aLiftedMarkThatStaysInTheContainerIsAFailure() {
        when(container.last()).thenReturn(CLOSED);

        assertThrows(StoreFailure.class, () -> marks.change(MaintenanceMark::creationOpened));
    }
}
