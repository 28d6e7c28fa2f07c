package dev.numera.counter;

/**
 * The store did not do what was asked, and surely changed nothing: a read that failed, a connection that was refused, an account that
 * refuses the key. (A write without a trustworthy answer is {@link WriteResult.Unknown} instead.)
 */
public final class StoreFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean isWorthRetrying;

    /** @param message what failed, where and why, fit for a caller's eyes: no key, no signature */
    public StoreFailure(String message, boolean isWorthRetrying, Throwable cause) {
        super(message, cause);
        this.isWorthRetrying = isWorthRetrying;
    }

    public boolean isWorthRetrying() {
        return isWorthRetrying;
    }
}
