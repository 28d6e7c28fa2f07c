package dev.numera.maintain.history;

import org.jspecify.annotations.Nullable;

/**
 * The status of a key's numbers.
 *
 * @param reason why the numbers are void; null for the other kinds, and when the answer did not contain the reason
 */
public record KeyStatus(Kind kind, @Nullable String reason) {
    /** The kinds of a status. A status can only change to a later constant of this list. */
    public enum Kind {
        RESERVED,
        ISSUED,
        VOID
    }

    public static final KeyStatus RESERVED = new KeyStatus(Kind.RESERVED, null);
    public static final KeyStatus ISSUED = new KeyStatus(Kind.ISSUED, null);

    /** @param reason null when it is unknown */
    public static KeyStatus voided(@Nullable String reason) {
        return new KeyStatus(Kind.VOID, reason);
    }

    /** Whether both can describe the same status: equal kinds, and equal reasons if both are known. */
    boolean agreesWith(KeyStatus other) {
        return kind == other.kind && (reason == null || other.reason == null || reason.equals(other.reason));
    }

    boolean isVoid() {
        return kind == Kind.VOID;
    }

    @Override
    public String toString() {
        return kind + (reason == null ? "" : " (" + reason + ")");
    }
}
