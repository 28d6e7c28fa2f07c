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
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.DefinitionCache;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import dev.numera.sequences.definition.DefinitionWriter;
import dev.numera.sequences.definition.SequenceLifecycle;
import dev.numera.sequences.numbering.CounterMoves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What an operator does to all sequences at once, around a restore. Whatever is interrupted may be started again.
 * Thread-safe; calls block for as long as there are sequences, and fail with a {@link ProblemException}.
 *
 * <p>A sequence, or one of its counters, that cannot be read or changed holds up no other one: each method goes through
 * all of them, and then fails with the problem of the first, the others suppressed. What may be over by the next time
 * is tried again, and then fails it at once.
 *
 * <p>Decision: {@code docs/decisions/a-restored-counter-is-marked-until-it-is-advanced.md}.
 */
public final class Maintenance {
    /** How long after it is suspended a sequence may still allocate: other instances keep its definition. */
    public static final Duration HONORED_WITHIN = Duration.ofSeconds(30);

    /** More would use most ranges up by a slip of the hand. */
    public static final int MAX_MARGIN = 1_000_000;

    private static final int SEQUENCES_AT_ONCE = 100;
    private static final int MAX_TRIES = 5;
    private static final ChangeNote NOTE = new ChangeNote(null, Suspension.MAINTENANCE);

    private static final ChangeNote ACCEPTED =
            new ChangeNote(null, "restored counters accepted: nothing was allocated beyond them since the backup");

    private final SequenceCalls calls;
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
     * @return the sequences, retired ones too
     */
    public List<SequenceName> suspendAll() {
        mark(mark -> mark.suspended(time.now()));
        List<SequenceName> all = new ArrayList<>();
        throwIfAny(walk(name -> {
            all.add(name);
            suspend(name);
        }));
        return all;
    }

    /** Each new epoch changes the definition's version too, so that nothing that was computed before can resume it. */
    private void suspend(SequenceName name) {
        suspendForMaintenance(name);
        if (!registered(name).isLost()) {
            eachCounter(counters(name), period -> moves.skip(name, period, new CounterRequest.Skip(0, NOTE)));
        }
    }

    /** Suspends one sequence, as {@link #suspendAll} does all, so that the mark of its counter counts. */
    public void suspendForMaintenance(SequenceName name) {
        again(() -> lifecycle.changeSuspension(
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
     * @return the sequences that stay suspended, by their owners
     * @throws ProblemException also for sequences that were recreated since the copy that was restored: they stay
     *     suspended until they are defined again, and advanced beyond what was allocated since
     */
    public List<SequenceName> resumeAll(BiConsumer<SequenceName, Set<String>> left) {
        List<SequenceName> suspended = new ArrayList<>();
        List<ProblemException> failures = walk(name -> {
            // No call of a sequence in use reads the index, which alone shows that it is the old one.
            registered(name).requireNotLost();
            Set<String> restored = restored(name);
            if (!restored.isEmpty()) {
                left.accept(name, restored);
                return;
            }
            again(() -> lifecycle.changeSuspension(name, NOTE, (suspension, now) -> suspension.maintenance(null)));
            if (registered(name).present().suspension().isByOwner()) {
                suspended.add(name);
            }
        });
        mark(MaintenanceMark::resumed);
        throwIfAny(failures);
        return suspended;
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
        eachCounter(restored(name), period -> moves.skip(name, period, CounterRequest.Skip.accepting(ACCEPTED)));
        again(() -> lifecycle.endMaintenance(name, ACCEPTED));
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
        throwIfAny(walk(name -> skip(name, numbers, note, moved)));
    }

    private void skip(SequenceName name, long numbers, ChangeNote note, BiConsumer<SequenceName, Change.Move> moved) {
        again(() -> register(name));
        carryMargin(name, note, margin -> Math.max(margin, numbers));
        eachCounter(periods(name), period -> {
            moved.accept(name, moves.skip(name, period, new CounterRequest.Skip(numbers, note)));
        });
    }

    /** A sequence without periods has its counter opened here, for its definition may say that there was one. */
    private Set<String> periods(SequenceName name) {
        Set<String> periods = new TreeSet<>(counters(name));
        FixedFields fixed =
                calls.at(name, SequenceCalls.SequenceCall::definition).fixed();
        if (fixed.isCounted() && fixed.isNeverReset()) {
            periods.add("");
        }
        return periods;
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
        Set<SequenceName> missing = new LinkedHashSet<>();
        throwIfAny(walkAll(name -> again(() -> {
            if (register(name)) {
                missing.add(name);
            }
            if (missing.contains(name)) {
                lifecycle.noteIfUnused(name);
            }
        })));
        return missing;
    }

    /** Lets missing counters open at their start again: no period is left that may have been lost. */
    public void forgetMargins() {
        throwIfAny(walk(name -> carryMargin(name, NOTE, margin -> 0)));
    }

    private void carryMargin(SequenceName name, ChangeNote note, LongUnaryOperator change) {
        again(() -> writer.untilWon(name, registered -> {
            Sequence before = registered.present();
            Sequence after = before.withRestoreMargin(change.applyAsLong(before.restoreMargin()));
            return after.equals(before)
                    ? Optional.of(before)
                    : DefinitionWriter.ifWon(
                            after,
                            changed -> store.replace(changed, Change.ofMargin(before, changed, note, time.now())));
        }));
    }

    /**
     * A step that does nothing where it is done: of thousands some fail, or end without an answer. At once, since its
     * reads are retried with pauses.
     */
    private static void again(Runnable step) {
        for (int tries = 1; ; tries++) {
            try {
                step.run();
                return;
            } catch (ProblemException e) {
                if (!e.isTransient() || tries == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }

    private Set<String> counters(SequenceName name) {
        return calls.at(name, call -> call.retry(() -> store.periods(name)));
    }

    private void mark(UnaryOperator<MaintenanceMark> change) {
        calls.retry(calls.deadline(), () -> store.markService(change));
    }

    private RegisteredSequence registered(SequenceName name) {
        return calls.at(name, SequenceCalls.SequenceCall::registered);
    }

    /** Does some work at every sequence; returns the problems of those where it failed, in no order. */
    private List<ProblemException> walk(Consumer<SequenceName> work) {
        return walkAll(name -> {
            if (!name.isTemplate()) {
                work.accept(name);
            }
        });
    }

    /** Like {@link #walk}, including templates. */
    private List<ProblemException> walkAll(Consumer<SequenceName> work) {
        List<ProblemException> failures = new ArrayList<>();
        String continuation = null;
        do {
            String position = continuation;
            Page<Result<SequenceName>, String> page =
                    calls.retry(calls.deadline(), () -> store.walk(SEQUENCES_AT_ONCE, position));
            failures.addAll(each(page.items(), name -> work.accept(name.orThrow())));
            continuation = page.next();
        } while (continuation != null);
        return failures;
    }

    /** Fails as the first counter did, with the problems of the others suppressed. */
    private static void eachCounter(Set<String> periods, Consumer<String> work) {
        List<ProblemException> failures = each(periods, work);
        if (!failures.isEmpty()) {
            ProblemException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    /** Does some work at each of these; returns why it failed at some. What may be over soon ends it. */
    private static <T> List<ProblemException> each(Collection<T> all, Consumer<T> work) {
        List<ProblemException> failures = new ArrayList<>();
        for (T one : all) {
            try {
                work.accept(one);
            } catch (ProblemException e) {
                if (e.isTransient()) {
                    throw e;
                }
                failures.add(e);
            }
        }
        return failures;
    }

    private static void throwIfAny(List<ProblemException> failures) {
        if (!failures.isEmpty()) {
            ProblemException first = failures.get(0);
            ProblemException all = new ProblemException(
                    first.type(),
                    failures.size() + " sequences could not be read or changed; all others were. "
                            + first.getMessage());
            Stream.of(first.getSuppressed()).forEach(all::addSuppressed);
            failures.stream().skip(1).forEach(all::addSuppressed);
            throw all;
        }
    }
}
