package dev.numera.sequences.access;

import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes calls to sequences within the bounds of this instance: a call counts among those that wait for its sequence,
 * has one deadline for all of its storage requests, and repeats those of them that are worth it. Thread-safe; calls
 * block for storage requests.
 */
public final class SequenceCalls {
    /** A list of sequences reads so many at once. */
    public static final int AT_ONCE = 16;

    private static final int MAX_TRIES = 20;

    private final DefinitionCache definitions;
    private final Bulkhead bulkhead;
    private final RetryPolicy retries;
    private final Executor threads;

    /** @param threads for calls to several sequences at once */
    public SequenceCalls(DefinitionCache definitions, Bulkhead bulkhead, RetryPolicy retries, Executor threads) {
        this.definitions = definitions;
        this.bulkhead = bulkhead;
        this.retries = retries;
        this.threads = threads;
    }

    /** The deadline of a call that starts now. */
    public Deadline deadline() {
        return Deadline.in(retries.limits().deadline(), retries.time());
    }

    /** Until when a call goes on that may end early with what it has found: so that what it began ends in time, too. */
    public Deadline deadlineOfSearch() {
        return Deadline.in(retries.limits().deadline().dividedBy(2), retries.time());
    }

    /**
     * Makes a call to a sequence.
     *
     * @throws ProblemException {@code overloaded} when as many wait for the sequence as may; else what the call throws
     */
    public <T> T at(SequenceName name, Function<SequenceCall, T> call) {
        return at(name, deadline(), call);
    }

    /** As the other, by the deadline of a call that concerns several sequences. */
    public <T> T at(SequenceName name, Deadline deadline, Function<SequenceCall, T> call) {
        return bulkhead.call(name, () -> deadline.limit(() -> call.apply(new SequenceCall(name, deadline))));
    }

    /** A list in groups of at most {@value #AT_ONCE}, for one after the other. */
    public static <T> List<List<T>> groups(List<T> all) {
        List<List<T>> groups = new ArrayList<>();
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            groups.add(all.subList(from, Math.min(from + AT_ONCE, all.size())));
        }
        return groups;
    }

    /** The results of calls for each of a group, all at once, in their order. */
    public <S, T> List<T> together(List<S> group, Function<S, T> call) {
        List<CompletableFuture<T>> calls =
                group.stream().map(each -> started(() -> call.apply(each))).toList();
        return calls.stream().map(CompletableFuture::join).toList();
    }

    /** On this thread where no other is to be had. */
    private <T> CompletableFuture<T> started(Supplier<T> call) {
        try {
            return CompletableFuture.supplyAsync(call, threads);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return CompletableFuture.completedFuture(call.get());
        }
    }

    /**
     * Makes a storage request that is worth a late answer: retries until one request's timeout after the deadline of
     * this thread's call, or until a new deadline if the thread has no call.
     */
    <T> T retryLate(Supplier<T> request) {
        Deadline late = Deadline.ofThisThread()
                .map(deadline -> deadline.later(retries.limits().requestTimeout()))
                .orElseGet(this::deadline);
        return retry(late, request);
    }

    /**
     * A storage request that concerns no sequence in particular.
     *
     * @throws StoreFailure as {@link SequenceCall#retry}
     */
    public <T> T retry(Deadline deadline, Supplier<T> request) {
        return retries.call(deadline, request);
    }

    /** One call to one sequence, until its deadline. */
    public final class SequenceCall {
        private final SequenceName name;
        private final Deadline deadline;

        private SequenceCall(SequenceName name, Deadline deadline) {
            this.name = name;
            this.deadline = deadline;
        }

        public SequenceName name() {
            return name;
        }

        public Deadline deadline() {
            return deadline;
        }

        /**
         * The result of a storage request that may be repeated, whatever the result of the first time.
         *
         * @throws StoreFailure it failed for a reason that stays, or until the deadline
         */
        public <T> T retry(Supplier<T> request) {
            return retries.call(deadline, request);
        }

        /**
         * Attempts a conditional write to the sequence until it is won.
         *
         * @param what as {@link RetryPolicy#untilWon}, as are the others
         */
        public <T> T untilWon(String what, Supplier<Optional<T>> attempt) {
            return RetryPolicy.untilWon(retries.time(), what + " of " + name, MAX_TRIES, attempt);
        }

        /**
         * Attempts something by the present definition, until that stays the same meanwhile.
         *
         * @param attempt throws an {@link DefinitionChangedException} where it did not, and has done nothing then
         * @throws ProblemException {@code contention}; else what an attempt throws
         */
        public <T> T untilDefined(Supplier<T> attempt) {
            return untilWon("The definition", () -> {
                try {
                    return Optional.of(attempt.get());
                } catch (DefinitionChangedException e) {
                    return Optional.empty();
                }
            });
        }

        /**
         * Works by a definition that may have been kept for a while; and again by the present one, as often as it turns
         * out to be another one.
         *
         * @param work throws an {@link DefinitionChangedException} where its definition is another one now, and has
         *     done nothing then
         * @throws ProblemException what else the work throws, or {@code contention} when the definition changed at
         *     every attempt
         */
        public <T> T byPresent(Sequence kept, Function<Sequence, T> work) {
            try {
                return work.apply(kept);
            } catch (DefinitionChangedException e) {
                return untilDefined(() -> work.apply(definition()));
            }
        }

        /** @throws ProblemException as {@link DefinitionCache#get} */
        public Sequence definition() {
            return retry(() -> definitions.get(name));
        }

        /** @throws ProblemException as {@link DefinitionCache#reload} */
        public Sequence reloaded() {
            return retry(() -> definitions.reload(name));
        }

        /**
         * As {@link #settled}, of a sequence that has counters.
         *
         * @throws ProblemException {@code not-for-guarantee}
         */
        public Sequence counted() {
            Sequence settled = settled();
            settled.requireCounted();
            return settled;
        }

        /**
         * As {@link #settled}, of a sequence that keeps a ledger.
         *
         * @throws ProblemException {@code not-for-guarantee}
         */
        public Sequence recorded() {
            Sequence settled = settled();
            settled.requireLedger();
            return settled;
        }

        /** Both rows of the sequence, read now. */
        public RegisteredSequence registered() {
            return retry(() -> definitions.registered(name));
        }

        /**
         * The definition, read again unless it is known to be in use: only from then on its fixed fields are those by
         * which all numbers were allocated.
         */
        public Sequence settled() {
            Sequence kept = definition();
            return kept.isInUse() ? kept : reloaded();
        }
    }
}
