package dev.numera.sequence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.numera.counter.Answers;
import dev.numera.counter.BlockCounter;
import dev.numera.counter.Counter;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.CounterState;
import dev.numera.counter.Deadline;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Foresight;
import dev.numera.counter.Guarantee;
import dev.numera.counter.KeyStatus;
import dev.numera.counter.Outcome;
import dev.numera.counter.Request;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Terms;
import dev.numera.counter.Versioned;
import dev.numera.counter.Waiters;
import dev.numera.format.InvalidFieldException;
import dev.numera.format.Period;
import dev.numera.problem.Answer;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.snowflake.Snowflakes;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for sequences: finds or creates the definition, chooses the period's counter, and says what it gave in the
 * caller's terms.
 *
 * <p>Thread-safe; one for each process, because it is here that calls meet to be merged. Calls block, at most for the
 * deadline of the limits: once for the definition where it must be read, and once for the numbers.
 */
public final class Numbering {
    /**
     * A counter by one reading of the fixed fields. They may change until the first number, and decide on the period,
     * on keys and on blocks: what was asked for by one reading must never be written by another.
     */
    private record Reading(CounterId id, FixedFields fixed) {}

    private static final int YEARS_TOLD_BY_TWO_DIGITS = 99;
    private static final int PREVIEWED_NUMBERS = 3;

    private final Definitions definitions;
    private final CounterLimits limits;
    private final int maxDaysAhead;
    private final Waiters waiters;
    private final Counter.Surroundings surroundings;
    private final LongSupplier coarseNanos;
    private final Retries retries;
    private final SnowflakeIds snowflakes;
    private final Telemetry telemetry;
    private final Alarms alarms;
    private final Cache<Reading, Counter> counters;
    private final Cache<Reading, BlockCounter> blocks;

    Numbering(
            Definitions definitions,
            SequenceLimits limits,
            Waiters waiters,
            Retries retries,
            Counter.Surroundings surroundings,
            LongSupplier coarseNanos,
            SnowflakeIds snowflakes,
            Telemetry telemetry) {
        this.snowflakes = snowflakes;
        this.telemetry = telemetry;
        this.definitions = definitions;
        this.limits = limits.counters();
        this.maxDaysAhead = limits.maxDaysAhead();
        this.waiters = waiters;
        this.surroundings = surroundings;
        this.alarms = new Alarms(surroundings.time());
        this.coarseNanos = coarseNanos;
        this.retries = retries;
        this.counters = leastUsedOnesForgotten(limits.maxIdleCounters());
        this.blocks = leastUsedOnesForgotten(limits.maxIdleCounters());
    }

    /**
     * None is forgotten for its age: it remembers how far it has seen its counter, and so notices when an old table is
     * put back. Tidies up on the thread that finds it due: to wake another one costs more than a number from memory.
     */
    private static <T> Cache<Reading, T> leastUsedOnesForgotten(int maxIdleCounters) {
        return Caffeine.newBuilder()
                .maximumSize(maxIdleCounters)
                .executor(Runnable::run)
                .build();
    }

    /**
     * Numbers for asks of one sequence and one date, in their order.
     *
     * @param asks at least one; at most 98 of them with a key
     * @throws ProblemException what concerns the whole call; what concerns one ask stands in its answer
     */
    public Numbered next(SequenceName name, List<Ask> asks) {
        return next(name, asks, surroundings.time().now());
    }

    /**
     * As {@link #next(SequenceName, List)}, for asks that were made earlier.
     *
     * @param askedAt chooses the date of asks without one
     */
    public Numbered next(SequenceName name, List<Ask> asks, Instant askedAt) {
        requireNoTemplate(name);
        Optional<KnownDefinition> known = definitions.inMemory(name);
        return known.flatMap(kept -> fromMemory(kept, asks, askedAt))
                .orElseGet(() -> alarms.watch(name, () -> waiters.count(name, () -> next(name, known, asks, askedAt))));
    }

    private Numbered next(SequenceName name, Optional<KnownDefinition> kept, List<Ask> asks, Instant askedAt) {
        Deadline deadline = Deadline.in(limits.deadline(), surroundings.time());
        Definitions.Found found = kept.map(known -> new Definitions.Found(known, false))
                .orElseGet(() -> retries.call(deadline, () -> definitions.getOrCreate(name)));
        return telemetry.allocation(
                found.definition().definition().fixed().guarantee(),
                () -> asDefined(found.definition(), known -> next(known, asks, askedAt, found.isNew(), deadline)));
    }

    /** Numbers from a block or a lease that is in memory: nothing that waits, so nothing that is counted. */
    private Optional<Numbered> fromMemory(KnownDefinition known, List<Ask> asks, Instant askedAt) {
        Ask ask = asks.get(0);
        Guarantee guarantee = known.fixed().guarantee();
        boolean canBeThere = (guarantee == Guarantee.CACHED || guarantee == Guarantee.SNOWFLAKE)
                && asks.size() == 1
                && ask.key() == null
                && ask.date() == null
                && known.isInUse()
                && !known.isRetired();
        if (!canBeThere) {
            return Optional.empty();
        }
        LocalDate date = date(known, ask, askedAt);
        CounterId id = id(known, date);
        OptionalLong first = guarantee == Guarantee.CACHED ? fromBlock(known, id, ask) : fromLease(known, ask);
        return first.isEmpty()
                ? Optional.empty()
                : Optional.of(telemetry.allocation(
                        guarantee,
                        () -> new Numbered(
                                List.of(taken(present(known.name()), id, ask, date, first.getAsLong())), false, 0, 0)));
    }

    private OptionalLong fromBlock(KnownDefinition known, CounterId id, Ask ask) {
        BlockCounter counter = blocks.getIfPresent(new Reading(id, known.fixed()));
        long first = counter == null
                ? BlockCounter.NO_NUMBER
                : counter.takeAtOnce(ask.count(), known.definition().cacheSize());
        return first == BlockCounter.NO_NUMBER ? OptionalLong.empty() : OptionalLong.of(first);
    }

    private OptionalLong fromLease(KnownDefinition known, Ask ask) {
        long first = ask.count() > Snowflakes.MAX_COUNT
                ? Snowflakes.NO_ID
                : snowflakes.takeAtOnce(known.name(), ask.count());
        return first == Snowflakes.NO_ID ? OptionalLong.empty() : OptionalLong.of(first);
    }

    /** What was asked for, or nothing where the definition is another one now. */
    private Optional<Numbered> next(
            KnownDefinition known, List<Ask> asks, Instant askedAt, boolean isNew, Deadline deadline) {
        KnownDefinition agreed = agreed(known, asks);
        LocalDate date = date(agreed, asks.get(0), askedAt);
        CounterId id = id(agreed, date);
        if (agreed.definition().fixed().guarantee() == Guarantee.CACHED) {
            return fromBlocks(agreed, id, asks, date, isNew, deadline);
        }
        if (!agreed.fixed().isCounted()) {
            return fromLease(agreed, id, asks, date, isNew, deadline);
        }
        Answers answers = counter(agreed, id)
                .call(asks.stream().map(ask -> request(agreed, ask, date)).toList(), deadline);
        if (answers.isOutdated()) {
            return Optional.empty();
        }
        List<Answer<Numbers>> told =
                answers.answers().stream().map(answer -> told(agreed, answer)).toList();
        return Optional.of(new Numbered(told, isNew, answers.attempts(), answers.storageNanos()));
    }

    /** What is refused for the fields of a definition is refused by the present one only. */
    private KnownDefinition agreed(KnownDefinition known, List<Ask> asks) {
        if (asks.stream().allMatch(ask -> askProblem(known, ask).isEmpty())) {
            return known;
        }
        KnownDefinition present = definitions.reload(known.name());
        for (Ask ask : asks) {
            askProblem(present, ask).ifPresent(problem -> {
                throw problem;
            });
        }
        return present;
    }

    /**
     * What the first of these asks would be answered now: as many as one write reaches. Consumes nothing, creates
     * nothing, and keeps nothing for anybody.
     *
     * @param asks as for {@link #next(SequenceName, List, Instant)}, each with a key
     * @throws ProblemException what would concern the whole call
     */
    public List<Answer<Numbers>> foresee(SequenceName name, List<Ask> asks, Instant askedAt) {
        requireNoTemplate(name);
        return waiters.count(name, () -> {
            Deadline deadline = Deadline.in(limits.deadline(), surroundings.time());
            return retries.call(deadline, () -> foreseen(definitions.foreseen(name), asks, askedAt, deadline));
        });
    }

    private List<Answer<Numbers>> foreseen(KnownDefinition known, List<Ask> asks, Instant askedAt, Deadline deadline) {
        asks.forEach(ask -> askProblem(known, ask).ifPresent(problem -> {
            throw problem;
        }));
        LocalDate date = date(known, asks.get(0), askedAt);
        CounterId id = id(known, date);
        List<Request.Allocate> requests =
                asks.stream().map(ask -> request(known, ask, date)).toList();
        return new Foresight(surroundings.store(), surroundings.time())
                .foresee(id, versionedState(known, id), known, requests, deadline).stream()
                        .map(answer -> told(known, answer))
                        .toList();
    }

    private Answer<Numbers> told(KnownDefinition known, Answer<Outcome> answer) {
        return answer.map(outcome -> numbers(known, (Outcome.Allocation) outcome))
                .unless(numbers -> voidProblem(known, numbers));
    }

    private Request.Allocate request(KnownDefinition known, Ask ask, LocalDate date) {
        return new Request.Allocate(
                ask.key(),
                ask.count(),
                date,
                ask.date() != null,
                ask.isReserved(),
                tooLate(known, ask.date()).orElse(null),
                ofAnotherCentury(known, ask.date()).orElse(null));
    }

    /**
     * How far a sequence is in the period of a date; consumes nothing.
     *
     * @param date null for today
     * @throws ProblemException {@code unknown-sequence}, {@code storage-unavailable}; {@code not-for-guarantee} where
     *     there is no counter
     */
    public SequenceState state(SequenceName name, @Nullable LocalDate date) {
        return waiters.count(name, () -> {
            KnownDefinition known = retries.call(() -> definitions.counted(name));
            return retries.call(() -> state(known, date));
        });
    }

    /**
     * As the other, by a definition; one read.
     *
     * @throws ProblemException also where the storage may answer the next time
     */
    SequenceState state(KnownDefinition known, @Nullable LocalDate date) {
        CounterId id = counterId(known, date);
        Optional<CounterState> counter = counterState(known, id);
        String nextText = known.name().isTemplate()
                ? null
                : nextNumbers(known, counter, day(known, date), 1).stream()
                        .findFirst()
                        .map(NextNumber::text)
                        .orElse(null);
        return SequenceState.of(known, id.period(), counter, nextText);
    }

    private Optional<CounterState> counterState(KnownDefinition known, CounterId id) {
        return versionedState(known, id).map(Versioned::state);
    }

    private Optional<Versioned> versionedState(KnownDefinition known, CounterId id) {
        Optional<Versioned> counter = surroundings.store().read(id);
        if (counter.isEmpty() && known.isInUse() && known.fixed().isNeverReset()) {
            throw counterIsGone(known.name());
        }
        return counter;
    }

    static ProblemException counterIsGone(SequenceName name) {
        return new ProblemException(
                ProblemType.ROLLED_BACK,
                "The counter of " + name + " is gone: a table was lost. Restore it, or"
                        + " advance the sequence beyond every number that was handed out; until then it gives none.");
    }

    /** @param text null where numbers have no texts */
    private record NextNumber(long number, @Nullable String text) {}

    /** As many numbers as are left, but no more than asked for, as the definition would write them. */
    private static List<NextNumber> nextNumbers(
            KnownDefinition known, Optional<CounterState> counter, LocalDate date, int atMost) {
        List<NextNumber> numbers = new ArrayList<>();
        OptionalLong number = known.series().first(known.next(counter), 1);
        while (number.isPresent() && numbers.size() < atMost) {
            numbers.add(new NextNumber(number.getAsLong(), text(known, date, number.getAsLong())));
            number = known.series().first(number.getAsLong() + known.fixed().increment(), 1);
        }
        return numbers;
    }

    private static @Nullable String text(KnownDefinition known, LocalDate date, long number) {
        try {
            return known.format().text(date, number);
        } catch (InvalidFieldException e) {
            throw InvalidRequest.because(e.field(), e.reason());
        }
    }

    /**
     * What a definition would give, from where the sequence stands.
     *
     * @param date null for today
     * @throws ProblemException {@code rolled-back}, or {@code invalid-request} for a date that gets no numbers
     */
    Preview preview(KnownDefinition known, @Nullable LocalDate date) {
        requireDate(known, date);
        LocalDate day = day(known, date);
        List<NextNumber> numbers = known.fixed().isCounted() ? counted(known, day) : sampled(known, day);
        Optional<TextLength> length = TextLength.of(known.name(), known.definition(), day);
        return new Preview(
                numbers.stream().map(NextNumber::number).toList(),
                length.isEmpty() || numbers.isEmpty()
                        ? null
                        : numbers.stream().map(NextNumber::text).toList(),
                length.map(TextLength::longest).orElse(null));
    }

    private List<NextNumber> counted(KnownDefinition known, LocalDate day) {
        Optional<CounterState> counter = known.isInUse() ? counterState(known, id(known, day)) : Optional.empty();
        return nextNumbers(known, counter, day, PREVIEWED_NUMBERS);
    }

    private List<NextNumber> sampled(KnownDefinition known, LocalDate day) {
        return Snowflakes.samples(surroundings.time().now(), PREVIEWED_NUMBERS).stream()
                .map(number -> new NextNumber(number, text(known, day, number)))
                .toList();
    }

    Outcome.Advanced advance(SequenceName name, @Nullable LocalDate date, Request.Advance asked) {
        requireNoTemplate(name);
        return asDefined(definitions.counted(name), known -> {
            known.requireCounted();
            requireDate(known, date);
            return move(known, counterId(known, date), asked);
        });
    }

    Outcome.Advanced skip(SequenceName name, String period, Request.Skip asked) {
        return asDefined(definitions.get(name), known -> move(known, new CounterId(name, period), asked));
    }

    /** Puts numbers into a ledger; nothing where the definition is another one now, and nothing was done. */
    Optional<Outcome.Imported> bring(KnownDefinition known, CounterId id, Request.Import asked) {
        Deadline deadline = Deadline.in(limits.deadline(), surroundings.time());
        return counter(known, id).call(List.of(asked), deadline).only() instanceof Outcome.Imported imported
                ? Optional.of(imported)
                : Optional.empty();
    }

    private Optional<Outcome.Advanced> move(KnownDefinition known, CounterId id, Request request) {
        Deadline deadline = Deadline.in(limits.deadline(), surroundings.time());
        Outcome moved = counter(known, id).call(List.of(request), deadline).only();
        forgetBlocks(id.sequence());
        return moved instanceof Outcome.Advanced advanced ? Optional.of(advanced) : Optional.empty();
    }

    /** Forgets the definition and the blocks of a sequence, which have changed. */
    void forget(SequenceName name) {
        definitions.forget(name);
        forgetBlocks(name);
    }

    private void forgetBlocks(SequenceName name) {
        blocks.asMap().forEach((reading, counter) -> {
            if (reading.id().sequence().equals(name)) {
                counter.discard();
            }
        });
    }

    private Optional<Numbered> fromBlocks(
            KnownDefinition known, CounterId id, List<Ask> asks, LocalDate date, boolean isNew, Deadline deadline) {
        BlockCounter counter = blocks(new Reading(id, known.fixed()));
        if (known.isRetired()) {
            counter.discard();
        }
        List<Answer<Numbers>> answers = new ArrayList<>();
        for (Ask ask : asks) {
            requireDate(known, ask.date());
            long first = counter.take(ask.count(), known.definition().cacheSize(), deadline);
            if (first == BlockCounter.NO_NUMBER) {
                return Optional.empty();
            }
            answers.add(taken(present(id.sequence()), id, ask, date, first));
        }
        return Optional.of(new Numbered(answers, isNew, 0, 0));
    }

    private Optional<Numbered> fromLease(
            KnownDefinition known, CounterId id, List<Ask> asks, LocalDate date, boolean isNew, Deadline deadline) {
        asks.forEach(ask -> requireDate(known, ask.date()));
        Optional<KnownDefinition> usable = snowflakes.usable(known, deadline);
        if (usable.isEmpty()) {
            return Optional.empty();
        }
        List<Answer<Numbers>> answers = new ArrayList<>();
        for (Ask ask : asks) {
            long first = snowflakes.take(known.name(), ask.count(), deadline);
            answers.add(taken(usable.get(), id, ask, date, first));
        }
        return Optional.of(new Numbered(answers, isNew, 0, 0));
    }

    /** Once the number is there: its block may have been taken under a newer definition than the one known before. */
    private KnownDefinition present(SequenceName name) {
        return definitions.inMemory(name).orElseGet(() -> withNewerFormat(name));
    }

    private Answer<Numbers> taken(KnownDefinition known, CounterId id, Ask ask, LocalDate date, long first) {
        KnownDefinition usable =
                known.isInUse() && known.canWrite(first, ask.count()) ? known : withNewerFormat(known.name());
        if (!usable.canWrite(first, ask.count())) {
            throw olderThanLedger(usable, first);
        }
        // By the definition that writes the texts, which may be newer than the one by which the date was looked at.
        requireDate(usable, ask.date());
        long last = usable.series().last(first, ask.count());
        return Answer.of(new Numbers(
                null,
                first,
                last,
                ask.count(),
                usable.definition().fixed().increment(),
                usable.texts(date, first, ask.count()),
                usable.isDateTelling(usable.format().revision()) ? date : null,
                period(id.period()),
                false,
                KeyStatus.SIMPLY_ISSUED));
    }

    /**
     * Works by a definition that may have been kept for a while; and anew by the present one, as often as it turns out
     * to read otherwise.
     *
     * @param work gives nothing where its definition is another one now, and has done nothing then
     * @throws ProblemException what the work throws, or {@code contention} when the definition changed at every attempt
     */
    private <T> T asDefined(KnownDefinition kept, Function<KnownDefinition, Optional<T>> work) {
        long beganNanos = surroundings.time().nanoTime();
        KnownDefinition known = kept;
        for (int attempt = 1; attempt <= limits.maxAttempts(); attempt++) {
            Optional<T> done = work.apply(known);
            if (done.isPresent()) {
                return done.get();
            }
            known = definitions.get(kept.name());
        }
        throw new ProblemException(
                ProblemType.CONTENTION,
                "The definition of " + kept.name() + " was changed at every attempt. Nothing was consumed; try again.",
                Map.of(
                        "attempts",
                        limits.maxAttempts(),
                        "elapsedMillis",
                        (surroundings.time().nanoTime() - beganNanos) / 1_000_000));
    }

    /** One for each counter: that of a cached sequence is remembered with its blocks. */
    private Counter counter(KnownDefinition known, CounterId id) {
        Reading reading = new Reading(id, known.fixed());
        return known.fixed().guarantee() == Guarantee.CACHED
                ? blocks(reading).counter()
                : counters.get(reading, this::newCounter);
    }

    private BlockCounter blocks(Reading reading) {
        return blocks.get(
                reading, missing -> new BlockCounter(newCounter(missing), coarseNanos, surroundings.leaders()));
    }

    private Counter newCounter(Reading reading) {
        SequenceName name = reading.id().sequence();
        Terms.Source terms = new Terms.Source() {
            @Override
            public Terms current() {
                return definitions.get(name);
            }

            @Override
            public Terms reloaded() {
                return definitions.reload(name);
            }

            @Override
            public Terms markable() {
                return definitions.markable(name);
            }

            @Override
            public void marked(Terms terms) {
                definitions.marked(name, Objects.requireNonNull(terms.version(), "Only a version can be marked."));
            }
        };
        return new Counter(
                reading.id(),
                reading.fixed(),
                terms,
                limits,
                surroundings,
                telemetry.of(reading.id(), reading.fixed().guarantee()));
    }

    /** @throws ProblemException {@code rolled-back} where the definition knows less than the ledger */
    Numbers numbers(KnownDefinition known, Outcome.Allocation allocation) {
        KnownDefinition formatting = writing(known, allocation);
        if (!formatting.canWrite(allocation)) {
            throw olderThanLedger(formatting, allocation.first());
        }
        return new Numbers(
                allocation.key(),
                allocation.first(),
                allocation.last(),
                allocation.count(),
                known.definition().fixed().increment(),
                formatting.texts(allocation),
                formatting.isDateTelling(allocation.formatRevision()) ? allocation.date() : null,
                period(allocation.period()),
                allocation.replayed(),
                allocation.status());
    }

    private static @Nullable String period(String id) {
        return id.isEmpty() ? null : id;
    }

    private static Optional<ProblemException> voidProblem(KnownDefinition known, Numbers numbers) {
        return numbers.status().isVoid() ? Optional.of(new KeyVoidException(known.name(), numbers)) : Optional.empty();
    }

    /**
     * By now the numbers are given: nothing may fail any more for want of a newer definition than is needed. A format
     * can still have been another one where the definition was not in use, even if both give the first text alike.
     */
    private KnownDefinition writing(KnownDefinition known, Outcome.Allocation allocation) {
        if (known.isInUse() && known.canWrite(allocation)) {
            return known;
        }
        KnownDefinition present = definitions.inMemory(known.name()).orElse(known);
        return present.canWrite(allocation) ? present : withNewerFormat(known.name());
    }

    private static ProblemException olderThanLedger(KnownDefinition known, long number) {
        return new ProblemException(
                ProblemType.ROLLED_BACK,
                "The definition of " + known.name() + " is older than its ledger: it has not"
                        + " the format under which number " + number
                        + " was given. Restore the definition that belongs to the ledger.");
    }

    /**
     * By now the numbers are given: whoever cannot be told their texts is told that, and not that there was no storage.
     */
    private KnownDefinition withNewerFormat(SequenceName name) {
        try {
            return retries.call(() -> definitions.reload(name));
        } catch (ProblemException e) {
            throw new ProblemException(
                    ProblemType.OUTCOME_UNKNOWN,
                    "The numbers of " + name + " are written, but the format of their texts"
                            + " could not be read. With the same key a retry gets them; without a key they are skipped. "
                            + e.getMessage());
        }
    }

    private static LocalDate date(KnownDefinition known, Ask ask, Instant askedAt) {
        return ask.date() != null ? ask.date() : known.fixed().day(askedAt);
    }

    /** The counter of a date's period; null is today. */
    CounterId counterId(KnownDefinition known, @Nullable LocalDate date) {
        return id(known, day(known, date));
    }

    LocalDate day(KnownDefinition known, @Nullable LocalDate date) {
        return date != null ? date : known.fixed().day(surroundings.time().now());
    }

    /** Why a given date gets no new numbers: a typo must not open a period, and two digits must tell the year. */
    private Optional<ProblemException> dateProblem(KnownDefinition known, @Nullable LocalDate date) {
        return dateProblem(known, known.format().revision(), date);
    }

    /** As the other, for texts of another revision of the format; 0 for numbers without texts. */
    Optional<ProblemException> dateProblem(KnownDefinition known, int formatRevision, @Nullable LocalDate date) {
        Optional<ProblemException> tooLate = tooLate(known, date);
        return tooLate.isPresent() || !known.tellsYearByTwoDigits(formatRevision)
                ? tooLate
                : ofAnotherCentury(known, date);
    }

    private void requireDate(KnownDefinition known, @Nullable LocalDate date) {
        dateProblem(known, date).ifPresent(problem -> {
            throw problem;
        });
    }

    private Optional<ProblemException> tooLate(KnownDefinition known, @Nullable LocalDate date) {
        if (date == null || !date.isAfter(lastDate(known))) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date",
                "must not be later than " + lastDate(known) + ", which is " + maxDaysAhead
                        + " days ahead (Numera_MaxDaysAhead)"));
    }

    /** Only for texts that tell the year by two digits. */
    private Optional<ProblemException> ofAnotherCentury(KnownDefinition known, @Nullable LocalDate date) {
        if (date == null) {
            return Optional.empty();
        }
        LocalDate first = lastDate(known).minusYears(YEARS_TOLD_BY_TWO_DIGITS);
        if (!date.isBefore(first)) {
            return Optional.empty();
        }
        return Optional.of(InvalidRequest.because(
                "date", "must not be before " + first + ": the texts tell the year by two digits"));
    }

    /** The last date that numbers may be asked for. */
    LocalDate lastDate(KnownDefinition known) {
        return known.fixed().day(surroundings.time().now()).plusDays(maxDaysAhead);
    }

    private static CounterId id(KnownDefinition known, LocalDate date) {
        Definition definition = known.definition();
        try {
            return new CounterId(
                    known.stored().name(),
                    Period.of(
                                    date,
                                    definition.fixed().resetEvery(),
                                    definition.fixed().fiscalYearStart())
                            .id());
        } catch (InvalidFieldException e) {
            throw InvalidRequest.because(e.field(), e.reason());
        }
    }

    public static void requireNoTemplate(SequenceName name) {
        if (name.isTemplate()) {
            throw InvalidRequest.because("scope", "must not be ~: it holds templates, which give no numbers");
        }
    }

    private static Optional<ProblemException> askProblem(KnownDefinition known, Ask ask) {
        FixedFields fixed = known.fixed();
        if (ask.key() == null && fixed.guarantee() == Guarantee.GAPLESS) {
            return Optional.of(new ProblemException(
                    ProblemType.KEY_REQUIRED,
                    "The sequence " + known.name()
                            + " is gapless: every allocation needs a key, for its place in the ledger. Send one, by"
                            + " Idempotency-Key or key= over HTTP."));
        }
        if (ask.key() != null && !fixed.takesKeys()) {
            return Optional.of(new ProblemException(
                    ProblemType.KEY_REFUSED,
                    "The sequence " + known.name() + " is "
                            + known.kind()
                            + " and keeps no ledger, so it cannot promise the same numbers for the"
                            + " same key. Send no key."));
        }
        if (!fixed.isCounted() && ask.count() > Snowflakes.MAX_COUNT) {
            return Optional.of(InvalidRequest.because(
                    "count", "must be from 1 to " + Snowflakes.MAX_COUNT + " where the guarantee is snowflake"));
        }
        return Optional.empty();
    }
}
