package dev.numera.sequence;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.numera.counter.FixedFields;
import dev.numera.counter.SequenceName;
import dev.numera.counter.WriteResult;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The definitions that this instance knows. One is kept for a while, so other instances see a change within {@link #KEPT}; that
 * there is none is never kept. Thread-safe; calls block for storage requests where the definition is not known.
 */
final class Definitions {
    /** Within the 30 s that are promised, reading it included. */
    static final Duration KEPT = Duration.ofSeconds(25);

    /** @param isNew whether this call created the sequence */
    record Found(KnownDefinition definition, boolean isNew) {}

    /** How reading a definition ended: at most one of the two is not null, and neither where there is none. */
    private record Reading(KnownDefinition definition, RuntimeException failure) {
        Optional<KnownDefinition> orThrow() {
            if (failure != null) {
                throw failure;
            }
            return Optional.ofNullable(definition);
        }
    }

    private final DefinitionStore store;
    private final AutoCreate autoCreate;
    private final AsyncCache<SequenceName, Reading> known;

    Definitions(DefinitionStore store, AutoCreate autoCreate, int maxKept, Ticker ticker) {
        this.store = store;
        this.autoCreate = autoCreate;
        this.known = Caffeine.newBuilder().expireAfterWrite(KEPT).maximumSize(maxKept).ticker(ticker).executor(Runnable::run).buildAsync();
    }

    /** @throws ProblemException {@code unknown-sequence} */
    KnownDefinition get(SequenceName name) {
        return find(name).orElseThrow(() -> unknown(name, "Create it with PUT, or by a first call to next."));
    }

    /** The definition if this instance knows it; never asks storage. */
    Optional<KnownDefinition> inMemory(SequenceName name) {
        return Optional.ofNullable(known.getIfPresent(name)).map(reading -> reading.getNow(null)).map(Reading::definition);
    }

    /** Whoever comes first reads it; the others wait for that. No lock is held meanwhile: it could be another sequence's too. */
    Optional<KnownDefinition> find(SequenceName name) {
        CompletableFuture<Reading> mine = new CompletableFuture<>();
        CompletableFuture<Reading> first = known.asMap().putIfAbsent(name, mine);
        if (first != null) {
            return first.join().orThrow();
        }
        try {
            Reading reading = read(name);
            mine.complete(reading);
            if (reading.definition() == null) {
                known.asMap().remove(name, mine);
            }
            return reading.orThrow();
        } finally {
            // Nothing to do, unless not even the failure could be told, as when memory has run out.
            mine.cancel(false);
        }
    }

    /** Nobody who waits for it may be left waiting, whatever is thrown. */
    private Reading read(SequenceName name) {
        try {
            return new Reading(load(name), null);
        } catch (RuntimeException e) {
            return new Reading(null, e);
        } catch (Error e) {
            return new Reading(null, new IllegalStateException("Reading the definition of " + name + " broke off: " + e, e));
        }
    }

    /** As {@link #get}, but the definition is read anew. */
    KnownDefinition reload(SequenceName name) {
        forget(name);
        return get(name);
    }

    Optional<KnownDefinition> reloadIfPresent(SequenceName name) {
        forget(name);
        return find(name);
    }

    void forget(SequenceName name) {
        known.synchronous().invalidate(name);
    }

    /**
     * The definition, created if there is none and automatic creation allows it.
     *
     * @throws ProblemException {@code unknown-sequence} where it does not
     */
    Found getOrCreate(SequenceName name) {
        Optional<KnownDefinition> existing = find(name);
        return existing.isPresent() ? new Found(existing.get(), false) : create(name);
    }

    private Found create(SequenceName name) {
        Definition definition = blank(name);
        requireFits(name, definition);
        StoredDefinition created = StoredDefinition.first(name, definition);
        WriteResult result = store.insert(created);
        if (result instanceof WriteResult.Unknown unknown && load(name) == null) {
            throw unknown.cause();
        }
        // Read anew: another caller may have begun to read before the definition was there.
        return new Found(reload(name), result instanceof WriteResult.Won);
    }

    private Definition blank(SequenceName name) {
        Optional<Definition> template = autoCreate == AutoCreate.NEVER
                ? Optional.empty()
                : store.find(name.template()).filter(found -> !found.isRetired()).map(StoredDefinition::definition);
        return switch (autoCreate) {
            case ALWAYS -> template.orElse(Definition.DEFAULT);
            case TEMPLATE -> template.orElseThrow(() -> unknown(name, "There is no template " + name.template() + " to create it from."));
            case NEVER -> throw unknown(name, "Create it with PUT: Numera_AutoCreate is never.");
        };
    }

    /** A template's format need not fit every scope: {@code {scope:6}} takes numbers only. */
    private static void requireFits(SequenceName name, Definition definition) {
        try {
            if (definition.format() != null) {
                Format.compile(definition.format()).requireFits(definition.formatContext(name));
            }
        } catch (InvalidFieldException e) {
            throw InvalidRequest.because(e);
        }
    }

    private KnownDefinition load(SequenceName name) {
        Optional<StoredDefinition> stored = store.find(name);
        if (stored.isEmpty()) {
            return null;
        }
        Optional<FixedFields> pinned = store.pinned(name);
        return new KnownDefinition(stored.get().with(pinned), pinned.isPresent());
    }

    private static ProblemException unknown(SequenceName name, String whatToDo) {
        return new ProblemException(ProblemType.UNKNOWN_SEQUENCE, "There is no sequence " + name + ". " + whatToDo);
    }
}
