package dev.numera.maintain.prove;

/** The run could not check the deployment. The message is one line that says why, and what to do. */
public final class CannotProve extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CannotProve(String message) {
        super(message);
    }
}
