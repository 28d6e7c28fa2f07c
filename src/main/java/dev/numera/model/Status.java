package dev.numera.model;

import dev.numera.problem.Word;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is said of the numbers of a key. It only moves on: from reserved to issued, and from both to void. No number is
 * ever taken back by it. Immutable.
 *
 * @param reason why they are void; null for anything else
 * @param actor who said so, by the caller's word; null where nobody is named
 * @param at when it was said; null where nothing was said, so that the numbers are simply issued
 */
public record Status(Kind kind, @Nullable String reason, @Nullable String actor, @Nullable Instant at) {
    /** Whether the numbers are in use. */
    public enum Kind {
        ISSUED,
        /** Not yet: whoever asked for them will say so. */
        RESERVED,
        /** Never again. */
        VOID
    }

    public static final Status SIMPLY_ISSUED = new Status(Kind.ISSUED, null, null, null);

    public static Status reserved(Instant at) {
        return new Status(Kind.RESERVED, null, null, at);
    }

    /** As callers and rows have it, by the names of its fields, without the actor; empty where nothing was said. */
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
