package dev.numera.sequences.catalog;

import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Suspension;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.DefinitionCache;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import dev.numera.sequences.definition.DefinitionWriter;
import dev.numera.sequences.definition.SequenceLifecycle;
import dev.numera.sequences.numbering.CounterMoves;
import dev.numera.sequences.numbering.MarginMoves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The operations of an operator on all sequences at once, for a restore or other maintenance. An interrupted operation
 * may be repeated. Thread-safe. Calls block until every sequence is processed, and fail with a
 * {@link ProblemException}.
 *
 * <p>A sequence or counter that cannot be read or changed does not stop the operation. The method processes all others,
 * some in parallel, and then throws the problem of the first failed sequence, with the other problems suppressed. If a
 * problem may be temporary, the method tries again, and stops at once if the problem persists. Callbacks run on several
 * threads in any order.
 *
 * <p>Decision: {@code docs/decisions/a-restored-counter-is-marked-until-it-is-advanced.md}.
 */
public final class Maintenance {
    /**
     * The time that a sequence may still allocate numbers after it was suspended, because other instances keep its
     * definition in memory.
     */
    public static final Duration HONORED_WITHIN = Duration.ofSeconds(30);

    /** The greatest margin. It protects ranges from a mistyped number. */
    public static final int MAX_MARGIN = 1_000_000;

    private static final ChangeNote NOTE = new ChangeNote(null, Suspension.MAINTENANCE);

    private static final ChangeNote ACCEPTED =
            new ChangeNote(null, "restored counters accepted: nothing was allocated beyond them since the backup");

    private final SequenceCalls calls;
    private final SequenceWalk walk;
    private final DefinitionStore store;
    private final DefinitionCache definitions;
    private final DefinitionWriter writer;
    private final SequenceLifecycle lifecycle;
    private final CounterMoves moves;
    private final MarginMoves marginMoves;
    private final Clock time;

    public Maintenance(
            SequenceCalls calls,
            DefinitionStore store,
            DefinitionCache definitions,
            DefinitionWriter writer,
            SequenceLifecycle lifecycle,
            CounterMoves moves,
            MarginMoves marginMoves,
            Clock time) {
        this.calls = calls;
        this.walk = new SequenceWalk(calls, store);
        this.store = store;
        this.definitions = definitions;
        this.writer = writer;
        this.lifecycle = lifecycle;
        this.moves = moves;
        this.marginMoves = marginMoves;
        this.time = time;
    }

    /**
     * Suspends the whole service. First, a mark prevents that sequences are created or revived. Then each sequence is
     * suspended, and each of its counters gets a new epoch, so that every write that an instance computed earlier
     * loses. Calls that start {@link #HONORED_WITHIN} or more after this method returns allocate no numbers.
     *
     * @return all sequences in the order of their names, including retired ones
     */
    public List<SequenceName> suspendAll() {
        mark(mark -> mark.suspended(time.now()));
        List<SequenceName> all = Collections.synchronizedList(new ArrayList<>());
        SequenceWalk.throwIfAny(walk.sequences(name -> {
            all.add(name);
            suspend(name);
        }));
        return all.stream().sorted().toList();
    }

    /**
     * Suspends a sequence and its counters. Each new epoch also changes the definition's version, so that no instance
     * can resume the sequence with a write that it computed earlier.
     */
    private void suspend(SequenceName name) {
        suspendForMaintenance(name);
        if (!registered(name).isLost()) {
            walk.counters(counters(name), period -> moves.skip(name, period, new CounterRequest.Skip(0, NOTE)));
        }
    }

    /**
     * Suspends one sequence for maintenance, without new epochs for its counters. While it is suspended, marks on its
     * restored counters prevent {@link #resumeAll} from resuming it.
     */
    public void suspendForMaintenance(SequenceName name) {
        SequenceWalk.again(() -> lifecycle.changeSuspension(
                name,
                NOTE,
                (suspension, now) -> suspension.isMaintenance() ? suspension : suspension.maintenance(now)));
    }

    /**
     * Ends the maintenance that {@link #suspendAll} or a restore started. A sequence with restored counters that
     * {@link #skipAll} did not advance stays suspended. The service accepts new sequences again, even if some sequences
     * could not be resumed.
     *
     * @param left receives each sequence that stays suspended because its restored counters were not advanced, and the
     *     periods of these counters
     * @return the sequences that stay suspended because their owners suspended them, in the order of their names
     * @throws ProblemException also for sequences that were recreated after the restored backup was made. They stay
     *     suspended until their owners define them again and advance them beyond the numbers that were allocated since
     */
    public List<SequenceName> resumeAll(BiConsumer<SequenceName, Set<String>> left) {
        List<SequenceName> suspended = Collections.synchronizedList(new ArrayList<>());
        List<ProblemException> failures = walk.sequences(name -> {
            // Calls to a sequence in use do not read the index, which alone shows that a restored definition is
            // outdated.
            registered(name).requireNotLost();
            Set<String> restored = restored(name);
            if (!restored.isEmpty()) {
                left.accept(name, restored);
                return;
            }
            SequenceWalk.again(
                    () -> lifecycle.changeSuspension(name, NOTE, (suspension, now) -> suspension.maintenance(null)));
            if (registered(name).present().suspension().isByOwner()) {
                suspended.add(name);
            }
        });
        mark(MaintenanceMark::resumed);
        SequenceWalk.throwIfAny(failures);
        return suspended.stream().sorted().toList();
    }

    /**
     * Accepts the restored counters of a sequence at their present positions, because the operator states that nothing
     * was allocated beyond them since the backup. Resumes the sequence unless the whole service is suspended. The
     * sequence's changes record this.
     *
     * @return the remaining suspension of the sequence
     */
    public Suspension acceptRestored(SequenceName name) {
        name.requireNoTemplate();
        registered(name).requireNotLost();
        walk.counters(restored(name), period -> moves.skip(name, period, CounterRequest.Skip.accepting(ACCEPTED)));
        SequenceWalk.again(() -> lifecycle.endMaintenance(name, ACCEPTED));
        return registered(name).present().suspension();
    }

    private Set<String> restored(SequenceName name) {
        return calls.at(name, call -> call.retry(() -> store.restored(name)));
    }

    /**
     * Prevents requests for numbers from creating sequences, until {@link #allowCreation}. Call it after a failover
     * that may have lost sequences together with their index rows, because such sequences would start again from their
     * first number. A restore without an index does this itself.
     */
    public void closeCreation() {
        mark(mark -> mark.creationClosed(time.now()));
    }

    /** Allows requests for numbers to create sequences again. */
    public void allowCreation() {
        mark(MaintenanceMark::creationOpened);
    }

    /**
     * Advances every counter of every sequence by a margin, including retired sequences. Call it after a restore: if
     * the margin is larger than the count of numbers that a counter allocated after the backup was made, none of these
     * numbers is allocated again.
     *
     * <p>If fewer than twice the margin are left, the counter stays where it is, and a mark prevents that its sequence
     * is resumed. A missing counter of any period opens beyond its start by the margins of all calls together, until
     * {@link #forgetMargins}. Sequences that are missing in the index are added to it.
     *
     * @param numbers how many to pass over in each counter, 1 to {@value #MAX_MARGIN}
     * @param note stored with each change
     * @param moved receives each counter after its move; {@link Change.Move#isNone} for a counter that stays where it
     *     is
     * @throws ProblemException also for sequences that were recreated after the backup was made: they keep refusing
     *     calls
     */
    public void skipAll(long numbers, ChangeNote note, BiConsumer<SequenceName, Change.Move> moved) {
        SequenceWalk.throwIfAny(walk.sequences(name -> skip(name, numbers, note, moved)));
    }

    private void skip(SequenceName name, long numbers, ChangeNote note, BiConsumer<SequenceName, Change.Move> moved) {
        SequenceWalk.again(() -> register(name));
        carryMargin(name, note, sequence -> sequence.plusRestoreMargin(numbers));
        Set<String> present = counters(name);
        Set<String> periods = present.isEmpty() && mayLackCounter(name) ? Set.of("") : present;
        walk.counters(periods, period -> {
            moved.accept(name, moves.skip(name, period, new CounterRequest.Skip(numbers, note)));
        });
    }

    /**
     * The counters of one restored sequence, after {@link #advanceRestored}.
     *
     * @param definition null if it could not be read
     * @param counters how many counters the sequence has
     * @param left the counters that stay where they are, because fewer than twice the margin are left
     * @param problem why not all counters were advanced; null if they were
     */
    public record RestoredSequence(
            SequenceName name,
            @Nullable Sequence definition,
            int counters,
            List<Change.Move> left,
            @Nullable ProblemException problem) {
        public RestoredSequence {
            left = List.copyOf(left);
        }
    }

    /**
     * Advances the counters that a restore put back and that no earlier call advanced, like {@link #skipAll}, many of
     * them in each transaction. Sequences that are resumed already do not change, so repeating the call continues an
     * interrupted one. The restored definitions already have the margin for counters that are missing.
     *
     * @param numbers how many to pass over in each counter, 1 to {@value #MAX_MARGIN}
     * @param before receives the size of each group of counters before the group is advanced. Its exceptions end the
     *     call
     * @param done receives each sequence
     * @throws ProblemException a problem that may be temporary; the remaining sequences are not advanced
     */
    public void advanceRestored(long numbers, ChangeNote note, IntConsumer before, Consumer<RestoredSequence> done) {
        CounterRequest.Skip margin = new CounterRequest.Skip(numbers, note);
        SequenceWalk.throwIfAny(walk.sequences(name -> done.accept(restoredSequence(name, margin, before))));
    }

    private RestoredSequence restoredSequence(SequenceName name, CounterRequest.Skip margin, IntConsumer before) {
        try {
            SequenceWalk.again(() -> register(name));
            Sequence definition = registered(name).present();
            MarginMoves.Advanced advanced = marginMoves.advance(name, margin, before);
            List<Change.Move> left = new ArrayList<>(advanced.left());
            if (definition.suspension().isMaintenance() && advanced.counters() == 0 && mayLackCounter(name)) {
                Change.Move opened = moves.skip(name, "", margin);
                if (opened.isNone()) {
                    left.add(opened);
                }
            }
            return new RestoredSequence(name, definition, advanced.counters(), left, null);
        } catch (ProblemException e) {
            if (e.isTransient()) {
                throw e;
            }
            return new RestoredSequence(name, null, 0, List.of(), e);
        }
    }

    /**
     * Whether a sequence without counters has to get one: it never restarts, and its definition may show that it had a
     * counter.
     */
    private boolean mayLackCounter(SequenceName name) {
        FixedFields fixed =
                calls.at(name, SequenceCalls.SequenceCall::definition).fixed();
        return fixed.isCounted() && fixed.isNeverReset();
    }

    /**
     * Adds a sequence to the index if it is missing there. Refuses a sequence that was recreated after the backup was
     * made, because its numbers may lie beyond any margin.
     *
     * @return whether the sequence was missing in the index
     */
    private boolean register(SequenceName name) {
        RegisteredSequence registered = registered(name);
        registered.requireNotLost();
        boolean isMissing = registered.indexed().isEmpty();
        if (isMissing) {
            definitions.index(registered.present());
        }
        return isMissing;
    }

    /**
     * Adds every missing sequence and template, and the service's mark, to the index. Use it if only the index table
     * was lost and created again.
     *
     * @return the sequences and templates that were missing
     * @throws ProblemException also for sequences with another definition in the index: they keep refusing calls
     */
    public Set<SequenceName> reindex() {
        mark(UnaryOperator.identity());
        Set<SequenceName> missing = ConcurrentHashMap.newKeySet();
        SequenceWalk.throwIfAny(walk.sequencesAndTemplates(name -> SequenceWalk.again(() -> {
            if (register(name)) {
                missing.add(name);
            }
            if (missing.contains(name)) {
                lifecycle.noteIfUnused(name);
            }
        })));
        return missing;
    }

    /** Returns the sequences that are in the index without their definition, in the order of their names. */
    public List<SequenceName> lost() {
        return walk.lost();
    }

    /**
     * Removes the restore margin of every sequence, so that counters without a row begin at their start again. Call it
     * when no period that a restore may have lost can still be opened.
     */
    public void forgetMargins() {
        SequenceWalk.throwIfAny(
                walk.sequences(name -> carryMargin(name, NOTE, sequence -> sequence.withRestoreMargin(0))));
    }

    private void carryMargin(SequenceName name, ChangeNote note, UnaryOperator<Sequence> change) {
        SequenceWalk.again(() -> writer.untilWon(name, registered -> {
            Sequence before = registered.present();
            Sequence after = change.apply(before);
            return after.equals(before)
                    ? Optional.of(before)
                    : DefinitionWriter.ifWon(
                            after,
                            changed -> store.replace(changed, Change.ofMargin(before, changed, note, time.now())));
        }));
    }

    private Set<String> counters(SequenceName name) {
        return calls.at(name, call -> call.retry(() -> store.periods(name)));
    }

    /** Whether the whole service is suspended. */
    public boolean isSuspended() {
        return calls.retry(calls.deadline(), store::serviceMark).suspendedAt() != null;
    }

    private void mark(UnaryOperator<MaintenanceMark> change) {
        calls.retry(calls.deadline(), () -> store.markService(change));
    }

    private RegisteredSequence registered(SequenceName name) {
        return calls.at(name, SequenceCalls.SequenceCall::registered);
    }
}
