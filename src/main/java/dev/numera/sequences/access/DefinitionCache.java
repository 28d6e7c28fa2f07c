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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The definitions that this instance knows. One is kept for a while, so other instances see a change within
 * {@link #KEPT}; that there is none is never kept. Thread-safe; calls block for storage requests where the definition
 * is not known.
 *
 * <p>Decision: {@code docs/decisions/definitions-are-cached-for-25-seconds.md}.
 */
public final class DefinitionCache {
    /** Within the 30 s that are promised, counted from before it is read. */
    static final Duration KEPT = Duration.ofSeconds(25);

    /** A read that one caller does for all, and when it began at the earliest. */
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
                // A process may pause between the answer of a read and keeping it: the age counts from before the read.
                .expireAfter(Expiry.<SequenceName, Reading>writing(
                        (name, reading) -> Duration.ofNanos(reading.leftNanos(time.nanoTime()))))
                .maximumSize(maxKept)
                .ticker(time::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    /** @throws ProblemException {@code unknown-sequence}; {@code rolled-back} where it was lost */
    public Sequence get(SequenceName name) {
        return fresh(name, known.get(name, any -> reading()));
    }

    /**
     * As {@link #get}, but by a read that begins now: what another thread has begun to read may be older than what this
     * one knows.
     */
    public Sequence reload(SequenceName name) {
        return fresh(name, begun(name));
    }

    /** Reads it again where it is too old by the time that it is read. */
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

    /** A read that found nothing is not kept, or names that do not exist would evict others. */
    private Sequence found(SequenceName name, Reading reading) {
        Duration atMost = Deadline.ofThisThread().map(Deadline::left).orElse(patience);
        try {
            return reading.flight().get(() -> load(name), atMost);
        } catch (TimeoutException e) {
            throw new StoreFailure(
                    "The definition of " + name + " did not come within " + atMost.toMillis()
                            + " ms: storage has not answered the call that reads it. Try again later.",
                    true,
                    e);
        } catch (RuntimeException | Error e) {
            known.asMap().remove(name, reading);
            throw e;
        }
    }

    /** The definition if this instance knows it; sends no storage request. */
    public Optional<Sequence> inMemory(SequenceName name) {
        return Optional.ofNullable(known.getIfPresent(name))
                .flatMap(reading -> reading.flight().result());
    }

    public void forget(SequenceName name) {
        known.invalidate(name);
    }

    /** The definition with its version, its index row seen or written: for a write that marks it as in use. */
    public Sequence markable(SequenceName name) {
        Sequence kept = get(name);
        Sequence present = kept.version() == null ? reload(name) : kept;
        Sequence indexed = present.isIndexed() ? present : withIndexRow(present);
        return indexed.isInUse() ? indexed : suspendedIfAll(indexed);
    }

    /**
     * The program that suspends all sequences misses one that is created meanwhile, so the mark is read again before
     * its first number. This read is the last: what the others show of a missed sequence is younger than the mark.
     */
    private Sequence suspendedIfAll(Sequence present) {
        Instant since = store.serviceMark().suspendedAt();
        return since == null ? present : present.suspended(present.suspension().maintenance(since));
    }

    /**
     * Before a sequence is created or revived.
     *
     * @throws ProblemException {@code suspended}
     */
    public void requireNoMaintenance(SequenceName name) {
        store.serviceMark().refusal(name).ifPresent(refusal -> {
            throw refusal;
        });
    }

    /** The definition that is still at this version was marked as in use, so it was the present one just now. */
    public void marked(SequenceName name, String version) {
        Reading kept = known.getIfPresent(name);
        if (kept != null) {
            kept.flight()
                    .result()
                    .filter(sequence -> version.equals(sequence.version()))
                    .ifPresent(sequence -> replace(kept, sequence.marked()));
        }
    }

    /** Unless it was read again meanwhile. Its age stays: it counts from before its read. */
    private void replace(Reading kept, Sequence changed) {
        known.asMap().replace(changed.name(), kept, new Reading(SingleFlight.landed(changed, time), kept.beganNanos()));
    }

    /**
     * Marks a definition with a version as in use, where no counter is opened with it; whether it still was at that
     * version. Else it is read again the next time.
     */
    public boolean mark(Sequence markable) {
        String version = Objects.requireNonNull(markable.version(), "Only a version can be marked.");
        WriteResult result = store.mark(markable.name(), version);
        if (result instanceof WriteResult.Unknown unknown) {
            forget(markable.name());
            throw unknown.cause();
        }
        if (result instanceof WriteResult.Lost) {
            forget(markable.name());
            return false;
        }
        marked(markable.name(), version);
        return true;
    }

    /** Why a sequence is refused as suspended, by a definition that is read now; empty where it is not, or unknown. */
    public Optional<ProblemException> suspension(SequenceName name) {
        return ifUsable(() -> get(name))
                .filter(DefinitionCache::isSuspended)
                .flatMap(kept -> ifUsable(() -> reload(name)))
                .filter(DefinitionCache::isSuspended)
                .map(Sequence::refusalAsStopped);
    }

    /** What else is wrong with a sequence is said when a number is taken. */
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

    /** The definition; empty where there is none. */
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

    /** Keeps a definition that was written, unless another one was read meanwhile. */
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

    /** The next use of what is kept does not look at the index again. */
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
                // Both rows may have been written since.
                .or(() -> store.indexed(name).flatMap(row -> kept(name, row)))
                .orElseThrow(() -> RegisteredSequence.unknown(name));
    }

    private Optional<Sequence> kept(SequenceName name, Versioned<String> row) {
        RegisteredSequence registered = registered(name, Optional.of(row));
        registered.requireNotLost();
        return registered.stored();
    }

    /** Both rows, read again. */
    public RegisteredSequence registered(SequenceName name) {
        return registered(name, store.indexed(name));
    }

    /** The definition is read last: only a read after that of its index row shows that it is lost. */
    private RegisteredSequence registered(SequenceName name, Optional<Versioned<String>> row) {
        return new RegisteredSequence(name, store.find(name), row);
    }
}
