package dev.numera.sequences.definition;

import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.DefinitionCache;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Defines and changes sequences for their owners. Thread-safe; calls block for storage requests, and fail with a
 * {@link ProblemException}.
 *
 * <p>A definition is one row, changed by conditional writes. The first allocation marks that row as in use. A change
 * that loses against the mark is checked again by the rules for a definition in use.
 *
 * <p>Decision: {@code docs/decisions/put-drops-no-field-silently.md}.
 */
public final class DefinitionEditor {
    private final SequenceCalls calls;
    private final DefinitionStore store;
    private final DefinitionCache definitions;
    private final DefinitionWriter writer;
    private final SequenceCreation creation;
    private final StateReader states;
    private final Clock time;

    public DefinitionEditor(
            SequenceCalls calls,
            DefinitionStore store,
            DefinitionCache definitions,
            DefinitionWriter writer,
            SequenceCreation creation,
            StateReader states,
            Clock time) {
        this.calls = calls;
        this.store = store;
        this.definitions = definitions;
        this.writer = writer;
        this.creation = creation;
        this.states = states;
        this.time = time;
    }

    public Sequence get(SequenceName name) {
        return calls.at(name, call -> call.reloaded());
    }

    /**
     * Creates, replaces or revives a definition. Replacing drops no field silently: it refuses a request that omits a
     * declared field without resetting it. Only fixed fields may be omitted, and keep their values.
     *
     * @param note is stored with the change
     * @return the definition as this call stored it, even if another call has changed it since
     */
    public Sequence put(SequenceName name, DefinitionDraft draft, Precondition precondition, ChangeNote note) {
        boolean isNew = precondition.isAbsence();
        return calls.at(
                name,
                call -> writer.untilWon(call, registered -> {
                    if (isNew) {
                        return creation.begin(call, registered, draft, note);
                    }
                    Sequence existing = ChangeRules.required(registered, name, precondition);
                    ChangeRules.requireNotRetired(existing);
                    return writer.change(existing, ChangeRules.replaced(existing, draft, time.now()), note);
                }));
    }

    /**
     * Changes the fields that were sent, and keeps all other fields.
     *
     * @param note is stored with the change, if anything changes
     * @return the definition as this call stored it; the existing one if nothing changes
     */
    public Sequence patch(SequenceName name, DefinitionDraft draft, Precondition precondition, ChangeNote note) {
        return calls.at(
                name,
                call -> writer.untilWon(call, registered -> {
                    if (registered.stored().isEmpty() && !registered.isLost()) {
                        throw RegisteredSequence.unknown(name);
                    }
                    Sequence existing = ChangeRules.required(registered, name, precondition);
                    return writer.change(existing, ChangeRules.patched(existing, draft, time.now()), note);
                }));
    }

    /**
     * Previews the numbers under a definition for a new or retired sequence, or under a change of any other. Refuses
     * the draft like {@link #put} or {@link #patch}. Stores and allocates nothing.
     *
     * @param date null for today
     */
    public Preview preview(SequenceName name, DefinitionDraft draft, @Nullable LocalDate date) {
        return calls.at(
                name,
                call -> call.retry(() -> {
                    RegisteredSequence registered = definitions.registered(name);
                    registered.requireNotLost();
                    Sequence previewed = registered
                            .stored()
                            .map(existing -> existing.isRetired()
                                    ? creation.preview(call, existing, draft)
                                    : ChangeRules.changedTo(existing, ChangeRules.patched(existing, draft, time.now())))
                            .orElseGet(() -> creation.first(name, draft.complete(name, time.now())));
                    // A template allocates numbers in other scopes only.
                    Sequence shown = name.isTemplate()
                            ? creation.first(DefinitionDraft.sample(name), previewed.definition())
                            : previewed;
                    return states.preview(shown, date);
                }));
    }

    /**
     * Returns the changes of a sequence in the order of time, as far as the clocks of the instances agree.
     *
     * @param first where the page starts; null for the first page
     * @param limit 1 to 1,000
     * @throws ProblemException {@code unknown-sequence}
     */
    public Page<Result<Change>, Change.Position> changes(
            SequenceName name, Change.@Nullable Position first, int limit) {
        return calls.at(name, call -> {
            call.definition();
            return call.retry(() -> store.changesFrom(name, first, limit));
        });
    }
}
