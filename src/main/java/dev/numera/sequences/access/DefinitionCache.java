package dev.numera.sequences.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.SingleFlight;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Cache of the definitions that this instance uses. A definition stays cached for {@link #KEPT}, so each instance
 * applies a change within that time. The cache never keeps the absence of a definition. Thread-safe; calls block for
 * storage requests if the definition is not cached.
 *
 * <p>Decision: {@code docs/decisions/definitions-are-cached-for-25-seconds.md}.
 */
public final class DefinitionCache {
    /**
     * The time that a definition stays cached, counted from before its read. Numera promises that a change takes effect
     * within 30 s.
     */
    static final Duration KEPT = Duration.ofSeconds(25);

    /** A read that one caller does for all, with a time at or before its start. */
    private record Reading(SingleFlight<Sequence> flight, long beganNanos) {
        long leftNanos(long nowNanos) {
            return Math.max(0, KEPT.toNanos() - (nowNanos - beganNanos));
        }
    }

    private final DefinitionStore store;
    private final Clock time;
    private final Duration patience;
    private final Cache<SequenceName, Reading> known;

    /** @param patience how long a caller without a deadline waits for a definition that another thread reads */
    public DefinitionCache(DefinitionStore store, int maxKept, Clock time, Duration patience) {
        this.store = store;
        this.time = time;
        this.patience = patience;
        this.known = Caffeine.newBuilder()
                // The age counts from before the read, because the process may pause between the answer and caching
                // it.
                .expireAfter(Expiry.<SequenceName, Reading>writing(
                        (name, reading) -> Duration.ofNanos(reading.leftNanos(time.nanoTime()))))
                .maximumSize(maxKept)
                .ticker(time::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    /**
     * Returns the definition, from memory if it is cached.
     *
     * @throws ProblemException {@code unknown-sequence}; {@code rolled-back} if the definition was lost
     */
    public Sequence get(SequenceName name) {
        Reading reading = known.get(name, any -> reading());
        return reading.flight().result().orElseGet(() -> fresh(name, reading));
    }

    /**
     * Like {@link #get}, with a read that starts now. Does not join a read of another thread, whose result may be older
     * than the definition that the caller knows.
     */
    public Sequence reload(SequenceName name) {
        return fresh(name, begun(name));
    }

    /** Returns the result of a read. Reads again if the first result was already too old on arrival. */
    private Sequence fresh(SequenceName name, Reading reading) {
        Sequence found = found(name, reading);
        return reading.leftNanos(time.nanoTime()) > 0 ? found : found(name, begun(name));
    }

    private Reading begun(SequenceName name) {
        Reading mine = reading();
        known.put(name, mine);
        return mine;
    }

    private Reading reading() {
        return new Reading(new SingleFlight<>(time), time.nanoTime());
    }

    /**
     * Waits for a read. A failed read leaves the cache, because names that do not exist would evict known definitions.
     */
    private Sequence found(SequenceName name, Reading reading) {
        Duration atMost = Deadline.ofThisThread().map(Deadline::left).orElse(patience);
        try {
            return reading.flight().get(() -> load(name), atMost);
        } catch (TimeoutException e) {
            throw new StoreFailure(
                    "The definition of " + name + " was not read within " + atMost.toMillis()
                            + " ms: storage has not answered. Try again later.",
                    true,
                    e);
        } catch (RuntimeException | Error e) {
            known.asMap().remove(name, reading);
            throw e;
        }
    }

    /** Returns the definition if this instance knows it. Sends no storage request. */
    public Optional<Sequence> inMemory(SequenceName name) {
        return Optional.ofNullable(known.getIfPresent(name))
                .flatMap(reading -> reading.flight().result());
    }

    /** Returns the sequences with a cached definition that is in use, in any order. Sends no storage request. */
    public List<SequenceName> namesInUse() {
        return known.asMap().values().stream()
                .flatMap(reading -> reading.flight().result().stream())
                .filter(Sequence::isInUse)
                .map(Sequence::name)
                .toList();
    }

    public void forget(SequenceName name) {
        known.invalidate(name);
    }

    /**
     * Returns the definition for a write that marks it as in use: with its version, and after reading or writing its
     * index row.
     */
    public Sequence markable(SequenceName name) {
        Sequence kept = get(name);
        Sequence present = kept.version() == null ? reload(name) : kept;
        Sequence indexed = present.isIndexed() ? present : withIndexRow(present);
        return indexed.isInUse() ? indexed : suspendedIfAll(indexed);
    }

    /**
     * Suspends the definition if the whole service is suspended. The maintenance program first sets the mark of the
     * service and then suspends each sequence, so it can miss a sequence that is created meanwhile. Reading the mark
     * last, before the first number, catches that sequence: it was created after the mark.
     */
    private Sequence suspendedIfAll(Sequence present) {
        Instant since = store.serviceMark().suspendedAt();
        return since == null ? present : present.suspended(present.suspension().maintenance(since));
    }

    /**
     * Refuses to create or revive a sequence while the whole service is suspended.
     *
     * @throws ProblemException {@code suspended}
     */
    public void requireNoMaintenance(SequenceName name) {
        store.serviceMark().refusal(name).ifPresent(refusal -> {
            throw refusal;
        });
    }

    /**
     * Notes in the cached definition that a write has marked this version as in use. The write was conditional, so this
     * version was the current one.
     */
    public void marked(SequenceName name, String version) {
        Reading kept = known.getIfPresent(name);
        if (kept != null) {
            kept.flight()
                    .result()
                    .filter(sequence -> version.equals(sequence.version()))
                    .ifPresent(sequence -> replace(kept, sequence.marked()));
        }
    }

    /**
     * Replaces a cached definition, unless another read has replaced it meanwhile. Its age still counts from before its
     * read.
     */
    private void replace(Reading kept, Sequence changed) {
        known.asMap().replace(changed.name(), kept, new Reading(SingleFlight.landed(changed, time), kept.beganNanos()));
    }

    /**
     * Marks a definition as in use without opening a counter, for sequences that have none. Returns whether the stored
     * definition still had this version; if not, the next use reads it again.
     */
    public boolean mark(Sequence markable) {
        String version = Objects.requireNonNull(markable.version(), "Only a version can be marked.");
        WriteResult result = store.mark(markable.name(), version);
        if (result instanceof WriteResult.Unknown unknown) {
            forget(markable.name());
            throw unknown.cause();
        }
        if (result instanceof WriteResult.Refused) {
            forget(markable.name());
            return false;
        }
        marked(markable.name(), version);
        return true;
    }

    /**
     * Returns the refusal of a suspended sequence, confirmed by a new read; empty if the sequence is not suspended or
     * is unknown.
     */
    public Optional<ProblemException> suspension(SequenceName name) {
        return ifUsable(() -> get(name))
                .filter(DefinitionCache::isSuspended)
                .flatMap(kept -> ifUsable(() -> reload(name)))
                .filter(DefinitionCache::isSuspended)
                .map(Sequence::refusalAsStopped);
    }

    /** Returns the definition; empty if it does not exist or cannot be used. The next allocation reports the reason. */
    private static Optional<Sequence> ifUsable(Supplier<Sequence> read) {
        try {
            return ifAny(read);
        } catch (ProblemException e) {
            if (e.type() != ProblemType.ROLLED_BACK && e.type() != ProblemType.NEEDS_NEWER_VERSION) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static boolean isSuspended(Sequence known) {
        return known.isStopped() && !known.isRetired();
    }

    /** Returns the definition; empty if it does not exist. */
    static Optional<Sequence> ifAny(Supplier<Sequence> read) {
        try {
            return Optional.of(read.get());
        } catch (ProblemException e) {
            if (e.type() != ProblemType.UNKNOWN_SEQUENCE) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /** Caches a definition that was written, unless another one was read meanwhile. */
    Sequence remembered(Sequence present, long beganNanos) {
        known.asMap().putIfAbsent(present.name(), new Reading(SingleFlight.landed(present, time), beganNanos));
        return present;
    }

    /** Writes the index row of a definition that has none yet. */
    public Sequence index(Sequence present) {
        if (!store.index(present.name(), present.id()).isWon()) {
            requireSame(
                    present, store.indexed(present.name()).orElseThrow(() -> RegisteredSequence.lost(present.name())));
        }
        return indexed(present);
    }

    private Sequence withIndexRow(Sequence present) {
        Optional<Versioned<String>> row = store.indexed(present.name());
        if (row.isEmpty()) {
            return index(present);
        }
        requireSame(present, row.get());
        return indexed(present);
    }

    /**
     * Notes in the cached definition that its index row exists, so that the next use does not check the index again.
     */
    private Sequence indexed(Sequence present) {
        Reading kept = known.getIfPresent(present.name());
        Sequence indexed = present.indexed();
        if (kept != null && kept.flight().result().filter(present::equals).isPresent()) {
            replace(kept, indexed);
        }
        return indexed;
    }

    private static void requireSame(Sequence present, Versioned<String> row) {
        new RegisteredSequence(present.name(), Optional.of(present), Optional.of(row)).requireNotLost();
    }

    private Sequence load(SequenceName name) {
        return store.find(name)
                // Another caller may have written both rows after the first read.
                .or(() -> store.indexed(name).flatMap(row -> kept(name, row)))
                .orElseThrow(() -> RegisteredSequence.unknown(name));
    }

    private Optional<Sequence> kept(SequenceName name, Versioned<String> row) {
        RegisteredSequence registered = registered(name, Optional.of(row));
        registered.requireNotLost();
        return registered.stored();
    }

    /** Reads the definition and its index row from storage. */
    public RegisteredSequence registered(SequenceName name) {
        return registered(name, store.indexed(name));
    }

    /** Reads the definition after its index row: only in this order does a missing definition prove a loss. */
    private RegisteredSequence registered(SequenceName name, Optional<Versioned<String>> row) {
        return new RegisteredSequence(name, store.find(name), row);
    }
}
