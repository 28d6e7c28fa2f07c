package dev.numera.format;

/**
 * A text that its format cannot have written: the problem {@code text-unreadable}. The message says what was expected
 * where.
 */
public final class TextUnreadableException extends IllegalArgumentException {
    private final String reason;
    private final int position;

    TextUnreadableException(String reason, int position) {
        super(reason);
        this.reason = reason;
        this.position = position;
    }

    /** The reason, which is never null. */
    @Override
    public String getMessage() {
        return reason;
    }

    /**
     * The character at which reading failed, counted in UTF-16 units from 1; one past the end for a text that ends
     * early.
     */
    public int position() {
        return position;
    }
}
