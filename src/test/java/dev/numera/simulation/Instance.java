package dev.numera.simulation;

import dev.numera.counter.Answers;
import dev.numera.counter.BlockCounter;
import dev.numera.counter.Counter;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.CounterStore;
import dev.numera.counter.Deadline;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Outcome;
import dev.numera.counter.Request;
import dev.numera.counter.Terms;
import dev.numera.counter.Waiters;
import dev.numera.fixtures.Unwatched;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A process with counters of its own over the table that all share: one for each reading of the definition's fixed
 * fields.
 */
final class Instance {
    /** What was given, and by which reading. */
    record Given<T>(FixedFields by, T what) {}

    private final String name;
    private final CounterId id;
    private final Stage stage;
    private final CounterStore store;
    private final DefinitionView definition;
    private final CounterLimits limits;
    private final int blockSize;
    private final Waiters waiters;
    private final Map<FixedFields, Counter> counters = new HashMap<>();
    private final Map<FixedFields, BlockCounter> blocks = new HashMap<>();

    Instance(
            String name,
            CounterId id,
            Stage stage,
            CounterStore store,
            DefinitionView definition,
            CounterLimits limits,
            int blockSize) {
        this.name = name;
        this.id = id;
        this.stage = stage;
        this.store = store;
        this.definition = definition;
        this.limits = limits;
        this.blockSize = blockSize;
        this.waiters = new Waiters(limits.maxWaitingCalls());
    }

    Given<Answers> call(List<? extends Request> requests) {
        return waiting(deadline -> asDefined(fixed -> {
            Answers answers = counter(fixed).call(requests, deadline);
            return answers.isOutdated() ? Optional.empty() : Optional.of(answers);
        }));
    }

    /** From memory. */
    Given<Long> take(int count) {
        Terms known = definition.inMemory();
        if (known != null && known.isInUse()) {
            long first = blocks(known.fixed()).takeAtOnce(count, blockSize);
            if (first != BlockCounter.NO_NUMBER) {
                return new Given<>(known.fixed(), first);
            }
        }
        return waiting(deadline -> asDefined(fixed -> {
            long first = blocks(fixed).take(count, blockSize, deadline);
            return first == BlockCounter.NO_NUMBER ? Optional.empty() : Optional.of(first);
        }));
    }

    Outcome.Advanced move(Request request) {
        Answers answers = call(List.of(request)).what();
        blocks.values().forEach(BlockCounter::discard);
        return (Outcome.Advanced) answers.only();
    }

    private <T> T waiting(Function<Deadline, T> call) {
        return waiters.count(id.sequence(), () -> call.apply(Deadline.in(limits.deadline(), stage)));
    }

    /** Does something by the definition that is known, and anew as often as that turns out to be another one. */
    private <T> Given<T> asDefined(Function<FixedFields, Optional<T>> work) {
        for (int attempt = 1; attempt <= limits.maxAttempts(); attempt++) {
            FixedFields fixed = definition.current().fixed();
            Optional<T> done = work.apply(fixed);
            if (done.isPresent()) {
                return new Given<>(fixed, done.get());
            }
        }
        throw new ProblemException(ProblemType.CONTENTION, "The definition was changed at every attempt.");
    }

    private Counter counter(FixedFields fixed) {
        Executor threads = task -> stage.enter(this, name + " leader", task);
        return counters.computeIfAbsent(
                fixed,
                missing -> new Counter(
                        id,
                        fixed,
                        definition,
                        limits,
                        new Counter.Surroundings(store, stage, stage.random()::nextDouble, threads, name),
                        new Unwatched()));
    }

    private BlockCounter blocks(FixedFields fixed) {
        return blocks.computeIfAbsent(
                fixed,
                missing -> new BlockCounter(
                        counter(fixed),
                        stage::nanoTime,
                        task -> stage.enter(this, name + " prefetch", () -> runInBackground(task))));
    }

    /** As a thread that runs a task in the background: an exception ends it, and nobody else. */
    private static void runInBackground(Runnable task) {
        try {
            task.run();
        } catch (IllegalStateException | LinkageError e) {
            // A broken client, seen by nobody.
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
