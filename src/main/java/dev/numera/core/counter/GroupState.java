package dev.numera.core.counter;

import dev.numera.core.retry.WriteResult;

/**
 * The state of a group, which determines whether calls may join it. While a write of the group may still win, the group
 * is {@link Pending} or {@link Posted}: no call joins it, none leaves it, and every attempt sends the same plan under
 * the same operation id.
 *
 * <p>For example, a write of the calls a and b times out. If c joined and the three were tried under the same id, and
 * the first write landed late, the id in the counter would wrongly prove that c has a number as well.
 */
sealed interface GroupState {
    /**
     * The group has no plan yet. Calls may join and leave.
     *
     * @param operationId the operation id of the next plan; no write has been sent under it
     */
    record Open(String operationId) implements GroupState {}

    /**
     * The group has a plan, and only this plan may be written for it.
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
         * @param enlisted the calls that were enlisted for that write
         */
        Pending sent(WriteResult result, EnlistedCalls enlisted) {
            boolean isUnknown = result instanceof WriteResult.Unknown;
            Last how = isUnknown ? Last.UNKNOWN : result.hasClashed() ? Last.CLASHED : Last.REFUSED;
            return new Pending(plan, operationId, calls.and(enlisted), how, everUnknown || isUnknown);
        }

        /** Returns the state after a write that changed nothing for certain, because storage could not be used. */
        Pending unsent() {
            return new Pending(plan, operationId, calls, Last.NOT_SENT, everUnknown);
        }

        /** Returns the state after a clash for which the ledger has no row that could have caused it. */
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
     * The group has posted a peer request. Its numbers are written only by a transaction that answers the request, or
     * after the request is closed.
     *
     * @param calls the calls that had consumed nothing before the request was posted
     */
    record Posted(PostedGroup request, EnlistedCalls calls) implements GroupState {}

    /** How the last write of a pending plan ended. */
    enum Last {
        /** No write was sent, or the last one changed nothing for certain. */
        NOT_SENT,
        /** The counter, the definition or a peer request was at another version. */
        REFUSED,
        /** The ledger seemed to contain a row of the write already. */
        CLASHED,
        UNKNOWN
    }
}
