package dev.numera.localhost;

/**
 * A reason not to start that the user can correct. The message is the one sentence to print: what is wrong, where, what
 * to do.
 */
final class StartRefused extends RuntimeException {
    StartRefused(String message) {
        super(message);
    }

    StartRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
