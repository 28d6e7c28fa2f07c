package dev.numera.sequence;

import dev.numera.execution.CharacterBudget;
import dev.numera.execution.Clock;
import dev.numera.execution.StoreFailure;
import dev.numera.execution.WriteResult;
import dev.numera.model.Allocation;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Status;
import dev.numera.model.Versioned;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Issues and voids a key's numbers. The counter is not touched: no number is taken back. Thread-safe; calls block for
 * storage requests, at most for the deadline of the limits and one request more.
 */
public final class Statuses {
    private final SequenceAccess access;
    private final LedgerStore store;
    private final NumbersFormatter formatter;
    private final Clock time;

    Statuses(SequenceAccess access, LedgerStore store, NumbersFormatter formatter, Clock time) {
        this.access = access;
        this.store = store;
        this.formatter = formatter;
        this.time = time;
    }

    /**
     * Confirms numbers that were reserved; those that are issued stay so.
     *
     * @param actor who says so, or null
     * @param share holds the characters of the answer before the status is written
     * @throws ProblemException {@code unknown-sequence}, {@code unknown-key}, {@code not-for-guarantee};
     *     {@code status-final} with the allocation if they are void; {@code overloaded}; {@code outcome-unknown}, after
     *     which the same call may be sent again
     */
    public Numbers issue(SequenceName name, String key, @Nullable String actor, CharacterBudget.Share share) {
        return setStatus(name, key, new Status(Status.Kind.ISSUED, null, actor, time.now()), share);
    }

    /**
     * Voids numbers for ever. The same again changes nothing.
     *
     * @param reason 1 to 200 printable characters
     * @param actor who says so, or null
     * @param share as {@link #issue}
     * @throws ProblemException as {@link #issue}; {@code status-final} if they are void for another reason
     */
    public Numbers makeVoid(
            SequenceName name, String key, String reason, @Nullable String actor, CharacterBudget.Share share) {
        PrintableText.REASON.require("reason", reason);
        return setStatus(name, key, new Status(Status.Kind.VOID, reason, actor, time.now()), share);
    }

    private Numbers setStatus(SequenceName name, String key, Status wanted, CharacterBudget.Share share) {
        PrintableText.KEY.requireStorable("key", key);
        name.requireNoTemplate();
        return access.at(name, visit -> {
            Sequence known = visit.recorded();
            return printed(known, new StatusChange(visit, known, key, wanted, share).done());
        });
    }

    private Numbers printed(Sequence known, Allocation allocation) {
        return formatter.of(known, allocation).replayed(false);
    }

    /** One change with all its attempts. Every attempt reads first: an earlier one may have been written after all. */
    private final class StatusChange {
        private final SequenceAccess.Visit visit;
        private final Sequence known;
        private final String key;
        private final Status wanted;
        private final CharacterBudget.Share share;
        private @Nullable StoreFailure unresolved;

        StatusChange(
                SequenceAccess.Visit visit, Sequence known, String key, Status wanted, CharacterBudget.Share share) {
            this.visit = visit;
            this.share = share;
            this.known = known;
            this.key = key;
            this.wanted = wanted;
        }

        Allocation done() {
            try {
                return visit.untilWon("The status of the key '" + key + "'", () -> visit.retry(this::attempt));
            } catch (ProblemException e) {
                if (unresolved == null || !(e instanceof StoreFailure || e.type() == ProblemType.CONTENTION)) {
                    throw e;
                }
                throw new ProblemException(
                        ProblemType.OUTCOME_UNKNOWN,
                        "The storage did not say whether the status of the key '" + key + "' of " + known.name()
                                + " was written: " + unresolved.getMessage() + " Send the same request again.");
            }
        }

        /**
         * Empty where another status was written meanwhile. A status moves on twice at most: a loser will find one that
         * stays.
         */
        private Optional<Allocation> attempt() {
            Versioned<Allocation> present =
                    LedgerStore.findSent(store, known.name(), key).orElseThrow(this::unknown);
            share.holdAtLeast(printed(known, present.value()).characters());
            Status said = present.value().status();
            if (said.kind() == wanted.kind() && Objects.equals(said.reason(), wanted.reason())) {
                return Optional.of(present.value());
            }
            if (said.isVoid()) {
                throw isFinal(present.value());
            }
            Status replacing = wanted.after(said);
            WriteResult result = store.setStatus(known.name(), present, replacing);
            if (result instanceof WriteResult.Unknown unknown) {
                unresolved = unknown.cause();
                throw unresolved;
            }
            return result instanceof WriteResult.Won
                    ? Optional.of(present.value().with(replacing))
                    : Optional.empty();
        }

        /**
         * Returns the problem of an unknown key. Checks the key's syntax only now, because an earlier version may have
         * stored a key that new requests must not use.
         */
        private ProblemException unknown() {
            PrintableText.KEY.require("key", key);
            return new ProblemException(
                    ProblemType.UNKNOWN_KEY,
                    "There is no allocation under the key '" + key + "' of " + known.name()
                            + ". Allocate under it first.");
        }

        private ProblemException isFinal(Allocation present) {
            return new ProblemException(
                    ProblemType.STATUS_FINAL,
                    "The numbers of the key '" + key + "' of " + known.name() + " are void since "
                            + present.status().at()
                            + ", which is final: who needs numbers after all takes another key. The reason: "
                            + present.status().reason(),
                    Map.of("allocation", printed(known, present).replayed(false).members()));
        }
    }
}
