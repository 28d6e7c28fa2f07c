package dev.numera.sequences.definition;

import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Writes changes of definitions, and repeats each write until it wins. Thread-safe; calls block for storage requests.
 */
public final class DefinitionWriter {
    private final SequenceCalls calls;
    private final DefinitionStore store;
    private final Consumer<SequenceName> changed;
    private final Clock time;

    public DefinitionWriter(SequenceCalls calls, DefinitionStore store, Consumer<SequenceName> changed, Clock time) {
        this.calls = calls;
        this.store = store;
        this.changed = changed;
        this.time = time;
    }

    /**
     * Attempts a change until its write wins. Reads the rows again before each attempt, because another change or the
     * mark of the first allocation may have won meanwhile.
     *
     * @param change writes the change and returns the stored definition; empty if the write lost
     * @return the definition that the winning attempt stored; a new read could already return a later change
     */
    Sequence untilWon(SequenceCalls.SequenceCall call, Function<RegisteredSequence, Optional<Sequence>> change) {
        Sequence stored = call.untilWon("The definition", () -> change.apply(call.registered()));
        changed.accept(call.name());
        return stored;
    }

    /** Attempts a change until its write wins, as a new call to the sequence. */
    public Sequence untilWon(SequenceName name, Function<RegisteredSequence, Optional<Sequence>> change) {
        return calls.at(name, call -> untilWon(call, change));
    }

    /** Skips the write and the change-log entry if the definition stays the same. */
    Optional<Sequence> change(Sequence existing, Definition wanted, ChangeNote note) {
        if (wanted.equals(existing.definition()) && !existing.isRetired()) {
            return Optional.of(existing);
        }
        Change change = Change.changed(existing, wanted, note, time.now());
        return ifWon(ChangeRules.changedTo(existing, wanted), after -> store.replace(after, change));
    }

    /** Writes the definition and returns it as stored; empty if the write was lost. */
    public static Optional<Sequence> ifWon(Sequence after, Function<Sequence, WriteResult> write) {
        return isWon(write.apply(after), after.name()) ? Optional.of(after.at(null)) : Optional.empty();
    }

    static boolean isWon(WriteResult result, SequenceName name) {
        if (result instanceof WriteResult.Unknown unknown) {
            throw new ProblemException(
                    ProblemType.OUTCOME_UNKNOWN,
                    "Storage did not confirm whether the definition of " + name + " was written: "
                            + unknown.cause().getMessage()
                            + " Get the definition, and send the change again if it is missing.");
        }
        return result instanceof WriteResult.Won;
    }
}
