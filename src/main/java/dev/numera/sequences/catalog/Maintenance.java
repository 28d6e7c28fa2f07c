package dev.numera.sequences.catalog;

import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Suspension;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.DefinitionCache;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.IndexEntry;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import dev.numera.sequences.definition.DefinitionWriter;
import dev.numera.sequences.definition.SequenceLifecycle;
import dev.numera.sequences.numbering.CounterMoves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an operator does to all sequences at once, around a restore. Whatever is interrupted may be started again.
 * Thread-safe; calls block for as long as there are sequences, and fail with a {@link ProblemException}.
 *
 * <p>A sequence, or one of its counters, that cannot be read or changed does not stop the others: each method visits
 * all of them, some at once, and then fails with the problem of the first, the others suppressed. A problem that may be
 * temporary is tried again, and then ends the method. Callbacks run on several threads, in no order.
 *
 * <p>Decision: {@code docs/decisions/a-restored-counter-is-marked-until-it-is-advanced.md}.
 */
public final class Maintenance {
    /** How long after it is suspended a sequence may still allocate: other instances keep its definition. */
    public static final Duration HONORED_WITHIN = Duration.ofSeconds(30);

    /** More would use most ranges up by a slip of the hand. */
    public static final int MAX_MARGIN = 1_000_000;

    private static final int INDEX_ROWS_IN_PAGE = 1_000;
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
    private final Clock time;

    public Maintenance(
            SequenceCalls calls,
            DefinitionStore store,
            DefinitionCache definitions,
            DefinitionWriter writer,
            SequenceLifecycle lifecycle,
            CounterMoves moves,
            Clock time) {
        this.calls = calls;
        this.walk = new SequenceWalk(calls, store);
        this.store = store;
        this.definitions = definitions;
        this.writer = writer;
        this.lifecycle = lifecycle;
        this.moves = moves;
        this.time = time;
    }

    /**
     * Suspends the whole service: no sequence is created or revived from the first moment on; then each sequence is
     * suspended, and each of its counters gets a new epoch, so that no write wins that was computed before. Calls that
     * begin {@link #HONORED_WITHIN} after this returns allocate nothing.
     *
     * @return the sequences in the order of their names, retired ones too
     */
    public List<SequenceName> suspendAll() {
        mark(mark -> mark.suspended(time.now()));
        List<SequenceName> all = Collections.synchronizedList(new ArrayList<>());
        SequenceWalk.throwIfAny(walk.sequences(name -> {
            all.add(name);
            suspend(name);
        }));
        return sorted(all);
    }

    /** Each new epoch changes the definition's version too, so that nothing that was computed before can resume it. */
    private void suspend(SequenceName name) {
        suspendForMaintenance(name);
        if (!registered(name).isLost()) {
            walk.counters(counters(name), period -> moves.skip(name, period, new CounterRequest.Skip(0, NOTE)));
        }
    }

    /** Suspends one sequence, as {@link #suspendAll} does all, so that the mark of its counter counts. */
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
     * @return the sequences that stay suspended by their owners, in the order of their names
     * @throws ProblemException also for sequences that were recreated since the copy that was restored: they stay
     *     suspended until they are defined again, and advanced beyond what was allocated since
     */
    public List<SequenceName> resumeAll(BiConsumer<SequenceName, Set<String>> left) {
        List<SequenceName> suspended = Collections.synchronizedList(new ArrayList<>());
        List<ProblemException> failures = walk.sequences(name -> {
            // No call of a sequence in use reads the index, which alone shows that it is the old one.
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
        return sorted(suspended);
    }

    /**
     * Accepts the restored counters of a sequence at their present positions, because the operator states that nothing
     * was allocated beyond them since the backup. Resumes the sequence unless the whole service is suspended. The
     * sequence's changes record this.
     *
     * @return how the sequence is suspended then
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
     * Lets no call for a number create a sequence, until {@link #allowCreation}: after a failover that may have lost
     * the index rows of sequences, which would begin again. A restore that finds no index does so by itself.
     */
    public void closeCreation() {
        mark(mark -> mark.creationClosed(time.now()));
    }

    /** Lets calls for numbers create sequences again. */
    public void allowCreation() {
        mark(MaintenanceMark::creationOpened);
    }

    /**
     * Moves every counter of every sequence on by a margin, retired ones too. A counter that has less than twice the
     * margin left stays where it is, marked so that nothing resumes its sequence. A counter that is missing, of
     * whatever period, opens beyond its start by the margin from now on, until {@link #forgetMargins}. Sequences that
     * the index lacks are put there. For after a restore: numbers that were allocated since the copy was made are then
     * not allocated again, as long as the margin is larger than their count.
     *
     * @param numbers how many to pass over in each counter, 1 to {@value #MAX_MARGIN}
     * @param note is kept with each change
     * @param moved gets each counter when it has been moved, or left: then its move is none
     * @throws ProblemException also for sequences that were recreated since the copy: they stay refused
     */
    public void skipAll(long numbers, ChangeNote note, BiConsumer<SequenceName, Change.Move> moved) {
        SequenceWalk.throwIfAny(walk.sequences(name -> skip(name, numbers, note, moved)));
    }

    private void skip(SequenceName name, long numbers, ChangeNote note, BiConsumer<SequenceName, Change.Move> moved) {
        SequenceWalk.again(() -> register(name));
        carryMargin(name, note, margin -> Math.max(margin, numbers));
        Set<String> periods = new TreeSet<>(counters(name));
        periods.addAll(missing(name, periods));
        walk.counters(periods, period -> {
            moved.accept(name, moves.skip(name, period, new CounterRequest.Skip(numbers, note)));
        });
    }

    /**
     * The counters of one restored sequence, after {@link #advanceRestored}.
     *
     * @param definition null if it could not be read
     * @param counters how many counters it has
     * @param left the counters that stay where they are, because fewer than twice the margin are left
     * @param problem why they could not all be advanced; null if they were
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
     * Advances the counters that a restore put back and that no earlier call advanced, like {@link #skipAll}. Sequences
     * that are resumed already stay as they are, so an interrupted call is continued by the same call.
     *
     * @param numbers how many to pass over in each counter, 1 to {@value #MAX_MARGIN}
     * @param done receives each sequence
     * @throws ProblemException a problem that may be temporary; the rest of the sequences is not advanced
     */
    public void advanceRestored(long numbers, ChangeNote note, Consumer<RestoredSequence> done) {
        SequenceWalk.throwIfAny(walk.sequences(name -> done.accept(restoredSequence(name, numbers, note))));
    }

    private RestoredSequence restoredSequence(SequenceName name, long numbers, ChangeNote note) {
        List<Change.Move> left = Collections.synchronizedList(new ArrayList<>());
        try {
            SequenceWalk.again(() -> register(name));
            Set<String> all = counters(name);
            Sequence definition = registered(name).present();
            if (definition.suspension().isMaintenance()) {
                carryMargin(name, note, margin -> Math.max(margin, numbers));
                walk.counters(unadvanced(name, all), period -> {
                    Change.Move move = moves.skip(name, period, new CounterRequest.Skip(numbers, note));
                    if (move.isNone()) {
                        left.add(move);
                    }
                });
            }
            return new RestoredSequence(name, definition, all.size(), left, null);
        } catch (ProblemException e) {
            if (e.isTransient()) {
                throw e;
            }
            return new RestoredSequence(name, null, 0, left, e);
        }
    }

    /** The periods whose counters wait for their advance: restored ones, and one that is missing. */
    private Set<String> unadvanced(SequenceName name, Set<String> counters) {
        Set<String> periods = new TreeSet<>(restored(name));
        periods.addAll(missing(name, counters));
        return periods;
    }

    /** A sequence without periods gets a counter here, because its definition may say that it had one. */
    private Set<String> missing(SequenceName name, Set<String> counters) {
        FixedFields fixed =
                calls.at(name, SequenceCalls.SequenceCall::definition).fixed();
        return fixed.isCounted() && fixed.isNeverReset() && counters.isEmpty() ? Set.of("") : Set.of();
    }

    /**
     * One that was recreated since the copy may have begun beyond any margin, so it stays refused.
     *
     * @return whether the index lacked it
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
     * Adds every missing sequence and template to the index, and the service's mark. Use it when only the index table
     * was lost and created again.
     *
     * @return those that it lacked
     * @throws ProblemException also for sequences of which it has another definition: they stay refused
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

    /**
     * Returns the sequences of the index whose definition is gone or is another one, in the order of their names. An
     * index row that cannot be read is left out.
     */
    public List<SequenceName> lost() {
        List<SequenceName> lost = new ArrayList<>();
        String continuation = null;
        do {
            String position = continuation;
            Page<IndexEntry, String> page =
                    calls.retry(calls.deadline(), () -> store.list(null, INDEX_ROWS_IN_PAGE, position));
            for (List<IndexEntry> group : SequenceCalls.groups(page.items())) {
                calls.together(group, this::lost).forEach(name -> name.ifPresent(lost::add));
            }
            continuation = page.next();
        } while (continuation != null);
        return lost;
    }

    private Optional<SequenceName> lost(IndexEntry row) {
        if (row.problem() != null) {
            return Optional.empty();
        }
        SequenceName name = new SequenceName(row.scope(), row.name());
        return registered(name).isLost() ? Optional.of(name) : Optional.empty();
    }

    /** Lets missing counters open at their start again: no period is left that may have been lost. */
    public void forgetMargins() {
        SequenceWalk.throwIfAny(walk.sequences(name -> carryMargin(name, NOTE, margin -> 0)));
    }

    private void carryMargin(SequenceName name, ChangeNote note, LongUnaryOperator change) {
        SequenceWalk.again(() -> writer.untilWon(name, registered -> {
            Sequence before = registered.present();
            Sequence after = before.withRestoreMargin(change.applyAsLong(before.restoreMargin()));
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

    private static List<SequenceName> sorted(List<SequenceName> names) {
        return names.stream()
                .sorted(Comparator.comparing(SequenceName::toString))
                .toList();
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
