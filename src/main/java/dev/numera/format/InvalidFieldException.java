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

    /** What is wrong, where, and what to do about it; a sentence for the user without the field's name. */
    public String reason() {
        return reason;
    }
}
