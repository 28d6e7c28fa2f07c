package dev.numera.core.counter;

import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Limits;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks another instance to allocate numbers for this instance's calls in its write, when the counter is busy. A group
 * that finds the counter busy is posted as a {@link PeerRequest} in a row of its own. The instance that writes next
 * answers the request in its own transaction.
 *
 * <p>Why no number is allocated twice, and none is lost without need:
 *
 * <ul>
 *   <li>Only the row's own counter inserts, opens and closes the row, always on condition of a known version: see
 *       {@link PeerRequestRow}. So a post that lands late changes nothing, and a post may be repeated.
 *   <li>Only the transaction that takes the numbers answers the row, on condition that it is still open. So the row
 *       shows whether its calls have numbers, however many instances tried to answer it.
 *   <li>A group is frozen from its first post, and cannot be written in any other way: its own instance, too, can only
 *       answer the row. To write otherwise, it must first close the row, and that close must have won. Example: the
 *       instance posts the calls a and b, and wants to write them itself at their deadline. Its close is lost, so a
 *       peer has just answered: the numbers are in the row. If the row vanishes after a post was sent, the outcome is
 *       unknown, whether or not storage confirmed the post.
 *   <li>A group is posted only when no earlier write of its own can still win.
 *   <li>An answer with a state older than the process had observed when it posted comes from a restored table.
 * </ul>
 *
 * <p>Not thread-safe: only the leading thread calls it.
 *
 * <p>Decision: {@code docs/decisions/instances-number-calls-for-each-other.md}.
 */
final class PeerRequester {
    /** The longest time that a request stays open. Other instances keep an unchanged row for twice as long. */
    private static final long LONGEST_NANOS = Duration.ofSeconds(30).toNanos();

    private final CounterId id;
    private final long increment;
    private final Limits limits;
    private final DateLimits dateLimits;
    private final CounterEnvironment around;
    private final Clock time;
    private final KnownCounter knownCounter;
    private final PeerWatcher peers;
    private final PeerAnswers answers;
    private final CounterEvents events;
    private final PeerRequestRow row;
    private @Nullable Long answeredNanos;
    private long openedNanos;
    /** The average time from opening a request to reading its answer, over the recent requests; 0 before the first. */
    private long usualAnswerNanos;

    /** @param increment the increment of the series */
    PeerRequester(
            CounterId id,
            long increment,
            Limits limits,
            DateLimits dateLimits,
            CounterEnvironment around,
            KnownCounter known,
            PeerWatcher peers,
            PeerAnswers answers,
            CounterEvents events) {
        this.id = id;
        this.increment = increment;
        this.limits = limits;
        this.dateLimits = dateLimits;
        this.around = around;
        this.time = around.time();
        this.knownCounter = known;
        this.peers = peers;
        this.answers = answers;
        this.events = events;
        this.row = new PeerRequestRow(id, around, peers);
    }

    /**
     * Posts a group right after the last answer, with the calls that have arrived meanwhile: the counter is still busy,
     * so another request is the shortest way. Blocks for up to half a round trip and for the requests of
     * {@link #begin}.
     *
     * @param admit lets waiting calls join the group
     * @return whether the group was posted
     * @throws StoreFailure nothing was posted
     */
    boolean requestAgain(WriteGroup group, Sequence known, Consumer<WriteGroup> admit) {
        if (!wasJustAnswered() || !mayRequest(group, known)) {
            return false;
        }
        awaitCallers();
        admit.accept(group);
        return beginIfAllowed(group, known);
    }

    /**
     * Posts the requests of a group that keeps losing to other instances. If only this instance can allocate the
     * numbers, asks the others to pause.
     *
     * @return whether the group was posted
     * @throws StoreFailure nothing was posted
     */
    boolean request(WriteGroup group, Versioned<CounterState> base, Sequence known) {
        if (!group.isImport()) {
            Plan alone = GroupPlanner.planOf(
                    id, base, known, group.operationId(), group.openSlots(), List.of(), dateLimits, time.now());
            if (alone.isRefusedElsewhere()) {
                // The plan refuses a request, so another instance would refuse it too.
                return false;
            }
            if (!alone.cutsABlock() && beginIfAllowed(group, known)) {
                return true;
            }
        }
        if (group.losses() % limits.lossesBeforePeerRequest() == 0) {
            requestPause(group);
        }
        return false;
    }

    /**
     * Never posts a key with several Unicode forms: an instance of an earlier version may answer it, or may have stored
     * it in another form, so its own instance looks it up and writes it.
     */
    private boolean beginIfAllowed(WriteGroup group, Sequence known) {
        return mayRequest(group, known) && !hasKeyForms(group) && begin(group);
    }

    private static boolean hasKeyForms(WriteGroup group) {
        return group.openSlots().stream()
                .anyMatch(slot -> slot.request instanceof NumberRequest numberRequest && numberRequest.hasKeyForms());
    }

    private boolean mayRequest(WriteGroup group, Sequence known) {
        return known.isInUse() && !known.isStopped() && canRequest(group, known);
    }

    /**
     * Whether this counter's last request was answered within the last round trip. In that case the counter is still
     * busy, and another request is the shortest way.
     */
    boolean wasJustAnswered() {
        return answeredNanos != null && time.nanoTime() - answeredNanos <= peers.roundTripNanos();
    }

    /**
     * Blocks until half a round trip after the last answer, so that one request includes all callers that return with
     * their next calls. Without the wait, the first call would be posted alone, and the others would wait until it is
     * answered.
     */
    void awaitCallers() {
        long answered = Objects.requireNonNull(answeredNanos, "Its last request was answered.");
        long left = answered + peers.roundTripNanos() / 2 - time.nanoTime();
        if (left > 0) {
            time.pause(Duration.ofNanos(left));
        }
    }

    /**
     * Freezes a group on the peer request to post. Does not freeze it if a caller has left or no row is available. Call
     * only for an existing counter with a definition in use, so that other instances know it.
     *
     * @return whether the group is frozen on a request
     * @throws StoreFailure nothing was posted
     */
    boolean begin(WriteGroup group) {
        if (!group.timed(time, row::prepare)) {
            return false;
        }
        PeerRequestContents contents = new PeerRequestContents();
        new AscendingDates(knownCounter.current(), null, time.now())
                .ascending(group.openSlots())
                .forEach(contents::add);
        Optional<EnlistedCalls> enlisted = EnlistedCalls.allOf(
                group.calls().stream().filter(contents::holdsSomeOf).toList());
        if (enlisted.isEmpty()) {
            return false;
        }
        PostedGroup own = new PostedGroup(
                request(contents.requests()).openedAt(contents.openedAt()),
                contents.slots(),
                knownCounter.farthest(),
                closeAtNanos(group));
        own.waitFor(patience());
        group.freezeOn(own, enlisted.get());
        return true;
    }

    private PeerRequest request(List<NumberRequest> requests) {
        return new PeerRequest(around.counterName(), UUID.randomUUID().toString(), requests);
    }

    /** Whether any instance could serve the group's requests, and time is left to wait for the answer. */
    boolean canRequest(WriteGroup group, Sequence known) {
        return group.openSlots().stream()
                        .allMatch(slot -> slot.request instanceof NumberRequest request
                                && dateLimits.allowsElsewhere(known, request))
                && closeAtNanos(group) - time.nanoTime() > 0;
    }

    private long closeAtNanos(WriteGroup group) {
        long now = time.nanoTime();
        long left = group.calls().stream()
                .mapToLong(call -> call.leftNanos(now))
                .min()
                .orElse(0);
        return now + Math.min(LONGEST_NANOS, left - limits.requestTimeout().toNanos());
    }

    /** Requests a pause from the instances that write, because only this instance can plan the group's write. */
    void requestPause(WriteGroup group) {
        if (group.timed(time, row::prepare)) {
            group.timed(time, () -> row.write(request(List.of())));
        }
    }

    /**
     * Performs one step towards an answer: posts the request, looks at its row, tries to become the writer, or ends the
     * request. The caller of this method removes the calls that are answered by then.
     *
     * @return the result of a write to the row without a trustworthy answer; otherwise empty
     * @throws StoreFailure surely nothing was written
     */
    Optional<WriteResult> follow(WriteGroup group, PostedGroup own) {
        if (group.calls().stream().anyMatch(call -> call.isOver(time.nanoTime(), limits.maxAttempts()))) {
            own.giveUp();
        }
        boolean isToBeClosed = own.isToBeClosed(time.nanoTime());
        if (isToBeClosed && !own.wasSent()) {
            withdraw(group);
            return Optional.empty();
        }
        if (!row.isKnown() || own.wasPosted() && !isToBeClosed) {
            look(group, own);
            return Optional.empty();
        }
        return isToBeClosed ? close(group, own) : open(group, own);
    }

    private Optional<WriteResult> open(WriteGroup group, PostedGroup own) {
        own.sent();
        peers.requested();
        WriteResult result = group.timed(time, () -> row.write(own.request()));
        if (result instanceof WriteResult.Won) {
            own.posted();
            openedNanos = time.nanoTime();
            // The next writer needs a round trip to find the request, so an earlier look would find no answer.
            time.pause(Duration.ofNanos(peers.roundTripNanos()));
        }
        return unlessKnown(result);
    }

    private static Optional<WriteResult> unlessKnown(WriteResult result) {
        return Optional.of(result).filter(WriteResult.Unknown.class::isInstance);
    }

    private int patience() {
        return PeerTurns.looks(around.random().getAsDouble());
    }

    private void look(WriteGroup group, PostedGroup own) {
        PeerRequest read = group.timed(time, row::read).orElse(null);
        if (read == null || !read.id().equals(own.request().id())) {
            boolean isUnopened = read != null && !own.wasPosted() && row.isUnopened(read);
            row.know(read);
            if (!isUnopened) {
                // The row was removed or restored, and may have contained an answer before that. A late post of an
                // earlier pause looks the same.
                group.giveUp(time.nanoTime());
            }
            return;
        }
        switch (read.state()) {
            case ANSWERED -> answered(group, own, read);
            case CLOSED -> withdraw(group);
            case OPEN -> own.foundOpen(read);
        }
        row.know(read);
        // Taking over lasts about as long as one request may. Do not start if the request would have to be closed
        // before the end.
        long after = time.nanoTime() + limits.requestTimeout().toNanos();
        boolean isToBeTakenOver =
                read.state() == PeerRequest.State.OPEN && !own.isToBeClosed(after) && isAnswerLate() && own.countLook();
        if (isToBeTakenOver) {
            takeOver(group, own, read);
        }
    }

    /**
     * Whether the answer takes longer than recent answers did. An earlier look that finds the request open does not
     * show that the writer has stopped: a large transaction, or a busy partition, takes several round trips.
     */
    private boolean isAnswerLate() {
        return time.nanoTime() - openedNanos > PeerTurns.answerNanos(usualAnswerNanos, peers.roundTripNanos());
    }

    private Optional<WriteResult> close(WriteGroup group, PostedGroup own) {
        WriteResult result = group.timed(time, () -> row.write(own.request().closed()));
        if (result instanceof WriteResult.Won) {
            withdraw(group);
        }
        return unlessKnown(result);
    }

    private void withdraw(WriteGroup group) {
        answeredNanos = null;
        group.withdrawn();
        group.dismissLate(time.nanoTime(), limits.requestTimeout().toNanos());
        events.peerRequestEnded(false);
    }

    private void answered(WriteGroup group, PostedGroup own, PeerRequest read) {
        CounterState after = read.requireAfter();
        if (knownCounter.isOfAnotherEpoch(after)) {
            // The instance that requested a block writes the texts of its numbers, so it reads the definition again
            // before any caller gets them.
            knownCounter.reloaded();
        }
        if (own.observed() != null && knownCounter.isBehind(after, own.observed())) {
            answeredNanos = null;
            own.refuse(knownCounter.rolledBack("has the next number " + after.next()
                    + " in the answer of another instance, but was beyond it before"));
        } else {
            own.answer(read, increment);
            answeredNanos = time.nanoTime();
            usualAnswerNanos = PeerTurns.averaged(usualAnswerNanos, answeredNanos - openedNanos);
            knownCounter.reported(after);
        }
        knownCounter.forget();
        end(group);
        events.peerRequestEnded(true);
    }

    private void end(WriteGroup group) {
        group.forEach(WaitingCall::won);
        group.reopen();
    }

    /**
     * Writes for this instance's own request after waiting long enough for an answer. Answers peers in the same write.
     */
    private void takeOver(WriteGroup group, PostedGroup own, PeerRequest stored) {
        Sequence known = knownCounter.current();
        PeerWatcher.Look look = group.timed(time, () -> {
            peers.requested();
            return peers.look(null);
        });
        Versioned<CounterState> base = knownCounter.accept(look.counter(), known, true);
        List<PeerRequest> others = look.requests() == null ? List.of() : look.requests();
        own.waitFor(patience());
        Plan plan = answers.plan(
                base,
                Stream.concat(Stream.of(stored), PeerAnswers.inOrder(others, base).stream())
                        .toList());
        if (plan.answered().stream().noneMatch(answered -> answered.id().equals(stored.id()))) {
            own.giveUp();
            return;
        }
        WriteResult result = group.timed(time, () -> answers.write(plan));
        if (result instanceof WriteResult.Won) {
            row.answered();
            own.answer(plan.answered().get(0), increment);
            end(group);
        } else if (!result.hasClashed()) {
            group.failed(result);
        } else if (plan.answeredWithKeys().stream().noneMatch(peers::isOfPeer)) {
            own.giveUp();
        }
    }
}
