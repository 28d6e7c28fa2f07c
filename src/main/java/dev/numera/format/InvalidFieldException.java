package dev.numera.format;

/** A field of a definition or a request that cannot be used as it is: the entry of problem {@code invalid-request}. */
public final class InvalidFieldException extends IllegalArgumentException {
    private final String field;
    private final String reason;

    public InvalidFieldException(String field, String reason) {
        super(field + ": " + reason);
        this.field = field;
        this.reason = reason;
    }

    /** The field as users know it, such as {@code format} or {@code date}. */
    public String field() {
        return field;
    }

    /**
     * What is wrong, where, and what to do about it, for the user. It may be read on after the field's name, and has no
     * full stop at its end: what tells it sets one.
     */
    public String reason() {
        return reason;
    }
}
