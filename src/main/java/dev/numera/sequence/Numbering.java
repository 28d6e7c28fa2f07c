package dev.numera.sequence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.numera.counter.Answers;
import dev.numera.counter.BlockCounter;
import dev.numera.counter.Counter;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.CounterState;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.Outcome;
import dev.numera.counter.Request;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Terms;
import dev.numera.counter.Versioned;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Numbers for sequences: finds or creates the definition, chooses the period's counter, and says what it gave in the caller's terms.
 *
 * <p>Thread-safe; one for each process, because it is here that calls meet to be merged. Calls block, at most for
 * the deadline of the limits: once for the definition where it must be read, and once for the numbers.
 */
public final class Numbering {
    private static final Duration IDLE = Duration.ofMinutes(10);

    /**
     * What a call got: an answer for each wish, in their order.
     *
     * @param isNew whether this call created the sequence
     */
    public record Numbered(List<Answer> answers, boolean isNew, int attempts, long storageNanos) {
        boolean hasProblem() {
            for (Answer answer : answers) {
                if (answer.problem != null) {
                    return true;
                }
            }
            return false;
        }

        /** How many numbers the answers hold. */
        long count() {
            long count = 0;
            for (Answer answer : answers) {
                count += answer.problem == null ? answer.numbers.count() : 0;
            }
            return count;
        }
    }

    /** Exactly one of the two is not null. */
    public record Answer(Numbers numbers, ProblemException problem) {
        /** @throws ProblemException the problem, if it is one */
        public Numbers orThrow() {
            if (problem != null) {
                throw problem;
            }
            return numbers;
        }
    }

    /**
     * A counter by one reading of the fixed fields. They may change until the first number, and decide on the period, on keys and on blocks:
     * what was asked for by one reading must never be written by another.
     */
    private record Reading(CounterId id, FixedFields fixed) {}

    private final Definitions definitions;
    private final CounterLimits limits;
    private final Counter.Surroundings surroundings;
    private final LongSupplier coarseNanos;
    private final Retries retries;
    private final Telemetry telemetry;
    private final Cache<Reading, Counter> counters;
    private final Cache<Reading, BlockCounter> blocks;

    Numbering(Definitions definitions, CounterLimits limits, int maxIdleCounters, Counter.Surroundings surroundings, LongSupplier coarseNanos,
            Telemetry telemetry) {
        this.telemetry = telemetry;
        this.definitions = definitions;
        this.limits = limits;
        this.surroundings = surroundings;
        this.coarseNanos = coarseNanos;
        this.retries = new Retries(limits, surroundings.time(), surroundings.random());
        this.counters = idleOnesForgotten(maxIdleCounters);
        this.blocks = idleOnesForgotten(maxIdleCounters);
    }

    /** Tidies up on the thread that finds it due: to wake another one costs more than a number from memory. */
    private static <T> Cache<Reading, T> idleOnesForgotten(int maxIdleCounters) {
        return Caffeine.newBuilder().maximumSize(maxIdleCounters).expireAfterAccess(IDLE).executor(Runnable::run).build();
    }

    /**
     * Numbers for wishes of one sequence and one date, in their order.
     *
     * @param asks at least one; at most 98 of them with a key
     * @throws ProblemException what concerns the whole call; what concerns one wish stands in its answer
     */
    public Numbered next(SequenceName name, List<Ask> asks) {
        return next(name, asks, surroundings.time().now());
    }

    /**
     * As {@link #next(SequenceName, List)}, for wishes that were made earlier.
     *
     * @param askedAt chooses the date of wishes without one
     */
    public Numbered next(SequenceName name, List<Ask> asks, Instant askedAt) {
        requireNoTemplate(name);
        Definitions.Found found = retries.call(() -> definitions.getOrCreate(name));
        return telemetry.allocation(found.definition().definition().guarantee(),
                () -> asDefined(found.definition(), known -> next(known, asks, askedAt, found.isNew())));
    }

    private Numbered next(KnownDefinition known, List<Ask> asks, Instant askedAt, boolean isNew) {
        SequenceName name = known.stored().name();
        asks.forEach(ask -> requireKeyAsDefined(known.terms().fixed(), name, ask));
        LocalDate date = date(known, asks.get(0).date(), askedAt);
        CounterId id = id(known, date);
        if (known.definition().guarantee() == Guarantee.CACHED) {
            return fromBlocks(known, id, asks, date, isNew);
        }
        List<Request.Allocate> requests =
                asks.stream().map(ask -> new Request.Allocate(ask.key(), ask.count(), date, ask.date() != null)).toList();
        Answers answers = counter(known, id).call(requests);
        // By now the numbers are given: nothing may fail any more for want of a newer definition than is needed.
        KnownDefinition formatting = definitions.inMemory(name).orElse(known);
        return new Numbered(answers.answers().stream().map(answer -> answer(formatting, answer)).toList(), isNew, answers.attempts(),
                answers.storageNanos());
    }

    /**
     * How far a sequence is in the period of a date; consumes nothing.
     *
     * @param date null for today
     * @throws ProblemException {@code unknown-sequence}, {@code storage-unavailable}
     */
    public SequenceState state(SequenceName name, LocalDate date) {
        KnownDefinition known = retries.call(() -> definitions.get(name));
        CounterId id = counterId(known, date);
        Optional<Versioned> counter = retries.call(() -> surroundings.store().read(id));
        long next = counter.map(found -> found.state().next()).orElse(known.definition().start());
        return new SequenceState(name, id.period(), next, counter.map(found -> found.state().allocated()).orElse(0L),
                known.definition().series().left(next), counter.map(Versioned::state).map(CounterState::changedAt).orElse(null),
                known.stored().retiredAt());
    }

    Outcome.Advanced advance(SequenceName name, long nextAtLeast, LocalDate date) {
        requireNoTemplate(name);
        return asDefined(definitions.get(name), known -> move(known, counterId(known, date), new Request.Advance(nextAtLeast)));
    }

    Outcome.Advanced skip(SequenceName name, String period, long numbers) {
        return asDefined(definitions.get(name), known -> move(known, new CounterId(name, period), new Request.Skip(numbers)));
    }

    /** Gives a counter a new epoch, which voids what other instances hold of it. */
    void renew(SequenceName name, String period) {
        asDefined(definitions.get(name), known -> move(known, new CounterId(name, period), new Request.Renew()));
    }

    private Outcome.Advanced move(KnownDefinition known, CounterId id, Request request) {
        Outcome moved = counter(known, id).call(List.of(request)).only();
        forgetBlocks(id.sequence());
        return (Outcome.Advanced) moved;
    }

    /** Forgets the definition and the blocks of a sequence, which have changed. */
    void forget(SequenceName name) {
        definitions.forget(name);
        forgetBlocks(name);
    }

    private void forgetBlocks(SequenceName name) {
        blocks.asMap().entrySet().removeIf(entry -> {
            boolean isOf = entry.getKey().id().sequence().equals(name);
            if (isOf) {
                entry.getValue().discard();
            }
            return isOf;
        });
    }

    private Numbered fromBlocks(KnownDefinition known, CounterId id, List<Ask> asks, LocalDate date, boolean isNew) {
        BlockCounter counter = blocks.get(new Reading(id, known.terms().fixed()), missing -> new BlockCounter(
                counter(known, id), known.definition().cacheSize(), limits.deadline(), coarseNanos, surroundings.leaders()));
        if (known.stored().isRetired()) {
            counter.discard();
        }
        List<Answer> answers = new ArrayList<>();
        for (Ask ask : asks) {
            long first = counter.take(ask.count());
            Outcome.Allocation taken = new Outcome.Allocation(null, first, known.definition().series().last(first, ask.count()), ask.count(),
                    id.period(), date, null, known.stored().formatRevision(), null, false);
            answers.add(new Answer(numbers(known, taken), null));
        }
        return new Numbered(answers, isNew, 0, 0);
    }

    /**
     * Works by a definition that may have been kept for a while; and anew by the present one, as often as it turns out to read otherwise.
     *
     * @throws ProblemException what the work throws, or {@code contention} when the definition changed at every attempt
     */
    private <T> T asDefined(KnownDefinition kept, Function<KnownDefinition, T> work) {
        KnownDefinition known = kept;
        for (int attempt = 1; attempt <= limits.maxAttempts(); attempt++) {
            try {
                return work.apply(known);
            } catch (OutdatedDefinitionException e) {
                known = e.present();
            }
        }
        throw new ProblemException(ProblemType.CONTENTION, "The definition of " + kept.stored().name()
                + " was changed at every attempt. Nothing was consumed; try again.");
    }

    private Counter counter(KnownDefinition known, CounterId id) {
        return counters.get(new Reading(id, known.terms().fixed()), this::newCounter);
    }

    private Counter newCounter(Reading reading) {
        SequenceName name = reading.id().sequence();
        Terms.Source terms = new Terms.Source() {
            @Override
            public Terms current() {
                return readAsBefore(definitions.get(name));
            }

            @Override
            public Terms reloaded() {
                return readAsBefore(definitions.reload(name));
            }

            private Terms readAsBefore(KnownDefinition present) {
                if (!present.terms().fixed().equals(reading.fixed())) {
                    throw new OutdatedDefinitionException(present);
                }
                return present.terms();
            }
        };
        return new Counter(reading.id(), terms, limits, surroundings);
    }

    private Answer answer(KnownDefinition known, Answers.Answer answer) {
        if (answer.problem() instanceof ProblemException problem) {
            return new Answer(null, problem);
        }
        return new Answer(numbers(known, (Outcome.Allocation) answer.orThrow()), null);
    }

    Numbers numbers(KnownDefinition known, Outcome.Allocation allocation) {
        KnownDefinition formatting = known.knowsFormat(allocation.formatRevision()) ? known : withNewerFormat(known.stored().name());
        return new Numbers(allocation.key(), allocation.first(), allocation.last(), allocation.count(), known.definition().increment(),
                formatting.texts(allocation.formatRevision(), allocation.date(), allocation.first(), allocation.count()),
                allocation.replayed());
    }

    /** By now the numbers are given: whoever cannot be told their texts is told that, and not that there was no storage. */
    private KnownDefinition withNewerFormat(SequenceName name) {
        try {
            return retries.call(() -> definitions.reload(name));
        } catch (ProblemException e) {
            throw new ProblemException(ProblemType.OUTCOME_UNKNOWN, "The numbers of " + name + " are written, but the format of their texts"
                    + " could not be read. With the same key a retry gets them; without a key they are skipped. " + e.getMessage());
        }
    }

    private static LocalDate date(KnownDefinition known, LocalDate given, Instant askedAt) {
        return given != null ? given : LocalDate.ofInstant(askedAt, known.definition().timeZone());
    }

    /** The counter of a date's period; null is today. */
    CounterId counterId(KnownDefinition known, LocalDate date) {
        return id(known, date(known, date, surroundings.time().now()));
    }

    private static CounterId id(KnownDefinition known, LocalDate date) {
        Definition definition = known.definition();
        try {
            return new CounterId(known.stored().name(), Period.of(date, definition.resetEvery(), definition.fiscalYearStart()).id());
        } catch (InvalidFieldException e) {
            throw InvalidRequest.because(e);
        }
    }

    static void requireNoTemplate(SequenceName name) {
        if (name.isTemplate()) {
            throw InvalidRequest.because("scope", "must not be ~: it holds templates, which give no numbers");
        }
    }

    private static void requireKeyAsDefined(FixedFields definition, SequenceName name, Ask ask) {
        if (ask.key() == null && definition.guarantee() == Guarantee.GAPLESS) {
            throw new ProblemException(ProblemType.KEY_REQUIRED,
                    "The sequence " + name + " is gapless: every allocation needs a key, for its place in the ledger. Send one.");
        }
        if (ask.key() != null && !definition.takesKeys()) {
            throw new ProblemException(ProblemType.KEY_REFUSED, "The sequence " + name + " is "
                    + (definition.cycle() ? "a cycle" : "cached") + " and keeps no ledger, so it cannot promise the same numbers for the"
                    + " same key. Send no key.");
        }
    }
}
