package dev.numera.sequence;

import dev.numera.counter.CounterEnvironment;
import dev.numera.counter.Forecast;
import dev.numera.counter.Transaction;
import dev.numera.execution.CharacterBudget;
import dev.numera.model.Answers;
import dev.numera.model.CounterId;
import dev.numera.model.DateLimits;
import dev.numera.model.FixedFields;
import dev.numera.model.Guarantee;
import dev.numera.model.Outcome;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.snowflake.Snowflakes;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for sequences: finds or creates the definition, and calls the period's counter.
 *
 * <p>Thread-safe; one for each process, because it is here that calls meet to be merged. Calls block, at most for the
 * deadline of the limits: once for the definition where it must be read, and once for the numbers.
 */
public final class Numbering {
    /** As many requests are numbered at once at most. */
    public static final int MAX_KEYS = Transaction.MAX_KEYS;

    private final SequenceAccess access;
    private final Definitions definitions;
    private final DefinitionCreation creation;
    private final DateLimits dates;
    private final Counters counters;
    private final KeyNormalization keys;
    private final NumbersFormatter formatter;
    private final CounterReader reader;
    private final CounterEnvironment surroundings;
    private final CounterMoves moves;
    private final NumbersInMemory inMemory;
    private final Telemetry telemetry;
    private final Alarms alarms;

    Numbering(
            SequenceAccess access,
            Definitions definitions,
            DefinitionCreation creation,
            DateLimits dates,
            Counters counters,
            KeyNormalization keys,
            NumbersFormatter formatter,
            CounterReader reader,
            CounterEnvironment surroundings,
            CounterMoves moves,
            NumbersInMemory inMemory,
            Telemetry telemetry) {
        this.access = access;
        this.definitions = definitions;
        this.creation = creation;
        this.dates = dates;
        this.counters = counters;
        this.keys = keys;
        this.formatter = formatter;
        this.reader = reader;
        this.surroundings = surroundings;
        this.moves = moves;
        this.inMemory = inMemory;
        this.telemetry = telemetry;
        this.alarms = new Alarms(surroundings.time());
    }

    /**
     * Numbers for the first of these requests, in their order: as many as are of one period and fit one write.
     *
     * @param takes at least one
     * @return an answer to each of the first ones, at least one
     * @throws ProblemException what concerns the whole call; what concerns one request is in its answer
     */
    public Answers<Numbers> next(SequenceName name, List<Take> takes) {
        return next(name, takes, surroundings.time().now());
    }

    /**
     * As {@link #next(SequenceName, List)}, for a request whose answer is written at once.
     *
     * @param share holds the answer's characters before any number is allocated, and more where a known key has more
     * @throws ProblemException as the others; {@code overloaded} where the share cannot hold them
     */
    public Answers<Numbers> nextWithin(SequenceName name, Take take, CharacterBudget.Share share) {
        return next(name, List.of(take), surroundings.time().now(), share);
    }

    /**
     * As {@link #next(SequenceName, List)}, for requests that were made earlier.
     *
     * @param sentAt chooses the date of requests without one
     */
    public Answers<Numbers> next(SequenceName name, List<Take> takes, Instant sentAt) {
        return next(name, takes, sentAt, null);
    }

    private Answers<Numbers> next(
            SequenceName name, List<Take> takes, Instant sentAt, CharacterBudget.@Nullable Share share) {
        name.requireNoTemplate();
        return alarms.watch(
                name,
                () -> access.at(name, visit -> {
                    Set<String> own = new HashSet<>();
                    DefinitionCreation.Found found = visit.retry(() -> creation.getOrCreate(name, own));
                    return telemetry.allocation(
                            found.definition().definition().fixed().guarantee(),
                            () -> visit.byPresent(
                                    found.definition(),
                                    known -> next(known, takes, sentAt, found.isNew(), visit, share)));
                }));
    }

    private Answers<Numbers> next(
            Sequence known,
            List<Take> takes,
            Instant sentAt,
            boolean isNew,
            SequenceAccess.Visit visit,
            CharacterBudget.@Nullable Share share) {
        Sequence agreed = agreedInNfc(known, takes, visit);
        if (share != null) {
            share.holdAtLeast(Numbers.characters(agreed, takes));
        }
        LocalDate today = agreed.fixed().day(sentAt);
        Answer<CounterId> first = counter(agreed, takes.get(0).on(today));
        if (first.isRefused()) {
            return new Answers<>(List.of(Answer.refused(first.refusal())), isNew, 0, 0);
        }
        CounterId id = first.orThrow();
        List<Take> dated = oneWrite(agreed, id, takes, today);
        if (agreed.definition().fixed().guarantee() == Guarantee.CACHED) {
            return inMemory.fromBlocks(agreed, id, dated, isNew, visit);
        }
        if (!agreed.fixed().isCounted()) {
            return inMemory.fromLease(agreed, id, dated, isNew, visit);
        }
        Answers<Outcome> answers = moves.orOpen(agreed, id, visit, () -> counters.counter(agreed, id)
                .call(dated, visit.deadline())
                .requireUpToDate());
        List<Answer<Numbers>> printed = printed(agreed, dated, answers.answers(), share);
        return new Answers<>(printed, isNew, answers.attempts(), answers.storageNanos());
    }

    /**
     * Ensures NFC before a request stores a key with several forms, and checks the request again then, because the
     * definition may have been replaced meanwhile. Skips stopped sequences: they store no key.
     */
    private Sequence agreedInNfc(Sequence known, List<Take> takes, SequenceAccess.Visit visit) {
        Sequence agreed = agreed(known, takes, visit);
        return agreed.isStopped() || !hasKeyForms(takes) ? agreed : agreed(keys.ensured(visit, agreed), takes, visit);
    }

    private static boolean hasKeyForms(List<Take> takes) {
        for (Take take : takes) {
            if (take.hasKeyForms()) {
                return true;
            }
        }
        return false;
    }

    /** What is refused for the fields of a definition is refused by the present one only. */
    private Sequence agreed(Sequence known, List<Take> takes, SequenceAccess.Visit visit) {
        if (takes.stream().allMatch(take -> takeProblem(known, take).isEmpty())) {
            return known;
        }
        Sequence present = visit.reloaded();
        for (Take take : takes) {
            takeProblem(present, take).ifPresent(problem -> {
                throw problem;
            });
        }
        return present;
    }

    /**
     * What {@link #next(SequenceName, List, Instant)} would answer now. Consumes nothing, creates nothing, and keeps
     * nothing for anybody.
     *
     * @param takes as there, each with a key
     * @throws ProblemException what would concern the whole call
     */
    public List<Answer<Numbers>> foresee(SequenceName name, List<Take> takes, Instant sentAt) {
        name.requireNoTemplate();
        return access.at(name, visit -> visit.retry(() -> foreseen(creation.foreseen(name), takes, sentAt, visit)));
    }

    private List<Answer<Numbers>> foreseen(
            Sequence known, List<Take> takes, Instant sentAt, SequenceAccess.Visit visit) {
        takes.forEach(take -> takeProblem(known, take).ifPresent(problem -> {
            throw problem;
        }));
        LocalDate today = known.fixed().day(sentAt);
        Answer<CounterId> first = counter(known, takes.get(0).on(today));
        if (first.isRefused()) {
            return List.of(Answer.refused(first.refusal()));
        }
        CounterId id = first.orThrow();
        List<Take> dated = oneWrite(known, id, takes, today);
        return printed(
                known,
                dated,
                Forecast.preview(surroundings, id, reader.read(known, id), known, dated, dates, visit.deadline()),
                null);
    }

    /** A date that no period can have is refused, and no other request for it. */
    private static Answer<CounterId> counter(Sequence known, Take dated) {
        return Answer.unlessTrouble(() -> known.counter(dated.day()));
    }

    /**
     * As many of the first requests as are of one counter and fit one write, each with its day.
     *
     * @param id the counter of the first request
     */
    private static List<Take> oneWrite(Sequence known, CounterId id, List<Take> takes, LocalDate today) {
        if (takes.size() == 1) {
            return List.of(takes.get(0).on(today));
        }
        List<Take> ofPeriod = takes.stream()
                .limit(MAX_KEYS)
                .map(take -> take.on(today))
                .takeWhile(take -> counter(known, take).equals(Answer.of(id)))
                .toList();
        return ofPeriod.subList(0, Transaction.reach(ofPeriod));
    }

    /** @param answers to the first of the requests */
    private List<Answer<Numbers>> printed(
            Sequence known, List<Take> takes, List<Answer<Outcome>> answers, CharacterBudget.@Nullable Share share) {
        return IntStream.range(0, answers.size())
                .mapToObj(place -> printed(known, takes.get(place), answers.get(place), share))
                .toList();
    }

    /** Returns the answer with the key as the caller sent it, regardless of the form that the ledger contains. */
    private Answer<Numbers> printed(
            Sequence known, Take take, Answer<Outcome> answer, CharacterBudget.@Nullable Share share) {
        return formatter
                .ofAnswer(known, answer)
                .map(numbers -> held(numbers.with(take.keyAsSent(), numbers.texts()), share))
                .unless(numbers -> KeyVoidException.of(known.name(), numbers));
    }

    /** Those that were allocated before may have longer texts than new ones, for which there is room. */
    private static Numbers held(Numbers numbers, CharacterBudget.@Nullable Share share) {
        if (share != null && numbers.replayed()) {
            share.holdAtLeast(numbers.characters());
        }
        return numbers;
    }

    /** Why a sequence is refused as suspended; empty where it is not, or where that is unknown. */
    public Optional<ProblemException> suspension(SequenceName name) {
        return access.at(name, visit -> visit.retry(() -> definitions.suspension(name)));
    }

    private static Optional<ProblemException> takeProblem(Sequence known, Take take) {
        FixedFields fixed = known.fixed();
        if (take.key() == null && fixed.guarantee() == Guarantee.GAPLESS) {
            return Optional.of(new ProblemException(
                    ProblemType.KEY_REQUIRED,
                    "The sequence " + known.name()
                            + " is gapless: every allocation needs a key, for its place in the ledger. Send one, by"
                            + " Idempotency-Key or key= over HTTP."));
        }
        if (take.key() != null && !fixed.takesKeys()) {
            return Optional.of(new ProblemException(
                    ProblemType.KEY_REFUSED,
                    "The sequence " + known.name() + " is "
                            + known.kind()
                            + " and keeps no ledger, so it cannot promise the same numbers for the"
                            + " same key. Send no key."));
        }
        if (!fixed.isCounted() && take.count() > Snowflakes.MAX_COUNT) {
            return Optional.of(InvalidRequest.because(
                    "count", "must be from 1 to " + Snowflakes.MAX_COUNT + " where the guarantee is snowflake"));
        }
        return Optional.empty();
    }
}
