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
 * Unicode forms. Needs storage requests once for each sequence, and blocks for them. Thread-safe.
 *
 * <p>First the definition needs a higher feature level, so that an instance of an earlier version that reads it stops.
 * A counter that is opened from then on is opened under this version of the definition. Each counter that is there gets
 * a new epoch: a write that was computed before is lost, and whoever reads the counter next reads the definition, too.
 * Only then the definition says that all keys are in NFC.
 */
public final class KeyNormalization {
    private final SequenceCalls calls;
    private final DefinitionStore store;
    private final CounterRegistry counters;
    private final ConcurrentMap<SequenceName, Progress> progress = new ConcurrentHashMap<>();

    /**
     * The periods whose counters got their new epoch while the definition had this version. Kept between calls: a
     * sequence with thousands of periods needs more than the time of one call.
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
     * The definition, with keys that are stored in NFC.
     *
     * @param known that allocates numbers under keys
     */
    public Sequence ensured(SequenceCalls.SequenceCall call, Sequence known) {
        return known.keyForm() == KeyForm.NFC
                ? known
                : call.untilDefined(() -> call.untilWon("The definition", () -> attempt(call)));
    }

    /** One step towards it; empty where another one follows. */
    private Optional<Sequence> attempt(SequenceCalls.SequenceCall call) {
        Sequence present = call.reloaded();
        if (!present.fixed().takesKeys()) {
            // Its owner replaced it meanwhile by one without keys, which refuses the call.
            return Optional.of(present);
        }
        switch (present.keyForm()) {
            // No write can be under way that does not depend on this version of the definition.
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

    /** Whatever else its owner changes meanwhile: the counters have their epochs. */
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

    /** Whether it was written, the next read shows. */
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
