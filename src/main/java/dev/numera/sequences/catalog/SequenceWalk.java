package dev.numera.sequences.catalog;

import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.IndexEntry;
import dev.numera.sequences.access.SequenceCalls;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs a task for every sequence, for {@value SequenceCalls#AT_ONCE} sequences in parallel. A sequence or counter that
 * cannot be read or changed does not stop the walk. A problem that may be temporary and persists after retries stops
 * it. Thread-safe.
 */
final class SequenceWalk {
    private static final int SEQUENCES_IN_PAGE = 100;
    private static final int INDEX_ROWS_IN_PAGE = 1_000;
    /** The most counters of one sequence that are processed in parallel, in addition to the other sequences. */
    private static final int COUNTERS_AT_ONCE = 4;

    private static final int MAX_TRIES = 5;

    private final SequenceCalls calls;
    private final DefinitionStore store;

    SequenceWalk(SequenceCalls calls, DefinitionStore store) {
        this.calls = calls;
        this.store = store;
    }

    /**
     * Runs the task for each sequence, including retired ones. Returns the problems of failed sequences, in any order.
     */
    List<ProblemException> sequences(Consumer<SequenceName> task) {
        return sequencesAndTemplates(name -> {
            if (!name.isTemplate()) {
                task.accept(name);
            }
        });
    }

    /** Like {@link #sequences}, including templates. */
    List<ProblemException> sequencesAndTemplates(Consumer<SequenceName> task) {
        return Page.<Result<SequenceName>, String>all(
                        position -> calls.retry(calls.deadline(), () -> store.walk(SEQUENCES_IN_PAGE, position)))
                .flatMap(
                        page -> each(page.items(), SequenceCalls.AT_ONCE, name -> task.accept(name.orThrow())).stream())
                .toList();
    }

    /**
     * Returns the lost sequences in the order of their names: the index lists them, but their definition is missing or
     * another one. Leaves out index rows that cannot be read.
     */
    List<SequenceName> lost() {
        return Page.<IndexEntry, String>all(
                        position -> calls.retry(calls.deadline(), () -> store.list(null, INDEX_ROWS_IN_PAGE, position)))
                .flatMap(page -> SequenceCalls.groups(page.items()).stream())
                .flatMap(group -> calls.together(group, this::lost).stream())
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<SequenceName> lost(IndexEntry row) {
        if (row.problem() != null) {
            return Optional.empty();
        }
        SequenceName name = new SequenceName(row.scope(), row.name());
        return calls.at(name, SequenceCalls.SequenceCall::registered).isLost() ? Optional.of(name) : Optional.empty();
    }

    /**
     * Runs the task for each of these periods.
     *
     * @throws ProblemException the problem of the first failed counter, with the problems of other counters suppressed
     */
    void counters(Collection<String> periods, Consumer<String> task) {
        List<ProblemException> failures = each(periods, COUNTERS_AT_ONCE, task);
        if (!failures.isEmpty()) {
            ProblemException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    /**
     * Runs the task for each item and returns the problems of failed items.
     *
     * @throws ProblemException the first problem that may be temporary, after the items that ran at the same time
     */
    private <T> List<ProblemException> each(Collection<T> all, int atOnce, Consumer<T> task) {
        List<ProblemException> failures = new ArrayList<>();
        for (List<T> group : SequenceCalls.groups(List.copyOf(all), atOnce)) {
            List<ProblemException> problems = calls.together(group, item -> problemOf(item, task)).stream()
                    .flatMap(Optional::stream)
                    .toList();
            problems.stream().filter(ProblemException::isTransient).findFirst().ifPresent(problem -> {
                throw problem;
            });
            failures.addAll(problems);
        }
        return failures;
    }

    private static <T> Optional<ProblemException> problemOf(T item, Consumer<T> task) {
        try {
            task.accept(item);
            return Optional.empty();
        } catch (ProblemException e) {
            return Optional.of(e);
        }
    }

    /**
     * Runs a step, and repeats it up to {@value #MAX_TRIES} times in all while its problem may be temporary, because
     * among thousands of requests some fail or end without an answer. The step must change nothing if it is already
     * done. Repeats without a pause, because the step's own requests pause between their retries.
     */
    static void again(Runnable step) {
        for (int tries = 1; ; tries++) {
            try {
                step.run();
                return;
            } catch (ProblemException e) {
                if (!e.isTransient() || tries == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }

    /**
     * Throws a problem for all failed sequences if there are any.
     *
     * @throws ProblemException the first problem with the count of failed sequences, and with the other problems
     *     suppressed
     */
    static void throwIfAny(List<ProblemException> failures) {
        if (!failures.isEmpty()) {
            ProblemException first = failures.get(0);
            ProblemException all = new ProblemException(
                    first.type(),
                    (failures.size() == 1 ? "1 sequence" : failures.size() + " sequences")
                            + " could not be read or changed; all others were processed. First problem: "
                            + first.getMessage());
            Stream.of(first.getSuppressed()).forEach(all::addSuppressed);
            failures.stream().skip(1).forEach(all::addSuppressed);
            throw all;
        }
    }
}
