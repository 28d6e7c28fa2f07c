package dev.numera.maintain.history;

import org.jspecify.annotations.Nullable;

/**
 * The status of a key's numbers.
 *
 * @param reason why they are voided; null for any other kind, and where the answer did not contain it
 */
public record KeyStatus(Kind kind, @Nullable String reason) {
    /** In the only order in which they may follow each other. */
    public enum Kind {
        RESERVED,
        ISSUED,
        VOID
    }

    public static final KeyStatus RESERVED = new KeyStatus(Kind.RESERVED, null);
    public static final KeyStatus ISSUED = new KeyStatus(Kind.ISSUED, null);

    /** @param reason null where it is not known */
    public static KeyStatus voided(@Nullable String reason) {
        return new KeyStatus(Kind.VOID, reason);
    }

    /** Whether both can be the status of one key that is voided once. */
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
