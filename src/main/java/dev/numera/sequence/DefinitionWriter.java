package dev.numera.sequence;

import dev.numera.execution.Clock;
import dev.numera.execution.WriteResult;
import dev.numera.model.Change;
import dev.numera.model.ChangeNote;
import dev.numera.model.Definition;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Writes changes of definitions, each until it is won. Thread-safe; calls block for storage requests. */
final class DefinitionWriter {
    private final SequenceAccess access;
    private final DefinitionStore store;
    private final Consumer<SequenceName> changed;
    private final Clock time;

    DefinitionWriter(SequenceAccess access, DefinitionStore store, Consumer<SequenceName> changed, Clock time) {
        this.access = access;
        this.store = store;
        this.changed = changed;
        this.time = time;
    }

    /**
     * Attempts a change until it is won, each time on the rows as they are then: another change, or a mark, may have
     * come between.
     *
     * @param change what is stored then; empty where it was lost
     * @return what the attempt that was won stored: what is read now may be another's
     */
    Sequence untilWon(SequenceAccess.Visit visit, Function<RegisteredSequence, Optional<Sequence>> change) {
        Sequence stored = visit.untilWon("The definition", () -> change.apply(visit.registered()));
        changed.accept(visit.name());
        return stored;
    }

    /** As the other, in a call of its own. */
    Sequence untilWon(SequenceName name, Function<RegisteredSequence, Optional<Sequence>> change) {
        return access.at(name, visit -> untilWon(visit, change));
    }

    /** What changes nothing is not written, and not kept as a change. */
    Optional<Sequence> change(Sequence existing, Definition wanted, ChangeNote note) {
        if (wanted.equals(existing.definition()) && !existing.isRetired()) {
            return Optional.of(existing);
        }
        Change change = Change.changed(existing, wanted, note, time.now());
        return ifWon(ChangeRules.changedTo(existing, wanted), after -> store.replace(after, change));
    }

    /** Writes the definition and returns it as stored; empty if the write was lost. */
    static Optional<Sequence> ifWon(Sequence after, Function<Sequence, WriteResult> write) {
        return isWon(write.apply(after), after.name()) ? Optional.of(after.at(null)) : Optional.empty();
    }

    static boolean isWon(WriteResult result, SequenceName name) {
        if (result instanceof WriteResult.Unknown unknown) {
            throw new ProblemException(
                    ProblemType.OUTCOME_UNKNOWN,
                    "The storage did not say whether the definition of " + name + " was written: "
                            + unknown.cause().getMessage() + " Get it, and send the change again if it is not there.");
        }
        return result instanceof WriteResult.Won;
    }
}
