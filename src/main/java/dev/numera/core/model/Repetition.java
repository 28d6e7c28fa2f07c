package dev.numera.core.model;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.Map;
import java.util.Optional;

/**
 * The relation of a row to another row of the same file that has the same key or the same number. Immutable.
 *
 * @param line the line of the other row in the file, from 1
 */
public record Repetition(Kind kind, int line) {
    /** The relation of the other row to this row. */
    public enum Kind {
        /** The other row is equal and earlier, so this row is not counted again. */
        EQUAL,
        /** The same key with another number, text, date, status or reason. */
        SAME_KEY,
        /** The same number under another key. */
        SAME_NUMBER
    }

    public boolean isEqual() {
        return kind == Kind.EQUAL;
    }

    /**
     * Returns the refusal of a row that contradicts the other row; empty for an equal row. The caller ignores the
     * refusal if the ledger already contains the row.
     */
    public Optional<ProblemException> contradiction(ImportedNumber row) {
        return switch (kind) {
            case EQUAL -> Optional.empty();
            case SAME_KEY ->
                Optional.of(refusal(
                        ProblemType.KEY_REUSED, "The key '" + row.key() + "'", "with other values than in this row"));
            case SAME_NUMBER -> Optional.of(refusal(ProblemType.NUMBER_TAKEN, shown(row), "under another key"));
        };
    }

    private ProblemException refusal(ProblemType type, String what, String how) {
        return new ProblemException(
                type,
                what + " is also in line " + line + " of the file, " + how + ". Correct or remove one of the two rows.",
                Map.of("line", line));
    }

    private static String shown(ImportedNumber row) {
        return row.text() == null ? "The number " + row.number() : "The number of the text " + row.text();
    }
}
