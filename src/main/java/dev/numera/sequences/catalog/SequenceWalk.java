package dev.numera.sequences.catalog;

import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.SequenceCalls;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Visits every sequence, {@value SequenceCalls#AT_ONCE} at once. A sequence or counter that cannot be read or changed
 * does not stop the others; a problem that may be temporary is tried again, and then ends the walk. Thread-safe.
 */
final class SequenceWalk {
    private static final int SEQUENCES_IN_PAGE = 100;
    /** Counters of one sequence that are moved at once, beside those of the other sequences. */
    private static final int COUNTERS_AT_ONCE = 4;

    private static final int MAX_TRIES = 5;

    private final SequenceCalls calls;
    private final DefinitionStore store;

    SequenceWalk(SequenceCalls calls, DefinitionStore store) {
        this.calls = calls;
        this.store = store;
    }

    /** Runs the task for each sequence, retired ones too; returns the problems of those that failed, in no order. */
    List<ProblemException> sequences(Consumer<SequenceName> task) {
        return sequencesAndTemplates(name -> {
            if (!name.isTemplate()) {
                task.accept(name);
            }
        });
    }

    /** Like {@link #sequences}, including templates. */
    List<ProblemException> sequencesAndTemplates(Consumer<SequenceName> task) {
        List<ProblemException> failures = new ArrayList<>();
        String continuation = null;
        do {
            String position = continuation;
            Page<Result<SequenceName>, String> page =
                    calls.retry(calls.deadline(), () -> store.walk(SEQUENCES_IN_PAGE, position));
            failures.addAll(each(page.items(), SequenceCalls.AT_ONCE, name -> task.accept(name.orThrow())));
            continuation = page.next();
        } while (continuation != null);
        return failures;
    }

    /**
     * Runs the task for each of these periods.
     *
     * @throws ProblemException the problem of the first counter that failed, with those of the others suppressed
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
     * Runs the task for each item and returns the problems of those that failed.
     *
     * @throws ProblemException the first problem that may be temporary, after the items that ran at the same time
     */
    private <T> List<ProblemException> each(Collection<T> all, int atOnce, Consumer<T> task) {
        List<ProblemException> failures = new ArrayList<>();
        List<T> items = List.copyOf(all);
        for (int from = 0; from < items.size(); from += atOnce) {
            List<T> group = items.subList(from, Math.min(items.size(), from + atOnce));
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
     * Repeats a step that changes nothing where it is already done: among thousands of requests, some fail or end
     * without an answer. Repeats at once, because the step's own requests pause between their retries.
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

    /** @throws ProblemException one for all of these problems, if there is any */
    static void throwIfAny(List<ProblemException> failures) {
        if (!failures.isEmpty()) {
            ProblemException first = Objects.requireNonNull(failures.get(0));
            ProblemException all = new ProblemException(
                    first.type(),
                    failures.size() + " sequences could not be read or changed; all others were. "
                            + first.getMessage());
            Stream.of(first.getSuppressed()).forEach(all::addSuppressed);
            failures.stream().skip(1).forEach(all::addSuppressed);
            throw all;
        }
    }
}
