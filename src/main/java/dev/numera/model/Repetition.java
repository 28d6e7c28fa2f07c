package dev.numera.model;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Map;
import java.util.Optional;

/**
 * Another row of the same file with the key or the number of a row. Immutable.
 *
 * @param line of the other row in what was sent, from 1
 */
public record Repetition(Kind kind, int line) {
    /** How the other row relates to this one. */
    public enum Kind {
        /** Equal and earlier, so this row counts no more. */
        EQUAL,
        /** The same key with another number, text, date, status or reason. */
        SAME_KEY,
        /** The same number under another key. */
        SAME_NUMBER
    }

    public boolean isEqual() {
        return kind == Kind.EQUAL;
    }

    /** Why a row with this repetition is refused, unless the ledger agrees with the row; empty for an equal row. */
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
