package dev.numera.client;

/**
 * No usable answer arrived before the deadline, so it is unknown whether a number was allocated. With a key, the same
 * call returns it later.
 */
public final class NumeraUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int attempts;
    private final int status;

    NumeraUnavailable(String message, int attempts, int status, Throwable cause) {
        super(message, cause);
        this.attempts = attempts;
        this.status = status;
    }

    /** The number of times that the call was sent; 0 if each call was answered, but the list was not done in time. */
    public int attempts() {
        return attempts;
    }

    /** The status of the last answer; 0 if none arrived. */
    public int status() {
        return status;
    }
}
