package dev.numera.maintain.restore;

import dev.numera.core.model.Change;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The result of a recovery. Sequences are listed in the order of their names. Immutable.
 *
 * @param backup the summary of the backup
 * @param sequences how many sequences were restored
 * @param counters how many counters the restored sequences have
 * @param lost sequences that are in the index but not in the backup: they refuse calls until they are defined again
 * @param tooFew counters with fewer numbers left than twice the margin: they were not advanced, and their sequences
 *     stay suspended
 * @param notResumed sequences that stay suspended because restored counters were not advanced, with the periods of
 *     these counters
 * @param failed sequences that could not be read or changed, and why
 * @param suspendedByOwner sequences that stay suspended because their owners suspended them
 * @param retired sequences that stay retired
 * @param isCreationClosed whether requests for numbers are prevented from creating sequences
 */
public record RecoveryReport(
        BackupReader.Contents backup,
        long sequences,
        long counters,
        List<SequenceName> lost,
        Map<SequenceName, List<Change.Move>> tooFew,
        Map<SequenceName, Set<String>> notResumed,
        Map<SequenceName, ProblemException> failed,
        List<SequenceName> suspendedByOwner,
        List<SequenceName> retired,
        boolean isCreationClosed) {
    /** Whether an operator has to decide about a sequence before it allocates again. */
    public boolean isLeftToDecide() {
        return isCreationClosed || !lost.isEmpty() || !tooFew.isEmpty() || !notResumed.isEmpty() || !failed.isEmpty();
    }
}
