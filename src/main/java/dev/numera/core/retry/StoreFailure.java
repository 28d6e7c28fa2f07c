package dev.numera.core.retry;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A storage request failed and certainly changed nothing: a read failed, a connection was refused, or the account
 * refuses the key. A write that was refused is {@link WriteResult.Refused} instead. A write without a trustworthy
 * answer is {@link WriteResult.Unknown}, which contains one of these failures. Callers receive
 * {@code storage-unavailable}, unless a more precise problem is known.
 */
public final class StoreFailure extends ProblemException {
    private static final long serialVersionUID = 1L;

    private final boolean isWorthRetrying;
    private final boolean isOfOneRequest;

    /**
     * @param message the failed action with its place and reason. Callers see it, so it must not contain a key or a
     *     signature
     */
    public StoreFailure(String message, boolean isWorthRetrying, @Nullable Throwable cause) {
        this(message, isWorthRetrying, false, Map.of(), cause);
    }

    private StoreFailure(
            String message,
            boolean isWorthRetrying,
            boolean isOfOneRequest,
            Map<String, Object> members,
            @Nullable Throwable cause) {
        super(ProblemType.STORAGE_UNAVAILABLE, message, members, cause);
        this.isWorthRetrying = isWorthRetrying;
        this.isOfOneRequest = isOfOneRequest;
    }

    /**
     * Returns this failure as the answer to one request of several. The service works for the others, and the same
     * request would fail in the same way again.
     */
    public StoreFailure ofOneRequest() {
        return new StoreFailure(getMessage(), isWorthRetrying, true, members(), this);
    }

    /** Returns this failure with data that a client needs to react. */
    public StoreFailure with(Map<String, Object> members) {
        return new StoreFailure(getMessage(), isWorthRetrying, isOfOneRequest, members, this);
    }

    @Override
    public boolean isTransient() {
        return isWorthRetrying;
    }

    @Override
    public boolean isTroubleOfTheService() {
        return !isOfOneRequest;
    }

    public boolean isWorthRetrying() {
        return isWorthRetrying;
    }
}
