package dev.numera.sequences.definition;

import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.DefinitionCache;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;

/**
 * Stores the definition of a new sequence, of a retired sequence, or of a sequence whose table was lost. Thread-safe;
 * calls block for storage requests.
 */
public final class SequenceCreation {
    private final DefinitionStore store;
    private final DefinitionCache definitions;
    private final SequenceLifecycle lifecycle;
    private final DefinitionWriter writer;
    private final Clock time;

    public SequenceCreation(
            DefinitionStore store,
            DefinitionCache definitions,
            SequenceLifecycle lifecycle,
            DefinitionWriter writer,
            Clock time) {
        this.store = store;
        this.definitions = definitions;
        this.lifecycle = lifecycle;
        this.writer = writer;
        this.time = time;
    }

    Optional<Sequence> begin(
            SequenceCalls.SequenceCall call, RegisteredSequence registered, DefinitionDraft draft, ChangeNote note) {
        SequenceName name = registered.name();
        if (registered.isLost()
                || registered.stored().filter(existing -> !existing.isRetired()).isEmpty()) {
            call.retry(() -> {
                definitions.requireNoMaintenance(name);
                return name;
            });
        }
        if (registered.isLost()) {
            return beginAgain(call, registered, draft, note);
        }
        if (registered.stored().isEmpty()) {
            Optional<Sequence> created = insert(call, newborn(call, draft, note), note);
            created.ifPresent(definitions::index);
            return created;
        }
        Sequence existing = registered.stored().get();
        if (!existing.isRetired()) {
            throw ChangeRules.precondition(existing, "it already exists. Change it by PATCH with its ETag as If-Match");
        }
        Sequence known = revivable(call, existing);
        return writer.change(known, revived(known, draft), note);
    }

    /** Returns a retired sequence as {@link #begin} would revive it, with the same refusals. Stores nothing. */
    Sequence preview(SequenceCalls.SequenceCall call, Sequence retired, DefinitionDraft draft) {
        Sequence known = revivable(call, retired);
        return ChangeRules.changedTo(known, revived(known, draft));
    }

    /**
     * Marks the definition as in use if a counter exists that it does not know. A restore left that counter, and its
     * numbers stay taken. Without use the name is free, and the suspension by its earlier owner ends.
     */
    private Sequence revivable(SequenceCalls.SequenceCall call, Sequence retired) {
        Sequence known = retired.isInUse() || firstCounter(call).isEmpty() ? retired : retired.inUse();
        return known.isNeverUsed() ? known.suspended(known.suspension().liftedByOwner()) : known;
    }

    private Definition revived(Sequence known, DefinitionDraft draft) {
        return known.isNeverUsed()
                ? draft.complete(known.name(), known.definition(), time.now())
                : ChangeRules.replaced(known, draft, time.now());
    }

    /**
     * Inserts a new definition. A sequence in use starts suspended, because a maintenance may have started since the
     * service's mark was read, and only the first number of a sequence reads the mark again.
     */
    private Optional<Sequence> insert(SequenceCalls.SequenceCall call, Sequence created, ChangeNote note) {
        Sequence arriving =
                created.isInUse() ? created.suspended(created.suspension().maintenance(time.now())) : created;
        Optional<Sequence> inserted = DefinitionWriter.ifWon(
                arriving, stored -> store.insert(stored, Change.created(created.definition(), note, time.now())));
        return created.isInUse() ? inserted.map(stored -> lifted(call, stored, note)) : inserted;
    }

    /**
     * Lifts the suspension of a new sequence. Returns the definition that its creator sent, because another owner may
     * have changed the stored definition meanwhile.
     */
    private Sequence lifted(SequenceCalls.SequenceCall call, Sequence inserted, ChangeNote note) {
        Sequence present = writer.untilWon(call, registered -> lifecycle.liftUnlessMarked(registered.present(), note));
        return inserted.suspended(present.suspension());
    }

    /** Defines a sequence again after its table was lost. The owner must send the start. */
    private Optional<Sequence> beginAgain(
            SequenceCalls.SequenceCall call, RegisteredSequence lost, DefinitionDraft draft, ChangeNote note) {
        SequenceName name = lost.name();
        if (draft.get(DefinitionField.START) == null && draft.get(DefinitionField.GUARANTEE) != Guarantee.SNOWFLAKE) {
            throw RegisteredSequence.lost(name);
        }
        Optional<Sequence> stored = lost.stored();
        Sequence begun = stored.isPresent()
                ? continued(
                        ChangeRules.changedTo(stored.get(), ChangeRules.replaced(stored.get(), draft, time.now()))
                                .recreated(),
                        note)
                : newborn(call, draft, note);
        // Writes the index row first. Then no definition has the id of an earlier index row, even if two callers
        // define the sequence again at once or this call crashes.
        boolean isIndexed = DefinitionWriter.isWon(
                store.reindex(
                        name,
                        begun.id(),
                        Objects.requireNonNull(lost.indexed().orElseThrow().version())),
                name);
        if (!isIndexed) {
            return Optional.empty();
        }
        return stored.isPresent()
                ? DefinitionWriter.ifWon(
                        begun,
                        after -> store.replace(
                                after, Change.changed(stored.get(), after.definition(), note, time.now())))
                : insert(call, begun, note);
    }

    /**
     * Returns the definition of a sequence that stores none. It is in use and suspended if a counter exists: only the
     * definition was lost, and numbers were already taken.
     */
    private Sequence newborn(SequenceCalls.SequenceCall call, DefinitionDraft draft, ChangeNote note) {
        SequenceName name = call.name();
        Sequence first = first(name, draft.complete(name, time.now()));
        NavigableMap<String, Result<CounterState>> counters = firstCounter(call);
        if (counters.isEmpty()) {
            return first;
        }
        ChangeRules.requireLeadsTo(first, counters.firstEntry().getValue().orThrow());
        return continued(first.inUse(), note);
    }

    private NavigableMap<String, Result<CounterState>> firstCounter(SequenceCalls.SequenceCall call) {
        return call.retry(() -> store.counters(call.name(), "", 1));
    }

    /**
     * Suspends a sequence in use, because its counter may be older than its last numbers. It allocates no number until
     * the owner advances and resumes it.
     */
    private Sequence continued(Sequence begun, ChangeNote note) {
        return begun.isInUse() && !begun.suspension().isByOwner()
                ? begun.suspended(begun.suspension()
                        .byOwner(time.now(), new ChangeNote(note.actor(), "defined again: advance it, then resume")))
                : begun;
    }

    /** Returns a sequence without numbers that is not stored yet. */
    Sequence first(SequenceName name, Definition definition) {
        return Sequence.first(name, definition, definition.fixed().day(time.now()));
    }
}
