package dev.numera.sequences.numbering;

import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.sequences.access.PrintedAllocation;
import java.util.Map;
import java.util.Optional;

/**
 * The refusal of a key whose numbers are void, with their allocation. A void document must not be printed: a caller
 * that still needs numbers takes another key.
 */
public final class KeyVoidException extends ProblemException {
    private static final long serialVersionUID = 1L;

    private final transient PrintedAllocation printed;

    /** Returns the refusal if the numbers of the key are void; empty otherwise. */
    public static Optional<KeyVoidException> of(SequenceName name, PrintedAllocation printed) {
        return printed.status().isVoid() ? Optional.of(new KeyVoidException(name, printed)) : Optional.empty();
    }

    private KeyVoidException(SequenceName name, PrintedAllocation printed) {
        this(
                "The numbers of the key '" + printed.key() + "' of " + name
                        + " are void. Take another key. The reason: "
                        + printed.status().reason(),
                printed);
    }

    private KeyVoidException(String detail, PrintedAllocation printed) {
        super(
                ProblemType.KEY_VOID,
                detail,
                Map.of("allocation", printed.replayed(false).members()));
        this.printed = printed;
    }

    /**
     * Returns the refusal without the texts of several numbers, for answers with room for one text but not for
     * thousands.
     */
    public KeyVoidException withoutManyTexts() {
        return printed.count() == 1 ? this : new KeyVoidException(getMessage(), printed.with(printed.key(), null));
    }
}
