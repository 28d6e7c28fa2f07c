package dev.numera.sequences.numbering;

import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.sequences.access.PrintedAllocation;
import java.util.Map;
import java.util.Optional;

/**
 * A key whose numbers are void, and its allocation. A void document must not be printed: a caller that needs numbers
 * after all takes another key.
 */
public final class KeyVoidException extends ProblemException {
    private static final long serialVersionUID = 1L;

    private final transient PrintedAllocation printed;

    /** Why these numbers of a key are none to be used; empty where they are. */
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

    /** For where there is room for one text but not for thousands: without the texts of several numbers. */
    public KeyVoidException withoutManyTexts() {
        return printed.count() == 1 ? this : new KeyVoidException(getMessage(), printed.with(printed.key(), null));
    }
}
