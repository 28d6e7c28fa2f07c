package dev.numera.model;

import dev.numera.problem.Word;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a key's numbers. It only advances: from reserved to issued, and from both to void. It takes no number
 * back. Immutable.
 *
 * @param reason why they are voided; null for any other kind
 * @param actor who set it, as the caller stated; null where the caller named none
 * @param at when it was set; null where it never was, so that the numbers are simply issued
 */
public record Status(Kind kind, @Nullable String reason, @Nullable String actor, @Nullable Instant at) {
    /** Whether the numbers are in use. */
    public enum Kind {
        ISSUED,
        /** Not in use yet: the caller issues or voids them later. */
        RESERVED,
        /** Never in use again. */
        VOID
    }

    public static final Status SIMPLY_ISSUED = new Status(Kind.ISSUED, null, null, null);

    public static Status reserved(Instant at) {
        return new Status(Kind.RESERVED, null, null, at);
    }

    /** As callers and rows have it, by the names of its fields, without the actor; empty where it was never set. */
    public Map<String, String> fields() {
        if (at == null) {
            return Map.of();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("status", Word.of(kind));
        if (reason != null) {
            fields.put("reason", reason);
        }
        fields.put("statusAt", at.toString());
        return fields;
    }

    /** Whether the index of numbers that are not simply issued holds it. */
    public boolean isMarked() {
        return kind != Kind.ISSUED;
    }

    public boolean isVoid() {
        return kind == Kind.VOID;
    }
}
