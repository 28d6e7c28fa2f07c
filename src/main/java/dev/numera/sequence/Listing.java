package dev.numera.sequence;

import dev.numera.execution.Deadline;
import dev.numera.model.Page;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sequences that there are, with what is wanted to be known of each. Thread-safe; calls block for storage requests,
 * and fail with a {@link ProblemException}.
 */
public final class Listing {
    private static final int MAX_DETAILED = 100;
    private static final int AT_ONCE = 16;

    /** What a page shows of each sequence beside its name. */
    public enum Detail {
        DEFINITION,
        STATE
    }

    /**
     * @param scope as the index has it, as the name: where a row cannot be read they may be the names of no sequence
     * @param definition null where it was not requested
     * @param state of the present period; null where it was not requested, or there is no counter
     * @param problem why neither can be shown; null where there is none
     */
    public record Entry(
            String scope,
            String name,
            @Nullable Sequence definition,
            @Nullable SequenceState state,
            @Nullable ProblemException problem) {}

    private final SequenceAccess access;
    private final DefinitionStore store;
    private final States states;
    private final Executor threads;

    Listing(SequenceAccess access, DefinitionStore store, States states, Executor threads) {
        this.access = access;
        this.store = store;
        this.states = states;
        this.threads = threads;
    }

    /**
     * A page of names in their order, as the index has them. Details are read again, up to {@value #AT_ONCE} sequences
     * at once. A failing sequence, or a row of the index that cannot be read, has its problem in its entry, and the
     * others go on.
     *
     * @param scope null lists all
     * @param limit at most 1,000; with details a page has at most {@value #MAX_DETAILED} sequences
     */
    public Page<Entry, String> list(
            @Nullable String scope, Set<Detail> details, int limit, @Nullable String continuation) {
        Deadline deadline = access.deadline();
        if (details.isEmpty()) {
            Page<DefinitionStore.Indexed, String> plain = index(deadline, scope, limit, continuation);
            return new Page<>(plain.items().stream().map(Listing::plain).toList(), plain.next());
        }
        Page<DefinitionStore.Indexed, String> page =
                index(deadline, scope, Math.min(limit, MAX_DETAILED), continuation);
        List<Entry> entries = new ArrayList<>();
        List<DefinitionStore.Indexed> rows = page.items();
        for (int from = 0; from < rows.size(); from += AT_ONCE) {
            List<CompletableFuture<Entry>> reads = rows.subList(from, Math.min(from + AT_ONCE, rows.size())).stream()
                    .map(row -> started(() -> entry(row, details, deadline)))
                    .toList();
            reads.forEach(read -> entries.add(read.join()));
        }
        return new Page<>(entries, page.next());
    }

    private Page<DefinitionStore.Indexed, String> index(
            Deadline deadline, @Nullable String scope, int limit, @Nullable String continuation) {
        return access.retry(deadline, () -> store.list(scope, limit, continuation));
    }

    private static Entry plain(DefinitionStore.Indexed row) {
        return refused(row, row.sequence().problem());
    }

    private static Entry refused(DefinitionStore.Indexed row, @Nullable ProblemException problem) {
        return new Entry(row.scope(), row.name(), null, null, problem);
    }

    /** On this thread where no other is to be had. */
    private CompletableFuture<Entry> started(Supplier<Entry> read) {
        try {
            return CompletableFuture.supplyAsync(read, threads);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return CompletableFuture.completedFuture(read.get());
        }
    }

    private Entry entry(DefinitionStore.Indexed row, Set<Detail> details, Deadline deadline) {
        try {
            SequenceName name = row.sequence().orThrow();
            return access.at(name, deadline, visit -> visit.retry(() -> read(name, details)));
        } catch (ProblemException e) {
            return refused(row, e);
        }
    }

    private Entry read(SequenceName name, Set<Detail> details) {
        Sequence known = store.find(name).orElseThrow(() -> Definitions.lost(name));
        return new Entry(
                name.scope(),
                name.name(),
                details.contains(Detail.DEFINITION) ? known : null,
                details.contains(Detail.STATE) && known.fixed().isCounted() ? states.state(known, null) : null,
                null);
    }
}
