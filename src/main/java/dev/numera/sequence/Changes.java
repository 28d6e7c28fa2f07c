package dev.numera.sequence;

import dev.numera.counter.Waiters;
import dev.numera.model.Change;
import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was done to sequences beside numbering, and by whom. Thread-safe; calls block for storage requests, and fail
 * with a {@link ProblemException}.
 */
public final class Changes {
    /** @param next where the next page begins; null on the last page */
    public record Page(List<Change> changes, Change.@Nullable Position next) {}

    private final Definitions definitions;
    private final DefinitionStore store;
    private final Waiters waiters;
    private final Retries retries;

    Changes(Definitions definitions, DefinitionStore store, Waiters waiters, Retries retries) {
        this.definitions = definitions;
        this.store = store;
        this.waiters = waiters;
        this.retries = retries;
    }

    /**
     * The changes of a sequence in the order of time, as far as the clocks of those who made them agree.
     *
     * @param first where the page begins; null for the first one
     * @param limit 1 to 1,000
     * @throws ProblemException {@code unknown-sequence}
     */
    public Page list(SequenceName name, Change.@Nullable Position first, int limit) {
        return waiters.count(name, () -> {
            retries.call(() -> definitions.get(name));
            List<Change> found = retries.call(() -> store.changesFrom(name, first, limit + 1));
            return found.size() <= limit
                    ? new Page(found, null)
                    : new Page(found.subList(0, limit), found.get(limit).position());
        });
    }
}
