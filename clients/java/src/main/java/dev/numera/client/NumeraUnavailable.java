package dev.numera.client;

/** No usable answer before the deadline: whether there is a number is not known. The same call, later, returns it. */
public final class NumeraUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int attempts;
    private final int status;

    NumeraUnavailable(String message, int attempts, int status, Throwable cause) {
        super(message, cause);
        this.attempts = attempts;
        this.status = status;
    }

    /** How often the call was sent; 0 where each call was answered, but the list was not done in time. */
    public int attempts() {
        return attempts;
    }

    /** Of the last answer, 0 where there was none. */
    public int status() {
        return status;
    }
}
