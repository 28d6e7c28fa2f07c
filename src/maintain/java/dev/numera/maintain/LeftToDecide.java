package dev.numera.maintain;

/** The command did all that it could; an operator decides about the remaining sequences. */
final class LeftToDecide extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LeftToDecide(String message) {
        super(message);
    }
}
