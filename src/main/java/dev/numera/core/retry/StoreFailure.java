package dev.numera.core.retry;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The store did not do what was requested, and certainly changed nothing: a read that failed, a connection that was
 * refused, an account that refuses the key. A write that was lost to others is {@link WriteResult.Lost} instead, and
 * one without a trustworthy answer is {@link WriteResult.Unknown}, which contains one of these. Callers receive
 * {@code storage-unavailable}, unless a more precise problem is known.
 */
public final class StoreFailure extends ProblemException {
    private static final long serialVersionUID = 1L;

    private final boolean isWorthRetrying;
    private final boolean isOfOneRequest;

    /** @param message what failed, where and why, fit for a caller's eyes: no key, no signature */
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

    /** The same as the answer to one request among others, which go on: sent again, it is answered so again. */
    public StoreFailure ofOneRequest() {
        return new StoreFailure(getMessage(), isWorthRetrying, true, members(), this);
    }

    /** The same with what a caller needs to react. */
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
