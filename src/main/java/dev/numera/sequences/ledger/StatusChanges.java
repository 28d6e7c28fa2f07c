package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.AllocationPrinter;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.access.SequenceCalls;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Issues and voids the numbers of a key. The counter stays as it is, so no number is allocated again. Thread-safe;
 * calls block for storage requests, at most for the deadline of the limits and one request more.
 *
 * <p>Decision: {@code docs/decisions/the-status-is-stored-with-the-key.md}.
 */
public final class StatusChanges {
    private final SequenceCalls calls;
    private final LedgerStore store;
    private final AllocationPrinter formatter;
    private final Clock time;

    public StatusChanges(SequenceCalls calls, LedgerStore store, AllocationPrinter formatter, Clock time) {
        this.calls = calls;
        this.store = store;
        this.formatter = formatter;
        this.time = time;
    }

    /**
     * Confirms reserved numbers. Numbers that are already issued stay issued.
     *
     * @param actor the person or system that confirms, as the caller stated; null if not stated
     * @param share reserves the characters of the answer before the status is written
     * @throws ProblemException {@code unknown-sequence}, {@code unknown-key}, {@code not-for-guarantee};
     *     {@code status-final} with the allocation if they are void; {@code overloaded}; {@code outcome-unknown}: send
     *     the same call again
     */
    public PrintedAllocation issue(SequenceName name, String key, @Nullable String actor, CharacterBudget.Share share) {
        return setStatus(name, key, new Status(Status.Kind.ISSUED, null, actor, time.now()), share);
    }

    /**
     * Voids numbers for ever. Voiding them again with the same reason changes nothing.
     *
     * @param reason 1 to 200 printable characters
     * @param actor the person or system that voids, as the caller stated; null if not stated
     * @param share as in {@link #issue}
     * @throws ProblemException as in {@link #issue}; {@code status-final} if they are void for another reason
     */
    public PrintedAllocation makeVoid(
            SequenceName name, String key, String reason, @Nullable String actor, CharacterBudget.Share share) {
        PrintableText.REASON.require("reason", reason);
        return setStatus(name, key, new Status(Status.Kind.VOID, reason, actor, time.now()), share);
    }

    private PrintedAllocation setStatus(SequenceName name, String key, Status wanted, CharacterBudget.Share share) {
        PrintableText.KEY.requireStorable("key", key);
        name.requireNoTemplate();
        return calls.at(name, call -> {
            Sequence known = call.recorded();
            return printed(known, new StatusChange(call, known, key, wanted, share).done());
        });
    }

    private PrintedAllocation printed(Sequence known, Allocation allocation) {
        return formatter.of(known, allocation).replayed(false);
    }

    /**
     * A change with all its attempts. Each attempt reads first, because an earlier attempt may have succeeded without
     * an answer.
     */
    private final class StatusChange {
        private final SequenceCalls.SequenceCall call;
        private final Sequence known;
        private final String key;
        private final Status wanted;
        private final CharacterBudget.Share share;
        private @Nullable StoreFailure unresolved;

        StatusChange(
                SequenceCalls.SequenceCall call,
                Sequence known,
                String key,
                Status wanted,
                CharacterBudget.Share share) {
            this.call = call;
            this.share = share;
            this.known = known;
            this.key = key;
            this.wanted = wanted;
        }

        Allocation done() {
            try {
                return call.untilWon("The status of the key '" + key + "'", () -> call.retry(this::attempt));
            } catch (ProblemException e) {
                if (unresolved == null || !(e instanceof StoreFailure || e.type() == ProblemType.CONTENTION)) {
                    throw e;
                }
                throw new ProblemException(
                        ProblemType.OUTCOME_UNKNOWN,
                        "Storage did not confirm whether the status of the key '" + key + "' of " + known.name()
                                + " was written: " + unresolved.getMessage() + " Send the same request again.");
            }
        }

        /**
         * Attempts the change once; empty if another status was written meanwhile. A status changes at most twice, so a
         * later attempt finds a final one.
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
                            + ", and void is final. If numbers are still needed, take another key. The reason: "
                            + present.status().reason(),
                    Map.of("allocation", printed(known, present).replayed(false).members()));
        }
    }
}
