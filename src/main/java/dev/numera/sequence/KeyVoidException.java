package dev.numera.sequence;

import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Map;
import java.util.Optional;

/**
 * A key whose numbers are void, and its allocation. A void document must not be printed: a caller that needs numbers
 * after all takes another key.
 */
public final class KeyVoidException extends ProblemException {
    private static final long serialVersionUID = 1L;

    private final transient Numbers numbers;

    /** Why these numbers of a key are none to be used; empty where they are. */
    public static Optional<KeyVoidException> of(SequenceName name, Numbers numbers) {
        return numbers.status().isVoid() ? Optional.of(new KeyVoidException(name, numbers)) : Optional.empty();
    }

    private KeyVoidException(SequenceName name, Numbers numbers) {
        this(
                "The numbers of the key '" + numbers.key() + "' of " + name
                        + " are void. Take another key. The reason: "
                        + numbers.status().reason(),
                numbers);
    }

    private KeyVoidException(String detail, Numbers numbers) {
        super(
                ProblemType.KEY_VOID,
                detail,
                Map.of("allocation", numbers.replayed(false).members()));
        this.numbers = numbers;
    }

    /** For where there is room for one text but not for thousands: without the texts of several numbers. */
    public KeyVoidException withoutManyTexts() {
        return numbers.count() == 1 ? this : new KeyVoidException(getMessage(), numbers.with(numbers.key(), null));
    }
}
