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
 * Decides by later reads whether a write has won when its answer was missing or not conclusive. If the evidence is not
 * enough, the verdict names the {@link Missing} read, so no more is read than the verdict needs.
 *
 * <p>Example: a write of the key order-1 times out. The counter is at another version, its last ids do not include the
 * id of the write, and they do not reach back to the state before the write. Verdict: {@link Missing#ALL_KEYS}. The
 * ledger has a row of order-1 with the id of the write. Verdict: {@link Proved#WON}.
 */
sealed interface WriteVerdict {
    /** The next read that the verdict needs. */
    enum Missing implements WriteVerdict {
        /** The ledger's rows of the keys of the group's own calls. */
        OWN_KEYS,
        /** The ledger's rows of all keys of the write, including the peers' keys. */
        ALL_KEYS,
        /** Whether the ledger has a row with the numbers of the write while the counter is unchanged. */
        NUMBER
    }

    /** The verdicts that need no further read, such as won or lost. */
    enum Proved implements WriteVerdict {
        WON,
        /** No write of the plan has won, and none can win any more. */
        LOST,
        /**
         * No write of the plan can win any more. Each one was refused, so none has won, unless an intermediary sent one
         * of them twice.
         */
        PROBABLY_LOST,
        /** A write of the plan may still win, so the same write is sent again. */
        MAY_STILL_WIN,
        /** No row is in the way: an intermediary invented the refusal, or sent the write twice. */
        SPURIOUS_REFUSAL,
        /**
         * The conflicting row may belong to a peer's key, which only the peer's instance looks up, or to an imported
         * number.
         */
        NOT_OURS_TO_DECIDE,
        /** The ledger has a row of numbers that the counter would allocate: an old counter was restored. */
        BEHIND_LEDGER,
        /** No write of the plan can win any more, and no read can show any more whether one has won. */
        UNRESOLVABLE
    }

    /**
     * The reads after the write.
     *
     * @param definition the definition, which was read before the counter
     * @param isPeerGone whether a peer request that the write would answer was found at another version, before the
     *     counter was read
     * @param ownKeys the ledger's answers for the keys of the group's own calls, by key; null if not read
     * @param allKeys the ledger's answers for all keys of the write, by key; null if not read
     * @param isNumberTaken whether the ledger has a row with the numbers of the write; null if not read
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

        /** The ledger's answers for the keys that were looked up last; empty if none were. */
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
     * @param fixed the fixed fields that callers chose the counter by
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
        return pending.hasClashed() ? onClash(pending.plan(), evidence) : Proved.MAY_STILL_WIN;
    }

    /** Judges whether a write of the plan has won, after it is certain that none can win any more. */
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

    /**
     * Judges by the ledger rows of the write's keys. Either the write cannot win any more, or it would have to insert
     * one of these rows again.
     */
    private static Proved byRows(GroupState.Pending pending, Collection<Result<Allocation>> rows) {
        boolean isOwn = rows.stream()
                .anyMatch(row -> !row.isRefused()
                        && pending.operationId().equals(row.orThrow().operationId()));
        return isOwn ? Proved.WON : Proved.LOST;
    }

    /**
     * Judges a conflict with a ledger row that belongs to none of the group's keys. Apart from that row, the write
     * could still win.
     */
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
