package dev.numera.sequences.access;

import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.Optional;

/**
 * The two stored rows of a sequence: its definition and its index row. Either may be missing.
 *
 * <p>Decision: {@code docs/decisions/a-lost-table-never-restarts-a-sequence.md}.
 */
public record RegisteredSequence(SequenceName name, Optional<Sequence> stored, Optional<Versioned<String>> indexed) {
    /**
     * Whether the definition was lost. An index row is written only for an existing definition, and is replaced only
     * when the sequence is defined again, so an index row without its definition proves the loss.
     */
    public boolean isLost() {
        return indexed.isPresent() && !indexed.map(Versioned::value).equals(stored.map(Sequence::id));
    }

    /** @throws ProblemException {@code rolled-back} */
    public void requireNotLost() {
        if (isLost()) {
            throw lost(name);
        }
    }

    /** @throws ProblemException {@code unknown-sequence} */
    public Sequence present() {
        return stored.orElseThrow(() -> unknown(name));
    }

    public static ProblemException lost(SequenceName name) {
        return new ProblemException(
                ProblemType.ROLLED_BACK,
                "The definition of " + name + " is missing or does not match the index: a table was lost. Ask the"
                        + " operator first: a definition that you PUT would stop a recovery. If none is running or"
                        + " planned, define the sequence again by PUT with If-None-Match: * and a start beyond every"
                        + " number that was allocated. If its counter still exists, send its original start instead,"
                        + " then advance and resume the sequence.");
    }

    public static ProblemException unknown(SequenceName name) {
        return unknown(name, "Create it with PUT.");
    }

    static ProblemException unknown(SequenceName name, String whatToDo) {
        return new ProblemException(ProblemType.UNKNOWN_SEQUENCE, "There is no sequence " + name + ". " + whatToDo);
    }
}
