package dev.numera.maintain;

/** The arguments are no command. */
final class NoCommand extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    NoCommand(String message) {
        super(message);
    }
}
