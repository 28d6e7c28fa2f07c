package dev.numera.sequences.access;

import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes calls to sequences within the limits of this instance. A call counts against the {@link Bulkhead} of its
 * sequence, has one deadline for all its storage requests, and retries the requests that failed temporarily.
 * Thread-safe; calls block for storage requests.
 */
public final class SequenceCalls {
    /** The number of sequences of a list that are read at once. */
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

    /**
     * Returns the time until which a search starts new steps: half the deadline of a call, so that the last step also
     * ends in time. The search then returns the results so far.
     */
    public Deadline deadlineOfSearch() {
        return Deadline.in(retries.limits().deadline().dividedBy(2), retries.time());
    }

    /**
     * Makes a call to a sequence.
     *
     * @throws ProblemException {@code overloaded} if the sequence already has the maximum number of calls; otherwise as
     *     thrown by the call
     */
    public <T> T at(SequenceName name, Function<SequenceCall, T> call) {
        return at(name, deadline(), call);
    }

    /** Makes a call to a sequence, with the deadline of a larger call that concerns several sequences. */
    public <T> T at(SequenceName name, Deadline deadline, Function<SequenceCall, T> call) {
        return bulkhead.call(name, () -> deadline.limit(() -> call.apply(new SequenceCall(name, deadline))));
    }

    /** Splits a list into groups of at most {@value #AT_ONCE}, to be processed one group after the other. */
    public static <T> List<List<T>> groups(List<T> all) {
        return groups(all, AT_ONCE);
    }

    /** Like {@link #groups(List)}, for groups of another size. */
    public static <T> List<List<T>> groups(List<T> all, int size) {
        List<List<T>> groups = new ArrayList<>();
        for (int from = 0; from < all.size(); from += size) {
            groups.add(all.subList(from, Math.min(from + size, all.size())));
        }
        return groups;
    }

    /**
     * Makes a call for each element of a group, all at once, and returns the results in order. Makes a single call on
     * this thread.
     */
    public <S, T> List<T> together(List<S> group, Function<S, T> call) {
        if (group.size() == 1) {
            return Collections.singletonList(call.apply(group.get(0)));
        }
        List<CompletableFuture<T>> calls =
                group.stream().map(each -> started(() -> call.apply(each))).toList();
        return calls.stream().map(SequenceCalls::joined).toList();
    }

    /** Waits for a call, and fails as it failed. */
    private static <T> T joined(CompletableFuture<T> call) {
        try {
            return call.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ProblemException problem ? problem : e;
        }
    }

    /** Starts a call on another thread. Makes it on this thread if no other is available. */
    private <T> CompletableFuture<T> started(Supplier<T> call) {
        try {
            return CompletableFuture.supplyAsync(call, threads);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return CompletableFuture.completedFuture(call.get());
        }
    }

    /**
     * Makes a storage request whose answer is useful even after the deadline of this thread's call. Retries until one
     * request timeout after that deadline, or until a new deadline if the thread has no call.
     */
    <T> T retryLate(Supplier<T> request) {
        Deadline late = Deadline.ofThisThread()
                .map(deadline -> deadline.later(retries.limits().requestTimeout()))
                .orElseGet(this::deadline);
        return retry(late, request);
    }

    /**
     * Makes a storage request that concerns no sequence in particular.
     *
     * @throws StoreFailure as in {@link SequenceCall#retry}
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
         * Makes a storage request that is safe to repeat. Retries temporary failures until the deadline.
         *
         * @throws StoreFailure the last failure: a permanent one, or a temporary one at the deadline
         */
        public <T> T retry(Supplier<T> request) {
            return retries.call(deadline, request);
        }

        /**
         * Attempts a conditional write to the sequence until it wins, like {@link RetryPolicy#untilWon}.
         *
         * @param what the subject of the problem's text, with its article, for example "The definition"
         */
        public <T> T untilWon(String what, Supplier<Optional<T>> attempt) {
            return RetryPolicy.untilWon(retries.time(), what + " of " + name, MAX_TRIES, attempt);
        }

        /**
         * Attempts work until the definition does not change meanwhile.
         *
         * @param attempt throws {@link DefinitionChangedException} if the definition changed, and must have had no
         *     effect then
         * @throws ProblemException {@code contention} if the definition changed at every attempt; otherwise as thrown
         *     by an attempt
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
         * Runs work with a cached definition, and runs it again with the current one each time the work finds its
         * definition outdated.
         *
         * @param work throws {@link DefinitionChangedException} if its definition has changed, and must have had no
         *     effect then
         * @throws ProblemException {@code contention} if the definition changed at every attempt; otherwise as thrown
         *     by the work
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
         * Like {@link #settled}, but refuses sequences without counters.
         *
         * @throws ProblemException {@code not-for-guarantee}
         */
        public Sequence counted() {
            Sequence settled = settled();
            settled.requireCounted();
            return settled;
        }

        /**
         * Like {@link #settled}, but refuses sequences without a ledger.
         *
         * @throws ProblemException {@code not-for-guarantee}
         */
        public Sequence recorded() {
            Sequence settled = settled();
            settled.requireLedger();
            return settled;
        }

        /** Reads the definition and the index row of the sequence from storage. */
        public RegisteredSequence registered() {
            return retry(() -> definitions.registered(name));
        }

        /**
         * Returns a definition whose fixed fields can no longer be outdated: the cached one if it is in use, else a new
         * read. Before the first number its fixed fields may still change, so a cached copy may differ from the
         * definition that allocated the numbers.
         */
        public Sequence settled() {
            Sequence kept = definition();
            return kept.isInUse() ? kept : reloaded();
        }
    }
}
