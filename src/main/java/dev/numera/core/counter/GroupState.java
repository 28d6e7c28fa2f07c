package dev.numera.core.counter;

import dev.numera.core.retry.WriteResult;

/**
 * What a group may do. While a write of the group may still win, the group is {@link Pending} or {@link Posted}: no
 * call joins it, none leaves it, and every attempt carries the same plan under the same operation id.
 *
 * <p>For example, a write of the calls a and b times out. If c joined and the three were tried under the same id, and
 * the first write landed late, the id in the counter would be taken for the proof that c has a number, too.
 */
sealed interface GroupState {
    /**
     * Calls may join and leave.
     *
     * @param operationId under which the next plan will be written; no write has been sent under it
     */
    record Open(String operationId) implements GroupState {}

    /**
     * The group is written only by this plan.
     *
     * @param calls those that had consumed nothing before the plan was sent
     * @param last how the last write of the plan ended
     * @param everUnknown whether some write of the plan had no answer
     */
    record Pending(Plan plan, String operationId, EnlistedCalls calls, Last last, boolean everUnknown)
            implements GroupState {
        Pending(Plan plan, String operationId) {
            this(plan, operationId, EnlistedCalls.NONE, Last.NOT_SENT, false);
        }

        /**
         * After a write that is not known to have won.
         *
         * @param enlisted the calls that were enlisted for it
         */
        Pending sent(WriteResult result, EnlistedCalls enlisted) {
            boolean isUnknown = result instanceof WriteResult.Unknown;
            Last how = isUnknown ? Last.UNKNOWN : result.hasClashed() ? Last.CLASHED : Last.REFUSED;
            return new Pending(plan, operationId, calls.and(enlisted), how, everUnknown || isUnknown);
        }

        /** After a write that has surely changed nothing, because storage could not be used. */
        Pending unsent() {
            return new Pending(plan, operationId, calls, Last.NOT_SENT, everUnknown);
        }

        /** After no row was found that could have caused the clash. */
        Pending refused() {
            return new Pending(plan, operationId, calls, Last.REFUSED, everUnknown);
        }

        /** The same write without the rows that the ledger contains already. */
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
     * The group is written only by a transaction that answers its peer request, or after the request is closed.
     *
     * @param calls those that had consumed nothing before the request was posted
     */
    record Posted(PostedGroup request, EnlistedCalls calls) implements GroupState {}

    /** The end of the last write of a pending plan. */
    enum Last {
        /** No write was sent, or the last one surely changed nothing. */
        NOT_SENT,
        /** The counter, the definition or a peer request was at another version. */
        REFUSED,
        /** A row of the ledger was in the way. */
        CLASHED,
        UNKNOWN
    }
}
