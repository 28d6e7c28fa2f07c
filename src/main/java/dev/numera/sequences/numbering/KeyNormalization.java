package dev.numera.sequences.numbering;

import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.KeyForm;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.SequenceCalls;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that all instances store the keys of a sequence in NFC, before the sequence stores its first key with several
 * Unicode forms. Sends storage requests once for each sequence, and blocks for them. Thread-safe.
 *
 * <p>First raises the feature level of the definition: an instance of an earlier version that reads it stops
 * allocating, and new counters open under this version of the definition. Then starts a new epoch in each existing
 * counter: a write that was computed before loses, and the next instance that reads the counter also reads the
 * definition. Last, marks all keys in the definition as NFC.
 */
public final class KeyNormalization {
    private final SequenceCalls calls;
    private final DefinitionStore store;
    private final CounterRegistry counters;
    private final ConcurrentMap<SequenceName, Progress> progress = new ConcurrentHashMap<>();

    /**
     * The progress of a sequence's switch to NFC keys: the periods whose counters already have a new epoch, for one
     * version of the definition. Kept between calls, because a sequence with thousands of periods needs more time than
     * one call has.
     */
    private record Progress(@Nullable String version, Set<String> periods) {
        static Progress under(@Nullable Progress before, @Nullable String version) {
            return before != null && Objects.equals(before.version, version)
                    ? before
                    : new Progress(version, ConcurrentHashMap.newKeySet());
        }
    }

    public KeyNormalization(SequenceCalls calls, DefinitionStore store, CounterRegistry counters) {
        this.calls = calls;
        this.store = store;
        this.counters = counters;
    }

    /**
     * Returns the definition once the keys of the sequence are stored in NFC.
     *
     * @param known a definition that takes keys
     */
    public Sequence ensured(SequenceCalls.SequenceCall call, Sequence known) {
        return known.keyForm() == KeyForm.NFC
                ? known
                : call.untilDefined(() -> call.untilWon("The definition", () -> attempt(call)));
    }

    /** Takes one step. Returns the definition when all steps are done; empty if another step follows. */
    private Optional<Sequence> attempt(SequenceCalls.SequenceCall call) {
        Sequence present = call.reloaded();
        if (!present.fixed().takesKeys()) {
            // The owner has replaced the definition with one that takes no keys. The caller checks its requests again
            // and refuses them.
            return Optional.of(present);
        }
        switch (present.keyForm()) {
            // An unused sequence needs no new epochs: no write can be in progress that does not depend on this
            // version of the definition.
            case AS_SENT -> set(call, present, present.isNeverUsed() ? KeyForm.NFC : KeyForm.BECOMING_NFC);
            case BECOMING_NFC -> {
                beginEpochs(call, present);
                Sequence ended = ended(call, present);
                progress.remove(present.name());
                return Optional.of(ended);
            }
            case NFC -> {
                return Optional.of(present);
            }
        }
        return Optional.empty();
    }

    private void beginEpochs(SequenceCalls.SequenceCall call, Sequence present) {
        List<String> periods = List.copyOf(call.retry(() -> store.periods(present.name())));
        Set<String> begun = progress.compute(
                        present.name(), (name, before) -> Progress.under(before, present.version()))
                .periods();
        for (List<String> group : SequenceCalls.groups(periods)) {
            calls.together(group, period -> beginEpoch(call, present, period, begun)).stream()
                    .flatMap(Optional::stream)
                    .findFirst()
                    .ifPresent(problem -> {
                        throw problem;
                    });
        }
    }

    /** Starts a new epoch of the counter, unless another call did. Returns the failure; empty on success. */
    private Optional<ProblemException> beginEpoch(
            SequenceCalls.SequenceCall call, Sequence present, String period, Set<String> begun) {
        if (begun.contains(period)) {
            return Optional.empty();
        }
        try {
            counters.counter(present, new CounterId(present.name(), period))
                    .call(List.of(new CounterRequest.NewEpoch()), call.deadline())
                    .only();
            begun.add(period);
            return Optional.empty();
        } catch (ProblemException e) {
            return Optional.of(e);
        }
    }

    /**
     * Marks all keys in the definition as NFC, even if the owner changes other fields meanwhile: the counters already
     * have their new epochs.
     */
    private Sequence ended(SequenceCalls.SequenceCall call, Sequence begun) {
        return call.untilWon("The definition", () -> {
            Sequence present = call.reloaded();
            if (present.keyForm() == KeyForm.NFC) {
                return Optional.of(present);
            }
            if (!present.id().equals(begun.id()) || present.keyForm() == KeyForm.AS_SENT) {
                throw new DefinitionChangedException();
            }
            set(call, present, KeyForm.NFC);
            return Optional.empty();
        });
    }

    /** Writes the key form. Does not report whether the write won, because the next read of the definition shows it. */
    private void set(SequenceCalls.SequenceCall call, Sequence present, KeyForm form) {
        call.retry(() -> {
            WriteResult result = store.setKeyForm(present.withKeyForm(form));
            if (result instanceof WriteResult.Unknown unknown) {
                throw unknown.cause();
            }
            return result;
        });
    }
}
