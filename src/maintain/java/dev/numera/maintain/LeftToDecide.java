package dev.numera.maintain;

/** The command did all it could, but an operator must decide about some sequences. The message lists them. */
final class LeftToDecide extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LeftToDecide(String message) {
        super(message);
    }
}
