package dev.numera.maintain.restore;

import dev.numera.core.model.Change;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.catalog.Maintenance;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Collects the results of a recovery, sequence by sequence. Thread-safe. */
final class RecoveryTally {
    private final SortedMap<SequenceName, List<Change.Move>> tooFew = new TreeMap<>();
    private final SortedMap<SequenceName, Set<String>> notResumed = new TreeMap<>();
    private final SortedMap<SequenceName, ProblemException> failed = new TreeMap<>();
    private final SortedSet<SequenceName> suspendedByOwner = new TreeSet<>();
    private final SortedSet<SequenceName> retired = new TreeSet<>();
    private long sequences;
    private long counters;

    synchronized void add(Maintenance.RestoredSequence sequence) {
        sequences++;
        counters += sequence.counters();
        if (!sequence.left().isEmpty()) {
            tooFew.put(sequence.name(), sequence.left());
        }
        if (sequence.problem() != null) {
            failed.put(sequence.name(), sequence.problem());
        } else if (Objects.requireNonNull(sequence.definition()).isRetired()) {
            retired.add(sequence.name());
        } else if (sequence.definition().suspension().isByOwner()) {
            suspendedByOwner.add(sequence.name());
        }
    }

    /** Adds a sequence that stays suspended, unless the reason is known already. */
    synchronized void addNotResumed(SequenceName name, Set<String> periods) {
        if (!tooFew.containsKey(name) && !failed.containsKey(name)) {
            notResumed.put(name, periods);
        }
    }

    synchronized boolean hasFailures() {
        return !failed.isEmpty();
    }

    /** @param lost the sequences of the index without their definition; failed sequences are left out */
    synchronized RecoveryReport report(
            BackupReader.Contents backup, List<SequenceName> lost, boolean isCreationClosed) {
        return new RecoveryReport(
                backup,
                sequences,
                counters,
                lost.stream().filter(name -> !failed.containsKey(name)).toList(),
                tooFew,
                notResumed,
                failed,
                List.copyOf(suspendedByOwner),
                List.copyOf(retired),
                isCreationClosed);
    }
}
