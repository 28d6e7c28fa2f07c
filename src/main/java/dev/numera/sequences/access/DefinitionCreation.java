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

/**
 * Finds the definition of a sequence, or creates it where automatic creation allows it. Thread-safe; calls block for
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
     * The definition, created if there is none and automatic creation allows it.
     *
     * @param own the ids of the definitions with which the call has tried to create the sequence, kept over its tries:
     *     the answer to the write of one may be lost, or the write land late
     * @throws ProblemException {@code unknown-sequence} where it does not
     */
    public Found getOrCreate(SequenceName name, Set<String> own) {
        return DefinitionCache.ifAny(() -> definitions.get(name))
                .map(existing -> new Found(existing, own.contains(existing.id())))
                .orElseGet(() -> create(name, own));
    }

    /**
     * The present definition, read again; or the one that would be created now. Creates nothing.
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

    private Found create(SequenceName name, Set<String> own) {
        Definition definition = creatable(name);
        Sequence created = first(name, definition);
        own.add(created.id());
        long beganNanos = time.nanoTime();
        WriteResult result = store.insert(created, Change.created(definition, ChangeNote.NONE, time.now()));
        if (result instanceof WriteResult.Unknown unknown && store.find(name).isEmpty()) {
            throw unknown.cause();
        }
        // Read again, unless it is known for certain: another caller may have begun to read before the definition was
        // there.
        definitions.forget(name);
        Sequence present = result instanceof WriteResult.Won won && won.version() != null
                ? definitions.remembered(created.at(won.version()), beganNanos)
                : definitions.get(name);
        // Its id shows whose it is, also where the answer to the write was lost.
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

    /** A template's format need not fit every scope: {@code {scope:6}} takes numbers only. */
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
