package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.late;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Suspension;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Limits;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.Unwatched;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Counterexamples of {@code proof/model/restore.als}, replayed step by step in the code: each breaks a promise if the
 * code or the operator drops the rule, and none otherwise.
 */
class RestoreReplayTest extends CounterFixture {
    /** A rule of the model, with the promise that is broken without the rule. */
    private enum RestoreRule {
        SUSPENDED("twice"),
        RENEWED("landed after the suspension"),
        HONORED("twice"),
        ARRIVES("twice"),
        ADVANCED("twice"),
        RISEN("refused as rolled back"),
        OBSERVED("twice"),
        REPORTED("twice"),
        BLOCK_CHECKED("before the advance");

        private final String broken;

        RestoreRule(String broken) {
            this.broken = broken;
        }
    }

    /** A suspension of the whole service, and no other suspension. */
    private static final Suspension CLOSED = Suspension.NONE.maintenance(TestClock.START);

    private final List<Long> answered = new ArrayList<>();
    private boolean isDropped;

    @ParameterizedTest
    @EnumSource
    void theHistoryBreaksNoPromise(RestoreRule rule) {
        assertEquals("", replay(rule));
    }

    @ParameterizedTest
    @EnumSource
    void withoutTheRuleItBreaksOne(RestoreRule rule) {
        isDropped = true;
        assertEquals(rule.broken, replay(rule));
    }

    private String replay(RestoreRule rule) {
        return switch (rule) {
            case SUSPENDED -> suspended();
            case RENEWED -> renewed();
            case HONORED -> honored();
            case ARRIVES -> arrives();
            case ADVANCED -> advanced();
            case RISEN -> risen();
            case OBSERVED -> observed();
            case REPORTED -> reported();
            case BLOCK_CHECKED -> blockChecked();
        };
    }

    /** An instance that ignores suspensions allocates from the restored counter. */
    private String suspended() {
        MemoryCounterStore.Backup backup = begun();
        allocate(counter);
        suspend();
        store.table.restore(backup);
        mark(CLOSED);
        allocate(isDropped ? instance(ignoringSuspensions()) : peer());
        return verdict();
    }

    /** A write that was computed before the suspension lands after it. */
    private String renewed() {
        begun();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        next();
        store.onWrite(late(underWay));
        assertProblem(ProblemType.OUTCOME_UNKNOWN, submit(counter(attempts(1)), take(null, 1)));
        mark(CLOSED);
        if (!isDropped) {
            fence();
        }
        return underWay.remove().get() instanceof WriteResult.Won ? RestoreRule.RENEWED.broken : "";
    }

    /** An instance that read the definition before the suspension keeps allocating for 30 s. */
    private String honored() {
        StaleDefinition lagging = new StaleDefinition(store.table, SEQUENCE);
        Counter behind = instance(lagging);
        allocate(behind);
        MemoryCounterStore.Backup backup = store.table.backup();
        allocate(peer());
        suspend();
        if (!isDropped) {
            lagging.reloaded();
        }
        store.table.restore(backup);
        mark(CLOSED);
        allocate(behind);
        return verdict();
    }

    /** The restored definition is not suspended, and the next instance reads it without a suspension. */
    private String arrives() {
        MemoryCounterStore.Backup backup = begun();
        allocate(counter);
        suspend();
        store.table.restore(backup);
        if (!isDropped) {
            mark(CLOSED);
        }
        allocate(peer());
        return verdict();
    }

    /**
     * The restored counter resumes where it was, and an instance that has not observed its later numbers allocates them
     * again.
     */
    private String advanced() {
        MemoryCounterStore.Backup backup = begun();
        allocate(counter);
        suspend();
        store.table.restore(backup);
        mark(CLOSED);
        CounterRequest move = isDropped
                ? new CounterRequest.Skip(0, ChangeNote.NONE)
                : new CounterRequest.Advance(3, ChangeNote.NONE);
        peer().call(List.of(move), deadline());
        mark(Suspension.NONE);
        allocate(peer());
        return verdict();
    }

    /**
     * The new epoch follows the epoch of the restored row, but is lower than the epoch that an instance has observed.
     */
    private String risen() {
        MemoryCounterStore.Backup backup = begun();
        time.pass(Duration.ofDays(1));
        peer().call(List.of(new CounterRequest.Advance(10, ChangeNote.NONE)), deadline());
        next();
        suspend();
        store.table.restore(backup);
        mark(CLOSED);
        Duration behind = isDropped ? Duration.ofDays(-3) : Duration.ofSeconds(1);
        time.pass(behind);
        peer().call(List.of(new CounterRequest.Advance(20, ChangeNote.NONE)), deadline());
        time.pass(behind.negated());
        mark(Suspension.NONE);
        terms.reloaded();
        return refusal(counter).map(problem -> RestoreRule.RISEN.broken).orElse("");
    }

    /** An old table is restored. Dropped: the instance forgets the numbers that it has observed. */
    private String observed() {
        MemoryCounterStore.Backup backup = begun();
        allocate(counter);
        store.table.restore(backup);
        allocate(isDropped ? peer() : counter);
        return verdict();
    }

    /**
     * An old table is restored after a peer instance wrote this instance's number. Dropped: the answer reports the
     * state before that write.
     */
    private String reported() {
        begun();
        allocate(counter);
        for (int loss = 0; loss < Limits.LOSSES_BEFORE_PEER_REQUEST; loss++) {
            store.onWrite(after(this::peerNext));
        }
        List<MemoryCounterStore.Backup> backups = new ArrayList<>();
        store.onLook(request -> () -> {
            backups.add(store.table.backup());
            Versioned<CounterState> before = store.table.read(ID).orElseThrow();
            Plan plan = NumberPlan.forPeers(ID, before, definition(), "other's", store.table.open(ID), time.now());
            won(store.table.write(plan.write()));
            return request.get().map(row -> isDropped ? row.answered(row.allocations(), before.value()) : row);
        });
        allocate(counter);
        store.table.restore(backups.get(0));
        // An instance that was just answered would request from its peers again, and its row is gone. A second later it
        // writes itself.
        time.pass(Duration.ofSeconds(1));
        allocate(counter);
        return verdict();
    }

    /**
     * An instance holds a block while another instance advances the counter. Dropped: the read after 30 s finds the
     * counter unchanged.
     */
    private String blockChecked() {
        define(Guarantee.CACHED, NUMBERS);
        BlockCounter blocks = new BlockCounter(counter, background -> {});
        blocks.take(1, 10, deadline(), new BlockCounter.Cost());
        Optional<Versioned<CounterState>> before = store.table.read(ID);
        peer.call(List.of(new CounterRequest.Advance(500, ChangeNote.NONE)), deadline());
        time.pass(BlockCounter.UNCHECKED);
        if (isDropped) {
            store.onRead(request -> () -> before);
        }
        return blocks.take(1, 10, deadline(), new BlockCounter.Cost()) < 500 ? RestoreRule.BLOCK_CHECKED.broken : "";
    }

    /** Opens a counter and returns the backup that is restored later. */
    private MemoryCounterStore.Backup begun() {
        peer().call(List.of(take(null, 1)), deadline());
        return store.table.backup();
    }

    /** Suspends the service as the maintenance program does, and makes this instance read the definition again. */
    private void suspend() {
        mark(CLOSED);
        fence();
        terms.reloaded();
    }

    private void mark(Suspension suspension) {
        won(store.table.replace(definition().suspended(suspension), Defined.change()));
    }

    private void fence() {
        peer().call(List.of(new CounterRequest.Skip(0, ChangeNote.NONE)), deadline());
    }

    private Counter instance(DefinitionSource source) {
        return new Counter(ID, terms.current().fixed(), source, LIMITS, surroundings(store.table), new Unwatched());
    }

    private DefinitionSource ignoringSuspensions() {
        StaleDefinition read = new StaleDefinition(store.table, SEQUENCE);
        return new DefinitionSource() {
            @Override
            public Sequence current() {
                return read.current().suspended(Suspension.NONE);
            }

            @Override
            public Sequence reloaded() {
                return read.reloaded().suspended(Suspension.NONE);
            }

            @Override
            public Sequence markable() {
                return read.markable();
            }

            @Override
            public void marked(Sequence written) {
                read.marked(written);
            }
        };
    }

    private void allocate(Counter by) {
        CallResult<CounterOutcome> result = by.call(List.of(take(null, 1)), deadline());
        if (result.results().get(0).problem() == null) {
            answered.add(((Allocation) result.only()).first());
        }
    }

    private Optional<ProblemException> refusal(Counter by) {
        CallResult<CounterOutcome> result = by.call(List.of(take(null, 1)), deadline());
        return Optional.ofNullable(result.results().get(0).problem());
    }

    private String verdict() {
        return answered.stream().distinct().count() == answered.size() ? "" : "twice";
    }
}
