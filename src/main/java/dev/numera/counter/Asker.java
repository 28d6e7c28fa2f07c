package dev.numera.counter;

import dev.numera.execution.Limits;
import dev.numera.execution.StoreFailure;
import dev.numera.execution.Timekeeper;
import dev.numera.execution.WriteResult;
import dev.numera.model.Allocation;
import dev.numera.model.CounterId;
import dev.numera.model.Request;
import dev.numera.model.Sequence;
import dev.numera.model.Versioned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Merges across instances. A group that found the counter busy is posted as an {@link InstanceAsk} in a row of its own;
 * whichever instance writes next answers it in the same transaction.
 *
 * <p>Why no number is handed out twice, nor taken for nobody without need:
 *
 * <ul>
 *   <li>The row is inserted closed, and opened and closed by its own counter alone, always on condition of a version
 *       that is known: see {@link OwnRow}. So a post that lands late changes nothing, and a post may be repeated.
 *   <li>It is answered only by the transaction that takes the numbers, on condition that it is still open. So whether
 *       its calls have numbers stands in the row, however often and by whomever it was tried.
 *   <li>From its first post on a group is frozen, and written in no other way: its own instance, too, can only answer
 *       the row. To write otherwise it must have closed the row, and won. A row that vanished after a post was sent
 *       leaves the outcome unknown, whether the post was answered or not.
 *   <li>A group is posted only when no earlier write of its own can still win.
 *   <li>An answer from before what this process had seen when it asked is one of a table that was put back.
 * </ul>
 *
 * <p>Belongs to the leader of the line.
 */
final class Asker {
    /** Of what a row may be kept for by others, only half is used. */
    private static final long LONGEST_NANOS = Duration.ofSeconds(30).toNanos();
    /** Who asked becomes the writer after so many looks in vain at the earliest. */
    private static final int LEAST_LOOKS = 2;
    /** After so many at the latest: chance keeps two who asked from doing so in step. */
    private static final int MOST_LOOKS = 4;

    private final CounterId id;
    private final long increment;
    private final Limits limits;
    private final Counter.Surroundings around;
    private final Timekeeper time;
    private final View view;
    private final Rivals rivals;
    private final Committer committer;
    private final CounterEvents events;
    private final OwnRow row;
    private @Nullable Long answeredNanos;

    /** @param increment of the series */
    Asker(
            CounterId id,
            long increment,
            Limits limits,
            Counter.Surroundings around,
            View view,
            Rivals rivals,
            Committer committer,
            CounterEvents events) {
        this.id = id;
        this.increment = increment;
        this.limits = limits;
        this.around = around;
        this.time = around.time();
        this.view = view;
        this.rivals = rivals;
        this.committer = committer;
        this.events = events;
        this.row = new OwnRow(id, around, rivals);
    }

    /** Whether its last ask was answered just now: then the counter is busy still, and asking is the shortest way. */
    boolean wasJustAnswered() {
        return answeredNanos != null && time.nanoTime() - answeredNanos <= rivals.roundTripNanos();
    }

    /**
     * Freezes a group on what is to be posted for it, unless a caller has given up or there is no row to post it in;
     * returns whether the group has asked. Other instances know the counter: it is there, under a definition in use.
     *
     * @throws StoreFailure nothing was posted
     */
    boolean begin(Group group) {
        if (!group.timed(time, row::prepare)) {
            return false;
        }
        Choice choice = new Choice();
        new DatedRequests(id, view.current(), null, time.now())
                .inOrder(group.openSlots())
                .forEach(choice::add);
        List<Call> certain = group.calls().stream().filter(choice::isFirstFor).toList();
        if (!enlist(certain)) {
            return false;
        }
        List<Request.Allocate> requests =
                choice.slots.stream().map(Choice::request).toList();
        Asked asked =
                new Asked(ask(requests), choice.slots, certain, view.seen().last(), closeAtNanos(group));
        asked.waitFor(patience());
        group.ask(asked);
        return true;
    }

    /** False when a caller was told already that nothing was consumed: then nothing may be posted for it. */
    private static boolean enlist(List<Call> certain) {
        if (certain.stream().allMatch(Call::enlist)) {
            return true;
        }
        certain.forEach(Call::discharge);
        return false;
    }

    /**
     * As much of a group as one ask holds, up to the first request that finds no room: what comes after it is for the
     * next one, in the same order. A key that comes again waits for what it gets the first time, and takes no number.
     */
    private static final class Choice {
        private final List<Call.Slot> slots = new ArrayList<>();
        private final Set<String> keys = new HashSet<>();
        private int rows;
        private int units;
        private boolean isFull;

        static Request.Allocate request(Call.Slot slot) {
            return slot.request.askable().orElseThrow();
        }

        /** Whether it holds something of a call that has surely consumed nothing yet. */
        boolean isFirstFor(Call call) {
            return !call.mayHaveConsumed() && call.openSlots().stream().anyMatch(slots::contains);
        }

        void add(Call.Slot slot) {
            Request.Allocate request = request(slot);
            String key = request.key();
            if (key != null && keys.contains(key)) {
                return;
            }
            isFull |= slots.size() == InstanceAsk.MAX_REQUESTS
                    || rows + request.rows() > InstanceAsk.MAX_ROWS
                    || units + request.ledgerUnits() > InstanceAsk.MAX_LEDGER_UNITS;
            if (!isFull) {
                if (key != null) {
                    keys.add(key);
                }
                slots.add(slot);
                rows += request.rows();
                units += request.ledgerUnits();
            }
        }
    }

    private InstanceAsk ask(List<Request.Allocate> requests) {
        return new InstanceAsk(around.process(), UUID.randomUUID().toString(), requests);
    }

    /** Whether what the group needs can be asked for, and time is left to wait for the answer. */
    boolean canAsk(Group group) {
        return group.openSlots().stream()
                        .allMatch(slot -> slot.request.askable().isPresent())
                && closeAtNanos(group) - time.nanoTime() > 0;
    }

    private long closeAtNanos(Group group) {
        long now = time.nanoTime();
        long left = group.calls().stream()
                .mapToLong(call -> call.leftNanos(now))
                .min()
                .orElse(0);
        return now + Math.min(LONGEST_NANOS, left - limits.requestTimeout().toNanos());
    }

    /** Asks those who write for a pause: for what nobody else can do. */
    void askForPause(Group group) {
        if (group.timed(time, row::prepare)) {
            group.timed(time, () -> row.write(ask(List.of()), InstanceAsk.State.OPEN));
        }
    }

    /**
     * One step towards an answer: a post, a look at the row, an attempt to be the one who writes, or the end of asking.
     * Who has an answer then is dismissed by the caller.
     *
     * @return a write of the row without a trustworthy answer; else empty
     * @throws StoreFailure surely nothing was written
     */
    Optional<WriteResult> follow(Group group, Asked asked) {
        if (group.calls().stream().anyMatch(call -> call.isOver(time.nanoTime(), limits.maxAttempts()))) {
            asked.giveUp();
        }
        boolean isToBeClosed = asked.isToBeClosed(time.nanoTime());
        if (isToBeClosed && !asked.wasSent()) {
            withdraw(group, asked);
            return Optional.empty();
        }
        if (!row.isKnown() || asked.wasPosted() && !isToBeClosed) {
            return look(group, asked);
        }
        return isToBeClosed ? close(group, asked) : open(group, asked);
    }

    private Optional<WriteResult> open(Group group, Asked asked) {
        asked.sent();
        WriteResult result = group.timed(time, () -> row.write(asked.ask(), InstanceAsk.State.OPEN));
        if (result instanceof WriteResult.Won) {
            asked.posted();
            // Who writes has to find it first, which takes a round trip: a look before that finds nothing.
            time.pause(Duration.ofNanos(rivals.roundTripNanos()));
        }
        return unlessKnown(result);
    }

    private static Optional<WriteResult> unlessKnown(WriteResult result) {
        return Optional.of(result).filter(WriteResult.Unknown.class::isInstance);
    }

    private int patience() {
        return LEAST_LOOKS
                + (int) Math.round((MOST_LOOKS - LEAST_LOOKS) * around.random().getAsDouble());
    }

    private Optional<WriteResult> look(Group group, Asked asked) {
        InstanceAsk.Posted read = group.timed(time, row::read).orElse(null);
        if (read == null || !read.ask().id().equals(asked.ask().id())) {
            boolean isUnopened = read != null && !asked.wasPosted() && row.isUnopened(read);
            row.know(read);
            if (!isUnopened) {
                vanished(group);
            }
            return Optional.empty();
        }
        switch (read.state()) {
            case ANSWERED -> answered(group, asked, read);
            case CLOSED -> withdraw(group, asked);
            case OPEN -> asked.posted();
        }
        row.know(read);
        // It takes about as long as a request may: what is not won by then has to be closed.
        long after = time.nanoTime() + limits.requestTimeout().toNanos();
        boolean isToBeTakenOver =
                read.state() == InstanceAsk.State.OPEN && !asked.isToBeClosed(after) && asked.isToBeTakenOver();
        return isToBeTakenOver ? takeOver(group, asked, read) : Optional.empty();
    }

    /** Its row was removed, or put back: whoever did that may have seen an answer in it. */
    private void vanished(Group group) {
        long now = time.nanoTime();
        group.thaw();
        group.forEach(call -> call.refuseRest(call.unsuccessful(now)));
    }

    private Optional<WriteResult> close(Group group, Asked asked) {
        WriteResult result = group.timed(time, () -> row.write(asked.ask(), InstanceAsk.State.CLOSED));
        if (result instanceof WriteResult.Won) {
            withdraw(group, asked);
        }
        return unlessKnown(result);
    }

    private void withdraw(Group group, Asked asked) {
        asked.withdrawn();
        answeredNanos = null;
        group.withdrawn();
        group.dismissLate(time.nanoTime(), limits.requestTimeout().toNanos());
        events.asked(false);
    }

    private void answered(Group group, Asked asked, InstanceAsk.Posted read) {
        InstanceAsk.Answer answer = Objects.requireNonNull(read.answer(), "An answered ask has an answer.");
        if (view.seen().isOfAnotherEpoch(answer.after())) {
            // Before anybody has its numbers: the texts of a block are written by those who asked for it.
            view.reloaded();
        }
        if (asked.seen() != null && view.seen().isBehind(answer.after(), asked.seen())) {
            answeredNanos = null;
            asked.refuse(view.seen().rolledBack("gave " + answer.after().next() + " as its next number"));
        } else {
            asked.answer(answer, increment);
            answeredNanos = time.nanoTime();
            view.seen().heard(answer.after());
        }
        view.forget();
        end(group);
        events.asked(true);
    }

    private void end(Group group) {
        group.forEach(Call::won);
        group.thaw();
    }

    /** Nobody has answered for a while: it becomes the one who writes, and answers others, too. */
    private Optional<WriteResult> takeOver(Group group, Asked asked, InstanceAsk.Posted own) {
        Sequence known = view.current();
        Rivals.Look look = group.timed(time, () -> {
            rivals.saw();
            return rivals.look(null);
        });
        Versioned base = view.accept(look.counter(), known, true);
        List<InstanceAsk.Posted> others = look.asks() == null ? List.of() : look.asks();
        asked.waitFor(patience());
        Plan plan = plan(base, Stream.concat(Stream.of(own), others.stream()).toList());
        if (plan.asks().answered().stream()
                .noneMatch(answered -> answered.posted().equals(own))) {
            asked.giveUp();
            return Optional.empty();
        }
        WriteResult result = group.timed(time, () -> write(plan));
        if (result instanceof WriteResult.Won) {
            row.answered();
            List<Allocation> allocations = plan.asks().answered().get(0).allocations();
            asked.answer(new InstanceAsk.Answer(allocations, plan.after()), increment);
            end(group);
        } else if (!result.hasClashed()) {
            group.failed(result);
        } else if (plan.asks().withKeys().stream().noneMatch(rivals::isOthers)) {
            asked.giveUp();
        }
        return Optional.empty();
    }

    /** Answers what was found to be asked, as long as this process is the one who writes. */
    void serve() {
        while (view.kept() != null && rivals.hasFound()) {
            List<InstanceAsk.Posted> asks = rivals.takeFound();
            if (rivals.pausesForOthers()) {
                view.forget();
                return;
            }
            Plan plan = asks.isEmpty() ? null : plan(view.kept(), asks);
            if (plan == null || plan.asks().answered().isEmpty()) {
                return;
            }
            write(plan);
        }
    }

    private Plan plan(Versioned base, List<InstanceAsk.Posted> asks) {
        Plan plan = plan(base, view.current(), asks);
        if (plan.beginsRound()) {
            plan = plan(base, view.reloaded(), asks);
        }
        rivals.leave(plan.asks().undecided());
        return plan;
    }

    private Plan plan(Versioned base, Sequence terms, List<InstanceAsk.Posted> asks) {
        return Plan.ofAsks(id, base, terms, UUID.randomUUID().toString(), asks, time.now());
    }

    /** Nobody has to find out how an unknown one ended: the rows of the asks tell. */
    private WriteResult write(Plan plan) {
        WriteResult result = committer.send(plan, plan.asks().answered().size());
        if (result.hasClashed()) {
            // A key of one of them may stand in the ledger already, which its own instance finds out.
            rivals.leave(plan.asks().withKeys());
        }
        if (!(result instanceof WriteResult.Won)) {
            rivals.saw();
        }
        return result;
    }
}
