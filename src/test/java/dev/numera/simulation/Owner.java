package dev.numera.simulation;

import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.definition.DefinitionEditor;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.definition.SequenceLifecycle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The owner of the sequence. It changes start, increment and range before the first number, later changes the format
 * and widens the range, and retires and revives the sequence. Its changes get lost, arrive late or twice, and race with
 * numbers. Every answer to the owner must be true in the end.
 */
final class Owner {
    private static final int CHANGES_MAX = 8;

    /** Answers that promise that the definition was not changed. */
    private static final Set<ProblemType> REFUSALS = EnumSet.of(
            ProblemType.INVALID_REQUEST,
            ProblemType.IMMUTABLE_FIELD,
            ProblemType.TEXTS_COULD_REPEAT,
            ProblemType.TEXTS_TOO_LONG,
            ProblemType.RETIRED,
            ProblemType.PRECONDITION_FAILED,
            ProblemType.CONTENTION,
            ProblemType.OVERLOADED);

    /** A definition as its owner sees it. */
    private record Declared(Definition definition, boolean isRetired) {
        static Declared of(Sequence stored) {
            return new Declared(stored.definition(), stored.isRetired());
        }
    }

    /** The time between the answer to a retirement and the request for the next revival. */
    record Retirement(long answeredNanos, long revivalTick) {}

    private final SequenceName name;
    private final Scheduler scheduler;
    private final Faults faults;
    private final DefinitionEditor editor;
    private final SequenceLifecycle lifecycle;
    /** The definitions that may be stored, as far as the owner knows. */
    private final Set<Declared> possible = new HashSet<>();

    private final List<Retirement> retirements = new ArrayList<>();
    private boolean hasRetired;

    Owner(SequenceName name, Scheduler scheduler, Faults faults, Sequences sequences, Definition first) {
        this.name = name;
        this.scheduler = scheduler;
        this.faults = faults;
        this.editor = sequences.editor();
        this.lifecycle = sequences.lifecycle();
        possible.add(new Declared(first, false));
    }

    boolean hasRetired() {
        return hasRetired;
    }

    List<Retirement> retirements() {
        return retirements;
    }

    void act() {
        boolean isPatient = scheduler.chance(0.5);
        for (int change = 0; change < CHANGES_MAX; change++) {
            scheduler.sleep(Duration.ofNanos(scheduler.random().nextInt(isPatient ? 60_000_000 : 3_000_000)));
            try {
                change(editor.get(name));
            } catch (ProblemException | IllegalStateException | LinkageError e) {
                // The owner reads the definition again later, or gives up.
                scheduler.trace(() -> "cannot read: " + e.getMessage());
            }
        }
    }

    /** Revives the sequence without faults if it is retired, so that it can be used. */
    void finish() {
        Sequence present = editor.get(name);
        if (present.isRetired()) {
            revive(present);
        }
    }

    private void change(Sequence present) {
        if (present.isRetired()) {
            revive(present);
        } else if (present.isInUse() && scheduler.chance(0.2)) {
            retire(present);
        } else {
            DefinitionDraft draft = present.isInUse() ? later(present.definition()) : earlier(present.definition());
            patch(present, draft);
        }
    }

    private void patch(Sequence present, DefinitionDraft draft) {
        Declared wanted = new Declared(draft.over(present.definition()).complete(name, Instant.EPOCH), false);
        String what = "patches to " + wanted.definition.format() + " " + wanted.definition.series();
        attempt(what, Declared.of(present), wanted, () -> editor.patch(name, draft, tagged(present), ChangeNote.NONE));
    }

    private void retire(Sequence present) {
        hasRetired = true;
        boolean isDone = attempt(
                "retires",
                Declared.of(present),
                new Declared(present.definition(), true),
                () -> lifecycle.retire(name, tagged(present), ChangeNote.NONE));
        if (isDone) {
            retirements.add(new Retirement(scheduler.nanos(), Long.MAX_VALUE));
        }
    }

    private void revive(Sequence present) {
        if (!retirements.isEmpty()) {
            Retirement last = retirements.remove(retirements.size() - 1);
            retirements.add(new Retirement(last.answeredNanos, Math.min(last.revivalTick, scheduler.tick())));
        }
        attempt(
                "revives",
                Declared.of(present),
                new Declared(present.definition(), false),
                () -> editor.put(name, DefinitionDraft.of(present.definition()), Precondition.ABSENT, ChangeNote.NONE));
    }

    private static Precondition tagged(Sequence present) {
        return Precondition.tagged(Set.of(present.tag()));
    }

    /** Whether the change is known to be done. */
    private boolean attempt(String what, Declared present, Declared wanted, Runnable change) {
        scheduler.trace(() -> what);
        Set<Declared> before = Set.copyOf(possible);
        // The change may be done from now on. Only an answer can exclude it.
        possible.add(wanted);
        try {
            change.run();
            scheduler.trace(() -> "is answered that it is done");
            if (!wanted.equals(present)) {
                // A change that leaves the definition as it is writes nothing, so an earlier change may still arrive
                // after it.
                possible.clear();
            }
            possible.add(wanted);
            return true;
        } catch (ProblemException e) {
            scheduler.trace(() -> "is answered " + e.type() + ": " + e.getMessage());
            // The second copy of a change may be refused because the first copy was done.
            if (REFUSALS.contains(e.type()) && !faults.hasDuplicated()) {
                possible.clear();
                possible.addAll(before);
            } else if (!REFUSALS.contains(e.type())
                    && e.type() != ProblemType.OUTCOME_UNKNOWN
                    && e.type() != ProblemType.STORAGE_UNAVAILABLE) {
                throw new AssertionError("Nothing explains " + e.type() + " to the owner: " + e.getMessage(), e);
            }
        } catch (IllegalStateException | LinkageError e) {
            if (!faults.hasBroken()) {
                throw new AssertionError("Nothing explains " + e + " to the owner", e);
            }
        }
        return false;
    }

    /** Returns a change that is allowed only before the first number. */
    private DefinitionDraft earlier(Definition definition) {
        SplittableRandom random = scheduler.random();
        long start = definition.fixed().start();
        long increment = definition.fixed().increment();
        int sign = Long.signum(increment);
        return switch (random.nextInt(4)) {
            case 0 -> DefinitionDraft.EMPTY.with(DefinitionField.START, start + 5 * sign);
            case 1 -> DefinitionDraft.EMPTY.with(DefinitionField.INCREMENT, increment + sign);
            case 2 -> DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, Scenario.format(random, definition.fixed()));
            default ->
                DefinitionDraft.EMPTY.with(
                        increment > 0 ? DefinitionField.MAX_VALUE : DefinitionField.MIN_VALUE,
                        start + increment * (20 + random.nextInt(100)));
        };
    }

    private DefinitionDraft later(Definition definition) {
        SplittableRandom random = scheduler.random();
        return switch (random.nextInt(4)) {
            case 0 ->
                DefinitionDraft.EMPTY.with(
                        DefinitionField.MAX_VALUE,
                        Math.min(Definition.LARGEST_EXACT, definition.maxValue() + random.nextInt(1_000)));
            case 1 -> DefinitionDraft.EMPTY.with(DefinitionField.DESCRIPTION, "text " + random.nextInt(100));
            default -> DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, Scenario.format(random, definition.fixed()));
        };
    }

    void requireAnsweredTruly(Sequence inTheEnd) {
        if (!possible.contains(Declared.of(inTheEnd))) {
            throw new AssertionError("The owner was answered that the definition is one of " + possible + ", but it is "
                    + Declared.of(inTheEnd));
        }
    }
}
