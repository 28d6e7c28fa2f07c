package dev.numera.sequence;

import dev.numera.execution.Clock;
import dev.numera.model.Change;
import dev.numera.model.ChangeNote;
import dev.numera.model.CounterState;
import dev.numera.model.Definition;
import dev.numera.model.DefinitionDraft;
import dev.numera.model.DefinitionField;
import dev.numera.model.Guarantee;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.problem.Answer;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;

/**
 * Stores the first definition of a sequence, of one that was retired, or of one whose table was lost. Thread-safe;
 * calls block for storage requests.
 */
final class SequenceCreation {
    private final DefinitionStore store;
    private final Definitions definitions;
    private final SequenceLifecycle lifecycle;
    private final DefinitionWriter writer;
    private final Clock time;

    SequenceCreation(
            DefinitionStore store,
            Definitions definitions,
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
            SequenceAccess.Visit visit, RegisteredSequence registered, DefinitionDraft draft, ChangeNote note) {
        SequenceName name = registered.name();
        if (registered.isLost()
                || registered.stored().filter(existing -> !existing.isRetired()).isEmpty()) {
            visit.retry(() -> {
                definitions.requireNoMaintenance(name);
                return name;
            });
        }
        if (registered.isLost()) {
            return beginAgain(visit, registered, draft, note);
        }
        if (registered.stored().isEmpty()) {
            Optional<Sequence> created = insert(visit, newborn(visit, draft, note), note);
            created.ifPresent(definitions::index);
            return created;
        }
        Sequence existing = registered.stored().get();
        if (!existing.isRetired()) {
            throw ChangeRules.precondition(
                    existing, "there is one already. Change it by PATCH with its ETag as If-Match");
        }
        Sequence known = withCounters(visit, existing);
        return known.isNeverUsed()
                ? writer.change(known, draft.complete(name, known.definition(), time.now()), note)
                : writer.change(known, ChangeRules.replaced(known, draft, time.now()), note);
    }

    /** A counter that its definition does not know is one that a restore left, and its numbers stay taken. */
    private Sequence withCounters(SequenceAccess.Visit visit, Sequence retired) {
        return retired.isInUse() || firstCounter(visit).isEmpty() ? retired : retired.inUse();
    }

    /**
     * Inserts a new definition. A sequence in use starts suspended: a maintenance may have passed it since the mark of
     * the service was read, and its next number does not read the mark, as a first one does.
     */
    private Optional<Sequence> insert(SequenceAccess.Visit visit, Sequence created, ChangeNote note) {
        Sequence arriving =
                created.isInUse() ? created.suspended(created.suspension().maintenance(time.now())) : created;
        Optional<Sequence> inserted = DefinitionWriter.ifWon(
                arriving, stored -> store.insert(stored, Change.created(created.definition(), note, time.now())));
        return created.isInUse() ? inserted.map(stored -> lifted(visit, stored, note)) : inserted;
    }

    /**
     * Lifts the suspension of a new sequence. Returns the definition that its creator sent, because another owner may
     * have changed the stored definition meanwhile.
     */
    private Sequence lifted(SequenceAccess.Visit visit, Sequence inserted, ChangeNote note) {
        Sequence present = writer.untilWon(visit, registered -> lifecycle.liftUnlessMarked(registered.present(), note));
        return inserted.suspended(present.suspension());
    }

    /** A table was lost, and its owner says from where on the sequence shall count. */
    private Optional<Sequence> beginAgain(
            SequenceAccess.Visit visit, RegisteredSequence lost, DefinitionDraft draft, ChangeNote note) {
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
                : newborn(visit, draft, note);
        // First, so that of two that start it again, or after a crash, no definition has the id of an earlier index
        // row.
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
                : insert(visit, begun, note);
    }

    /** Where the definition alone was lost, numbers were taken already. */
    private Sequence newborn(SequenceAccess.Visit visit, DefinitionDraft draft, ChangeNote note) {
        SequenceName name = visit.name();
        Sequence first = first(name, draft.complete(name, time.now()));
        NavigableMap<String, Answer<CounterState>> counters = firstCounter(visit);
        if (counters.isEmpty()) {
            return first;
        }
        ChangeRules.requireLeadsTo(first, counters.firstEntry().getValue().orThrow());
        return continued(first.inUse(), note);
    }

    private NavigableMap<String, Answer<CounterState>> firstCounter(SequenceAccess.Visit visit) {
        return visit.retry(() -> store.counters(visit.name(), "", 1));
    }

    /** Its counter may be older than its last numbers: it allocates none until its owner has advanced it. */
    private Sequence continued(Sequence begun, ChangeNote note) {
        return begun.isInUse() && !begun.suspension().isByOwner()
                ? begun.suspended(begun.suspension()
                        .byOwner(time.now(), new ChangeNote(note.actor(), "defined again: advance it, then resume")))
                : begun;
    }

    /** A sequence without numbers, which nothing stores yet. */
    Sequence first(SequenceName name, Definition definition) {
        return Sequence.first(name, definition, definition.fixed().day(time.now()));
    }
}
