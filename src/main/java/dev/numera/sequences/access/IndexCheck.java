package dev.numera.sequences.access;

import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.StoreFailure;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the index lacks a sequence that this instance uses. Each check reads the index row of one sequence:
 * of the sequence that the last check missed, else of the next one, in the order of names, whose cached definition is
 * in use. Thread-safe; a check blocks for one storage request.
 *
 * <p>A definition is marked as in use only after its index row was read or written, and the app removes no index row.
 * So a missing row was lost. A check without a finding proves nothing about the other rows.
 */
public final class IndexCheck {
    private final DefinitionCache definitions;
    private final DefinitionStore store;
    private @Nullable SequenceName last;
    private boolean wasMissing;

    public IndexCheck(DefinitionCache definitions, DefinitionStore store) {
        this.definitions = definitions;
        this.store = store;
    }

    /**
     * Checks one sequence; returns its name if its index row is missing. Returns the earlier finding if storage does
     * not answer.
     */
    public synchronized Optional<SequenceName> missing() {
        SequenceName present = last;
        SequenceName checked = wasMissing && present != null ? present : next().orElse(null);
        wasMissing = checked != null && isMissing(checked);
        last = checked;
        return wasMissing ? Optional.ofNullable(checked) : Optional.empty();
    }

    private boolean isMissing(SequenceName name) {
        try {
            return store.indexed(name).isEmpty();
        } catch (StoreFailure e) {
            // A row that exists but cannot be read is not missing, and concerns the calls to its sequence only.
            return e.isTransient() && wasMissing;
        }
    }

    /** Returns the sequence after the last checked one; the first one after the end of the order. */
    private Optional<SequenceName> next() {
        List<SequenceName> inUse = definitions.namesInUse();
        SequenceName before = last;
        return inUse.stream()
                .filter(name -> before != null && name.compareTo(before) > 0)
                .min(Comparator.naturalOrder())
                .or(() -> inUse.stream().min(Comparator.naturalOrder()));
    }
}
