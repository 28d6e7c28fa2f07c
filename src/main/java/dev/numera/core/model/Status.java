package dev.numera.core.model;

import dev.numera.core.problem.EnumWord;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a key's numbers. It only advances: from reserved to issued, and from both to void. It takes no number
 * back. Immutable.
 *
 * @param reason why they are voided; null for any other kind
 * @param actor who set it, as the caller stated; null where the caller named none
 * @param at when it was set; null where it never was, so that the numbers are simply issued
 * @param before the status that it replaced; null where that was never set, or where an earlier release replaced it
 */
public record Status(
        Kind kind, @Nullable String reason, @Nullable String actor, @Nullable Instant at, @Nullable Status before) {
    /** Whether the numbers are in use. */
    public enum Kind {
        ISSUED,
        /** Not in use yet: the caller issues or voids them later. */
        RESERVED,
        /** Never in use again. */
        VOID
    }

    /** One that replaced none. */
    public Status(Kind kind, @Nullable String reason, @Nullable String actor, @Nullable Instant at) {
        this(kind, reason, actor, at, null);
    }

    public static final Status SIMPLY_ISSUED = new Status(Kind.ISSUED, null, null, null);

    /** @param actor who reserved them, as the caller stated; null where the caller named none */
    public static Status reserved(Instant at, @Nullable String actor) {
        return new Status(Kind.RESERVED, null, actor, at);
    }

    /** The same in place of another one. */
    public Status after(Status replaced) {
        return new Status(kind, reason, actor, at, replaced.at() == null ? null : replaced);
    }

    /** Each status that was set, the first one first: at most three. */
    public List<Status> history() {
        Deque<Status> all = new ArrayDeque<>();
        for (Status each = this; each != null && each.at() != null; each = each.before()) {
            all.addFirst(each);
        }
        return List.copyOf(all);
    }

    /** As callers have it, by the names of its fields; empty where it was never set. */
    public Map<String, String> fields() {
        if (at == null) {
            return Map.of();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("status", EnumWord.of(kind));
        if (reason != null) {
            fields.put("reason", reason);
        }
        fields.put("statusAt", at.toString());
        if (actor != null) {
            fields.put("statusActor", actor);
        }
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
