package dev.numera.maintain.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.azure.RecoveryMark;
import dev.numera.azure.RecoveryMark.Stage;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecoveryStartTest {
    private static final Instant STARTED = Instant.parse("2026-11-28T01:00:00Z");
    private static final Instant SUSPENDED = Instant.parse("2026-11-28T01:00:05Z");
    private static final Instant LATER = Instant.parse("2026-11-28T02:00:00Z");
    private static final String SAME = "same checksum";
    private static final String OTHER = "other checksum";
    private static final long MARGIN = 1_000;
    private static final RecoveryMark.Source NEW = new RecoveryMark.Source("new", "new.jsonl.gz", OTHER, MARGIN, LATER);

    private static RecoveryMark last(Stage stage, Instant suspendedAt) {
        RecoveryMark.Source source = new RecoveryMark.Source("last", "last.jsonl.gz", SAME, MARGIN, STARTED);
        return new RecoveryMark(source, stage, suspendedAt, 42, "earlier", "", STARTED, "version 7");
    }

    private static RecoveryStart start(RecoveryMark last, String checksum, long margin, Instant suspendedAt) {
        return RecoveryStart.of(Optional.ofNullable(last), checksum, margin, suspendedAt);
    }

    private static String refused(RecoveryMark last, String checksum, long margin, Instant suspendedAt) {
        return assertThrows(IllegalStateException.class, () -> start(last, checksum, margin, suspendedAt))
                .getMessage();
    }

    @Test
    void withoutAMarkItIsNewAndNeedsEmptyTables() {
        RecoveryStart start = start(null, OTHER, MARGIN, null);
        assertEquals(RecoveryStart.Kind.NEW, start.kind());
        assertEquals(Optional.of(Set.of()), start.allowedRows());
        assertEquals(new RecoveryMark(NEW, Stage.RESTORING, null, 0, "", "", LATER, null), start.mark(NEW));
    }

    @Test
    void theSameBackupIsContinuedWhereItStopped() {
        for (Stage stage : Stage.values()) {
            RecoveryMark last = last(stage, SUSPENDED);
            RecoveryStart start = start(last, SAME, MARGIN, SUSPENDED);
            assertEquals(RecoveryStart.Kind.CONTINUED, start.kind());
            assertEquals(Optional.empty(), start.allowedRows());
            assertEquals(last, start.mark(NEW));
        }
    }

    @Test
    void aDryRunOnlySaysWhatItWouldDo() {
        RecoveryMark last = last(Stage.ADVANCING, SUSPENDED);
        assertEquals("A new recovery.", start(null, OTHER, MARGIN, null).plan());
        assertEquals(
                "Would continue the recovery that was started at " + STARTED + ", with the margin 1000.",
                start(last, SAME, MARGIN, SUSPENDED).plan());
        assertEquals(
                "Would replace the rows of the recovery from last.jsonl.gz.",
                start(last, OTHER, MARGIN, SUSPENDED).plan());
    }

    @Test
    void aContinuedRecoveryKeepsItsMargin() {
        String refused = refused(last(Stage.ADVANCING, SUSPENDED), SAME, MARGIN + 1, SUSPENDED);
        assertTrue(refused.contains("continue it with --margin 1000."), refused);
    }

    @Test
    void aMaintenanceAfterTheResumptionIsNotEnded() {
        RecoveryMark resumed = last(Stage.RESUMING, SUSPENDED);
        assertTrue(refused(resumed, SAME, MARGIN, LATER).contains("Once that maintenance is over"));
        assertEquals(
                RecoveryStart.Kind.CONTINUED, start(resumed, SAME, MARGIN, null).kind());
    }

    @Test
    void anotherBackupReplacesTheRowsOfAllInterruptedRecoveries() {
        for (Stage stage : Set.of(Stage.RESTORING, Stage.ADVANCING)) {
            RecoveryStart start = start(last(stage, SUSPENDED), OTHER, MARGIN + 1, SUSPENDED);
            assertEquals(RecoveryStart.Kind.REPLACING, start.kind());
            assertEquals(Optional.of(Set.of("last", "earlier")), start.allowedRows());
            assertEquals(
                    new RecoveryMark(NEW, Stage.RESTORING, null, 0, "earlier,last", "", LATER, "version 7"),
                    start.mark(NEW));
        }
    }

    @Test
    void aRecoveryThatSuspendedNothingYetIsReplaced() {
        assertEquals(
                RecoveryStart.Kind.REPLACING,
                start(last(Stage.RESTORING, null), OTHER, MARGIN, LATER).kind());
    }

    @Test
    void anotherBackupIsRefusedOnceNumbersMayHaveBeenAllocated() {
        String expected = "numbers may have been allocated since";
        assertTrue(refused(last(Stage.RESUMING, SUSPENDED), OTHER, MARGIN, SUSPENDED)
                .contains(expected));
        assertTrue(
                refused(last(Stage.ADVANCING, SUSPENDED), OTHER, MARGIN, null).contains(expected));
        assertTrue(
                refused(last(Stage.RESTORING, SUSPENDED), OTHER, MARGIN, LATER).contains(expected));
    }
}
