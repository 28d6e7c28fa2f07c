package dev.numera.core.model;

import dev.numera.core.problem.Actor;
import dev.numera.core.problem.EnumWord;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a key's numbers. It only advances: from reserved to issued, and from either to void. Void numbers are
 * not allocated again. Immutable.
 *
 * @param reason why the numbers are void; null for any other kind
 * @param actor the person or system that set the status, as the caller stated; null if not stated
 * @param at when the status was set; null if it never was, so that the numbers are issued since their allocation
 * @param before the status that this one replaced; null if there was none, or if an earlier release replaced it
 */
public record Status(
        Kind kind, @Nullable String reason, @Nullable String actor, @Nullable Instant at, @Nullable Status before) {
    /** Whether the numbers are in use. */
    public enum Kind {
        ISSUED,
        /** The numbers are not in use yet. The caller issues or voids them later. */
        RESERVED,
        /** The numbers are never used again. */
        VOID
    }

    /** Creates a status that replaces none. */
    public Status(Kind kind, @Nullable String reason, @Nullable String actor, @Nullable Instant at) {
        this(kind, reason, actor, at, null);
    }

    public static final Status SIMPLY_ISSUED = new Status(Kind.ISSUED, null, null, null);

    /**
     * Returns the status of reserved numbers.
     *
     * @param actor the person or system that reserved the numbers, as the caller stated; null if not stated
     */
    public static Status reserved(Instant at, @Nullable String actor) {
        return new Status(Kind.RESERVED, null, actor, at);
    }

    /** Returns this status with the replaced status as the previous entry of its history. */
    public Status after(Status replaced) {
        return new Status(kind, reason, actor, at, replaced.at() == null ? null : replaced);
    }

    /** Returns each status that was set, the oldest first: at most three. */
    public List<Status> history() {
        if (at == null) {
            return List.of();
        }
        Deque<Status> all = new ArrayDeque<>();
        for (Status each = this; each != null && each.at() != null; each = each.before()) {
            all.addFirst(each);
        }
        return List.copyOf(all);
    }

    /** Returns the fields of this status in answers, by name; empty if it was never set. */
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
            fields.putAll(Actor.fields("statusActor", actor));
        }
        return fields;
    }

    /** Whether the ledger has a mark for this status. Marks list the reserved and the void numbers. */
    public boolean isMarked() {
        return kind != Kind.ISSUED;
    }

    public boolean isVoid() {
        return kind == Kind.VOID;
    }
}
