package dev.numera.localhost;

/**
 * The host cannot start, for a reason that the user can correct. The message is one sentence to print: what is wrong,
 * where, and what to do.
 */
final class StartRefused extends RuntimeException {
    StartRefused(String message) {
        super(message);
    }

    StartRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
