package dev.numera.sequences.definition;

import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Suspension;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Suspends, resumes and retires a sequence. Thread-safe; calls block for storage requests, and fail with a
 * {@link ProblemException}.
 *
 * <p>Decision: {@code docs/decisions/retiring-writes-only-the-definition.md}.
 */
public final class SequenceLifecycle {
    private final SequenceCalls calls;
    private final DefinitionStore store;
    private final DefinitionWriter writer;
    private final Clock time;

    public SequenceLifecycle(SequenceCalls calls, DefinitionStore store, DefinitionWriter writer, Clock time) {
        this.calls = calls;
        this.store = store;
        this.writer = writer;
        this.time = time;
    }

    /**
     * Retires a sequence: it allocates no new numbers, and its allocated numbers stay. If it was never used, lists omit
     * it and its name is free for another definition. Retiring it again is no error.
     *
     * @param note is kept with the change
     */
    public void retire(SequenceName name, Precondition precondition, ChangeNote note) {
        writer.untilWon(name, registered -> {
            Optional<Sequence> retired = registered.stored().filter(precondition::allowedToRetire);
            if (!registered.isLost() && retired.isPresent()) {
                return retired;
            }
            Sequence existing = ChangeRules.required(registered, name, precondition);
            Instant now = time.now();
            if (existing.isNeverUsed() && !noteUnused(registered)) {
                return Optional.empty();
            }
            return existing.isRetired()
                    ? Optional.of(existing)
                    : DefinitionWriter.ifWon(
                            existing.retired(now), after -> store.replace(after, Change.retired(note, now)));
        });
    }

    /** Notes in a rebuilt index row that the sequence was retired without ever having been used. */
    public void noteIfUnused(SequenceName name) {
        writer.untilWon(name, registered -> {
            Sequence present = registered.present();
            boolean isNoted = !present.isRetired() || !present.isNeverUsed() || noteUnused(registered);
            return isNoted ? Optional.of(present) : Optional.empty();
        });
    }

    /**
     * Notes in the index row that the sequence may be unused. Call before retiring it: the note alone hides nothing, so
     * a crash in between changes nothing.
     */
    private boolean noteUnused(RegisteredSequence registered) {
        Optional<Versioned<String>> row = registered.indexed();
        return row.isEmpty()
                || DefinitionWriter.isWon(
                        store.noteUnused(
                                registered.name(),
                                Objects.requireNonNull(row.get().version())),
                        registered.name());
    }

    /**
     * Stops a sequence for a while: it allocates nothing new, and known keys keep their numbers. Other instances honor
     * it within 30 s. Suspending it again is no error and keeps the first time and reason.
     *
     * @param note is kept with the change; its reason is shown to callers
     */
    public Sequence suspend(SequenceName name, ChangeNote note) {
        note.requireReason();
        return changeByOwner(
                name, note, (suspension, now) -> suspension.isByOwner() ? suspension : suspension.byOwner(now, note));
    }

    /**
     * Lets a sequence allocate again. The sequence stays suspended if the whole service is suspended for maintenance,
     * or if a restored counter was not advanced. Resuming an active sequence is no error.
     *
     * @param note is kept with the change
     */
    public Sequence resume(SequenceName name, ChangeNote note) {
        note.requireReason();
        return changeByOwner(name, note, (suspension, now) -> suspension.liftedByOwner());
    }

    /** Returns the reason a sequence is still suspended after its owner resumed it; empty if it is active. */
    public Optional<String> whyStillSuspended(Sequence resumed) {
        if (!resumed.suspension().isMaintenance()) {
            return Optional.empty();
        }
        SequenceName name = resumed.name();
        return Optional.of(
                calls.at(name, call -> call.retry(() -> store.restored(name))).isEmpty()
                        ? Suspension.MAINTENANCE
                        : Suspension.RESTORED);
    }

    private Sequence changeByOwner(
            SequenceName name, ChangeNote note, BiFunction<Suspension, Instant, Suspension> change) {
        name.requireNoTemplate();
        return calls.at(
                name,
                call -> writer.untilWon(call, registered -> {
                    registered.requireNotLost();
                    ChangeRules.requireNotRetired(registered.present());
                    return changeSuspension(registered.present(), note, change);
                }));
    }

    /** Changes the suspension of a sequence in any state, even a retired one. */
    public void changeSuspension(
            SequenceName name, ChangeNote note, BiFunction<Suspension, Instant, Suspension> change) {
        writer.untilWon(name, registered -> changeSuspension(registered.present(), note, change));
    }

    /**
     * Ends the maintenance of a sequence after an operator has checked its counters, unless the whole service is
     * suspended.
     */
    public void endMaintenance(SequenceName name, ChangeNote note) {
        writer.untilWon(name, registered -> liftUnlessMarked(registered.present(), note));
    }

    /** Skips the write and the change-log entry if the suspension stays the same. */
    private Optional<Sequence> changeSuspension(
            Sequence existing, ChangeNote note, BiFunction<Suspension, Instant, Suspension> change) {
        Instant now = time.now();
        Suspension after = unlessRestored(existing, change.apply(existing.suspension(), now), now);
        if (after.equals(existing.suspension())) {
            return Optional.of(existing);
        }
        boolean isMore = after.isByOwner() && !existing.suspension().isByOwner()
                || after.isMaintenance() && !existing.suspension().isMaintenance();
        return DefinitionWriter.ifWon(
                existing.suspended(after),
                changed -> store.replace(changed, isMore ? Change.suspended(note, now) : Change.resumed(note, now)));
    }

    /**
     * Keeps a sequence suspended while it has a restored counter, which would repeat the numbers that were allocated
     * after the backup. Reads the counters after the definition: a restore puts the counters back first.
     */
    private Suspension unlessRestored(Sequence existing, Suspension wanted, Instant now) {
        Suspension before = existing.suspension();
        if (before.isNone()
                || !wanted.isNone()
                || store.restored(existing.name()).isEmpty()) {
            return wanted;
        }
        return wanted.maintenance(Objects.requireNonNullElse(before.maintenanceAt(), now));
    }

    /**
     * Lifts the maintenance suspension unless the service's mark is set. Reads the mark after the definition: a
     * maintenance that sets the mark later either finds this change or makes its write lose.
     */
    Optional<Sequence> liftUnlessMarked(Sequence existing, ChangeNote note) {
        return store.serviceMark().suspendedAt() != null
                ? Optional.of(existing)
                : changeSuspension(existing, note, (suspension, now) -> suspension.maintenance(null));
    }
}
