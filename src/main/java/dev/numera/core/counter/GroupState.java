package dev.numera.core.counter;

import dev.numera.core.retry.WriteResult;

/**
 * The state of a group of calls: it admits calls, repeats one pending write, or waits for the answer of peers. While a
 * write of the group may still win, the group is {@link Pending} or {@link Posted}: no call joins it, none leaves it,
 * and what it sends may win only once. A pending group sends the same plan under the same operation id; a posted group
 * is written only through the row of its request, which is answered once.
 *
 * <p>Example: a write of the calls a and b times out. If c joined, and all three were tried under the same id, the
 * first write could land late. Its id in the counter would then count as the proof that c has a number, too.
 */
sealed interface GroupState {
    /**
     * The group has no plan yet. Calls may join and leave.
     *
     * @param operationId the id for the next plan; no write has been sent under this id
     */
    record Open(String operationId) implements GroupState {}

    /**
     * The group may send only this plan.
     *
     * @param calls the calls that had consumed nothing before the plan was sent
     * @param last how the last write of the plan ended
     * @param everUnknown whether some write of the plan had no answer
     */
    record Pending(Plan plan, String operationId, EnlistedCalls calls, Last last, boolean everUnknown)
            implements GroupState {
        Pending(Plan plan, String operationId) {
            this(plan, operationId, EnlistedCalls.NONE, Last.NOT_SENT, false);
        }

        /**
         * Returns the state after a write that is not known to have won.
         *
         * @param enlisted the calls that were enlisted for the write
         */
        Pending sent(WriteResult result, EnlistedCalls enlisted) {
            boolean isUnknown = result instanceof WriteResult.Unknown;
            Last how = isUnknown ? Last.UNKNOWN : result.hasClashed() ? Last.CLASHED : Last.REFUSED;
            return new Pending(plan, operationId, calls.and(enlisted), how, everUnknown || isUnknown);
        }

        /** Returns the state after a write that has surely changed nothing, because storage was unavailable. */
        Pending unsent() {
            return new Pending(plan, operationId, calls, Last.NOT_SENT, everUnknown);
        }

        /**
         * Returns the state after a write that was refused although no ledger row conflicts: another writer was faster,
         * or an intermediary invented the refusal.
         */
        Pending refused() {
            return new Pending(plan, operationId, calls, Last.REFUSED, everUnknown);
        }

        /** Returns the state with the same write, without the rows that the ledger contains already. */
        Pending withoutRows() {
            return new Pending(plan.withoutRows(), operationId, calls, Last.NOT_SENT, everUnknown);
        }

        /** Whether a row of the write seems to be in the ledger already. */
        boolean hasClashed() {
            return last == Last.CLASHED;
        }

        /** Whether the last write was refused, which may be the answer to the second copy of a write that has won. */
        boolean wasRefused() {
            return last == Last.REFUSED || last == Last.CLASHED;
        }
    }

    /**
     * The group is written only by the transaction that answers its peer request, or after the request is closed.
     *
     * @param calls the calls that had consumed nothing before the request was posted
     */
    record Posted(PostedGroup request, EnlistedCalls calls) implements GroupState {}

    /** The outcome of the most recent write of a pending plan. */
    enum Last {
        /** No write was sent, or the last one changed nothing for certain. */
        NOT_SENT,
        /** The counter, the definition or a peer request was at another version. */
        REFUSED,
        /** A row that the write would insert exists: a row of the ledger, or the counter. */
        CLASHED,
        UNKNOWN
    }
}
