package dev.numera.counter;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The store did not do what was asked, and surely changed nothing: a read that failed, a connection that was refused,
 * an account that refuses the key. It stands, too, for a write that was lost to others: whoever tries again what is
 * worth it reads and writes anew, and a caller hears of it when no try is left. (A write without a trustworthy answer
 * is {@link WriteResult.Unknown} instead, which tells by one of these what happened.) Callers are told
 * {@code storage-unavailable} where nobody knows better.
 */
public final class StoreFailure extends ProblemException {
    private static final long serialVersionUID = 1L;

    private final boolean isWorthRetrying;

    /** @param message what failed, where and why, fit for a caller's eyes: no key, no signature */
    public StoreFailure(String message, boolean isWorthRetrying, @Nullable Throwable cause) {
        super(ProblemType.STORAGE_UNAVAILABLE, message, Map.of(), cause);
        this.isWorthRetrying = isWorthRetrying;
    }

    public boolean isWorthRetrying() {
        return isWorthRetrying;
    }
}
