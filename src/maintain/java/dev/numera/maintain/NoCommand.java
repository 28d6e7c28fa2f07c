package dev.numera.maintain;

/** The arguments are not a command. The message says what is wrong with them. */
final class NoCommand extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    NoCommand(String message) {
        super(message);
    }
}
