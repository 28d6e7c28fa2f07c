package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a write that was not answered as won, by what was read after it. Where the evidence is not enough, the
 * verdict names the read that is {@link Missing}, so no more is read than the verdict needs.
 *
 * <p>For example, a write of the key order-1 times out. The counter is at another version and does not have the id of
 * the write among its last ones, and the list does not reach back to the state before the write:
 * {@link Missing#ALL_KEYS}. The ledger has a row of order-1 with the id of the write: {@link Proved#WON}.
 */
sealed interface WriteVerdict {
    /** What is to be read next. */
    enum Missing implements WriteVerdict {
        /** The ledger's rows of the keys of the group's own calls. */
        OWN_KEYS,
        /** The ledger's rows of all keys of the write, those of peers included. */
        ALL_KEYS,
        /** Whether the ledger has a row with the numbers of the write, while the counter is as it was read. */
        NUMBER
    }

    /** What the evidence shows. */
    enum Proved implements WriteVerdict {
        WON,
        /** No write of the plan has won, and none can win any more. */
        LOST,
        /**
         * No write of the plan can win any more. Each one was refused, so none has won, unless an intermediary sent one
         * of them twice.
         */
        PROBABLY_LOST,
        /** A write of the plan may still win: it is sent again as it is. */
        STILL_OPEN,
        /** The refusal for a row in the way was made up, or answers the second copy of a write. */
        SPURIOUS_REFUSAL,
        /** A row in the way may be of a peer's key, which its own instance looks up, or of an imported number. */
        NOT_OURS_TO_DECIDE,
        /** The ledger has a row of numbers that the counter would allocate: an old counter was restored. */
        BEHIND_LEDGER,
        /** No write of the plan can win any more, and nothing is left that could show whether one has won. */
        UNRESOLVABLE
    }

    /**
     * What was read after the write.
     *
     * @param definition read before the counter
     * @param isPeerGone whether a peer request that the write would answer was found at another version, before the
     *     counter was read
     * @param ownKeys what the ledger has under the keys of the group's own calls, by key; null where it was not read
     * @param allKeys the same for all keys of the write
     * @param isNumberTaken null where it was not read
     */
    record Evidence(
            Sequence definition,
            Versioned<CounterState> counter,
            boolean isPeerGone,
            @Nullable Map<String, Result<Allocation>> ownKeys,
            @Nullable Map<String, Result<Allocation>> allKeys,
            @Nullable Boolean isNumberTaken) {
        Evidence withOwnKeys(Map<String, Result<Allocation>> found) {
            return new Evidence(definition, counter, isPeerGone, found, allKeys, isNumberTaken);
        }

        Evidence withAllKeys(Map<String, Result<Allocation>> found) {
            return new Evidence(definition, counter, isPeerGone, ownKeys, found, isNumberTaken);
        }

        Evidence withNumber(boolean isTaken) {
            return new Evidence(definition, counter, isPeerGone, ownKeys, allKeys, isTaken);
        }

        /** What the ledger has under the keys that were looked up last; empty where none were. */
        Map<String, Result<Allocation>> keys() {
            if (allKeys != null) {
                return allKeys;
            }
            return ownKeys == null ? Map.of() : ownKeys;
        }
    }

    /**
     * Judges the writes of a pending plan.
     *
     * @param fixed the fields by which the counter was chosen
     */
    static WriteVerdict on(GroupState.Pending pending, Evidence evidence, FixedFields fixed) {
        if (evidence.counter().value().isWrittenBy(pending.operationId())) {
            return Proved.WON;
        }
        Map<String, Result<Allocation>> inTheWay = pending.hasClashed() ? evidence.ownKeys() : Map.of();
        if (inTheWay == null) {
            return Missing.OWN_KEYS;
        }
        if (!inTheWay.isEmpty()) {
            return byRows(pending, inTheWay.values());
        }
        if (evidence.isPeerGone() || pending.plan().isOvertaken(evidence.counter(), evidence.definition())) {
            return onOvertaken(pending, evidence, fixed);
        }
        return pending.hasClashed() ? onClash(pending.plan(), evidence) : Proved.STILL_OPEN;
    }

    /** No write of the plan can win any more: has one won before? */
    private static WriteVerdict onOvertaken(GroupState.Pending pending, Evidence evidence, FixedFields fixed) {
        if (pending.plan().isProvedLost(evidence.counter(), fixed)) {
            return Proved.LOST;
        }
        if (!pending.everUnknown()) {
            return Proved.PROBABLY_LOST;
        }
        if (pending.plan().keys().isEmpty()) {
            return Proved.UNRESOLVABLE;
        }
        return evidence.allKeys() == null
                ? Missing.ALL_KEYS
                : byRows(pending, evidence.allKeys().values());
    }

    /** The rows of the keys of a write that cannot win any more, or would have to insert one of them. */
    private static Proved byRows(GroupState.Pending pending, Collection<Result<Allocation>> rows) {
        boolean isOwn = rows.stream()
                .anyMatch(row -> !row.isRefused()
                        && pending.operationId().equals(row.orThrow().operationId()));
        return isOwn ? Proved.WON : Proved.LOST;
    }

    /** The write may still win, but for a row of the ledger that is under none of the group's keys. */
    private static WriteVerdict onClash(Plan plan, Evidence evidence) {
        if (!plan.answeredWithKeys().isEmpty() || plan.isImport()) {
            return Proved.NOT_OURS_TO_DECIDE;
        }
        if (evidence.isNumberTaken() == null) {
            return Missing.NUMBER;
        }
        return evidence.isNumberTaken() ? Proved.BEHIND_LEDGER : Proved.SPURIOUS_REFUSAL;
    }
}
