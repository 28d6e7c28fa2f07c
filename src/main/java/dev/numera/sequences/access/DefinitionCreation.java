package dev.numera.sequences.access;

import dev.numera.core.format.Format;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.LongestText;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.WriteResult;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the definition of a sequence, or creates it if automatic creation allows it. Thread-safe; calls block for
 * storage requests.
 */
public final class DefinitionCreation {
    /** @param isNew whether this call created the sequence */
    public record Found(Sequence definition, boolean isNew) {}

    private final DefinitionCache definitions;
    private final DefinitionStore store;
    private final AutoCreate autoCreate;
    private final Clock time;

    public DefinitionCreation(DefinitionCache definitions, DefinitionStore store, AutoCreate autoCreate, Clock time) {
        this.definitions = definitions;
        this.store = store;
        this.autoCreate = autoCreate;
        this.time = time;
    }

    /**
     * Returns the definition. Creates it if none exists and automatic creation allows it.
     *
     * @param own the ids of the definitions that this call has tried to insert, kept over its retries: an insert may
     *     succeed although its answer is lost or late
     * @param check throws if the call could not use the new sequence; then nothing is created
     * @throws ProblemException {@code unknown-sequence} if automatic creation does not allow it; what the check throws
     */
    public Found getOrCreate(SequenceName name, Set<String> own, Consumer<Sequence> check) {
        return DefinitionCache.ifAny(() -> definitions.get(name))
                .map(existing -> new Found(existing, own.contains(existing.id())))
                .orElseGet(() -> create(name, own, check));
    }

    /**
     * Reads the current definition, or returns the definition that {@link #getOrCreate} would create now. Creates
     * nothing.
     *
     * @throws ProblemException as {@link #getOrCreate}
     */
    public Sequence foreseen(SequenceName name) {
        return DefinitionCache.ifAny(() -> definitions.reload(name)).orElseGet(() -> first(name, creatable(name)));
    }

    private Definition creatable(SequenceName name) {
        Definition definition = blank(name);
        requireFits(name, definition);
        requireLength(name, definition);
        store.serviceMark().refusalOfAutomaticCreation(name).ifPresent(refusal -> {
            throw refusal;
        });
        return definition;
    }

    private Found create(SequenceName name, Set<String> own, Consumer<Sequence> check) {
        Definition definition = creatable(name);
        Sequence created = first(name, definition);
        check.accept(created);
        own.add(created.id());
        long beganNanos = time.nanoTime();
        WriteResult result = store.insert(created, Change.created(definition, ChangeNote.NONE, time.now()));
        if (result instanceof WriteResult.Unknown unknown && store.find(name).isEmpty()) {
            throw unknown.cause();
        }
        // Drops a read that another caller may have started before the insert. Then uses the inserted definition if
        // its version is known, and otherwise reads the definition again.
        definitions.forget(name);
        Sequence present = result instanceof WriteResult.Won won && won.version() != null
                ? definitions.remembered(created.at(won.version()), beganNanos)
                : definitions.get(name);
        // The id shows whether this call created the definition, even if the answer to its insert was lost.
        return new Found(definitions.index(present), own.contains(present.id()));
    }

    private Definition blank(SequenceName name) {
        Optional<Definition> template = autoCreate == AutoCreate.NEVER
                ? Optional.empty()
                : store.find(name.template())
                        .filter(found -> !found.isRetired())
                        .map(Sequence::definition);
        return switch (autoCreate) {
            case ALWAYS -> template.orElse(Definition.DEFAULT);
            case TEMPLATE ->
                template.orElseThrow(() -> RegisteredSequence.unknown(
                        name,
                        "There is no template " + name.template() + " to create it from: define either with PUT."));
            case NEVER -> throw RegisteredSequence.unknown(name, "Create it with PUT: Numera_AutoCreate is never.");
        };
    }

    /** Refuses a scope that the template's format cannot print: {@code {scope:6}}, for example, takes numbers only. */
    private static void requireFits(SequenceName name, Definition definition) {
        if (definition.format() != null) {
            Format.compile(definition.format()).requireFits(definition.formatContext(name));
        }
    }

    private void requireLength(SequenceName name, Definition definition) {
        Integer maxLength = definition.maxLength();
        if (maxLength != null
                && LongestText.of(name, definition, definition.fixed().day(time.now()))
                        .filter(length -> length.longest().length() > maxLength)
                        .isPresent()) {
            throw InvalidRequest.because(
                    "scope",
                    "must be shorter: texts of the template " + name.template() + " have at most " + maxLength
                            + " characters");
        }
    }

    private Sequence first(SequenceName name, Definition definition) {
        return Sequence.first(name, definition, definition.fixed().day(time.now()));
    }
}
