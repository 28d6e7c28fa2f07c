package dev.numera.sequences.numbering;

import dev.numera.core.counter.CounterEnvironment;
import dev.numera.core.counter.Forecast;
import dev.numera.core.counter.Transaction;
import dev.numera.core.counter.WriteLimits;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.core.snowflake.Snowflakes;
import dev.numera.sequences.access.AllocationPrinter;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.DefinitionCache;
import dev.numera.sequences.access.DefinitionCreation;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.access.SequenceCalls;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Allocates numbers: finds or creates the definition of the sequence, and calls the counter of the period.
 *
 * <p>Thread-safe. Use one instance for each process: only calls to the same instance share writes. Calls block at most
 * for the deadline of the limits, plus one request timeout if the texts of allocated numbers need a newer definition.
 */
public final class Allocator {
    private final SequenceCalls calls;
    private final DefinitionCache definitions;
    private final DefinitionCreation creation;
    private final DateLimits dates;
    private final CounterRegistry counters;
    private final KeyNormalization keys;
    private final AllocationPrinter formatter;
    private final CounterReader reader;
    private final CounterEnvironment environment;
    private final CounterMoves moves;
    private final NumbersInMemory inMemory;
    private final Telemetry telemetry;
    private final Alarms alarms;

    public Allocator(
            SequenceCalls calls,
            DefinitionCache definitions,
            DefinitionCreation creation,
            DateLimits dates,
            CounterRegistry counters,
            KeyNormalization keys,
            AllocationPrinter formatter,
            CounterReader reader,
            CounterEnvironment environment,
            CounterMoves moves,
            NumbersInMemory inMemory,
            Telemetry telemetry) {
        this.calls = calls;
        this.definitions = definitions;
        this.creation = creation;
        this.dates = dates;
        this.counters = counters;
        this.keys = keys;
        this.formatter = formatter;
        this.reader = reader;
        this.environment = environment;
        this.moves = moves;
        this.inMemory = inMemory;
        this.telemetry = telemetry;
        this.alarms = new Alarms(environment.time());
    }

    /**
     * Allocates numbers for the first of these requests, in order: as many as belong to one period and fit one write.
     *
     * @param requests at least one
     * @return an answer to each of the first requests, at least one
     * @throws ProblemException a problem of the whole call; a problem of one request is in its answer
     */
    public CallResult<PrintedAllocation> next(SequenceName name, List<NumberRequest> requests) {
        return next(name, requests, environment.time().now());
    }

    /**
     * Like {@link #next(SequenceName, List)}, for one request whose answer is written at once.
     *
     * @param share reserves the answer's characters before a number is allocated, and more if a known key has a longer
     *     answer
     * @throws ProblemException as in {@link #next(SequenceName, List)}; {@code overloaded} if the share cannot hold the
     *     answer
     */
    public CallResult<PrintedAllocation> nextWithin(
            SequenceName name, NumberRequest request, CharacterBudget.Share share) {
        return next(name, List.of(request), environment.time().now(), share);
    }

    /**
     * Like {@link #next(SequenceName, List)}, for requests that were sent earlier.
     *
     * @param sentAt chooses the date of requests without one
     */
    public CallResult<PrintedAllocation> next(SequenceName name, List<NumberRequest> requests, Instant sentAt) {
        return next(name, requests, sentAt, null);
    }

    private CallResult<PrintedAllocation> next(
            SequenceName name, List<NumberRequest> requests, Instant sentAt, CharacterBudget.@Nullable Share share) {
        name.requireNoTemplate();
        return alarms.watch(
                name,
                () -> calls.at(name, call -> {
                    Set<String> own = new HashSet<>();
                    DefinitionCreation.Found found = call.retry(
                            () -> creation.getOrCreate(name, own, created -> requireAllowed(created, requests)));
                    return telemetry.allocation(
                            found.definition().fixed().guarantee(),
                            () -> call.byPresent(
                                    found.definition(),
                                    known -> next(known, requests, sentAt, found.isNew(), call, share)));
                }));
    }

    private CallResult<PrintedAllocation> next(
            Sequence known,
            List<NumberRequest> requests,
            Instant sentAt,
            boolean isNew,
            SequenceCalls.SequenceCall call,
            CharacterBudget.@Nullable Share share) {
        Sequence agreed = definitionAllowingInNfc(known, requests, call);
        if (share != null) {
            share.holdAtLeast(PrintedAllocation.characters(agreed, requests));
        }
        List<NumberRequest> onDay = onDayOf(sentAt, agreed, requests);
        Result<CounterId> first = counter(agreed, onDay.get(0));
        if (first.isRefused()) {
            return new CallResult<>(List.of(Result.refused(first.refusal())), isNew, 0, 0);
        }
        CounterId id = first.orThrow();
        List<NumberRequest> dated = oneWrite(agreed, id, onDay);
        FixedFields fixed = agreed.fixed();
        if (fixed.guarantee() == Guarantee.CACHED) {
            return inMemory.fromBlocks(agreed, id, dated, isNew, call);
        }
        if (!fixed.isCounted()) {
            return inMemory.fromLease(agreed, id, dated, isNew, call);
        }
        CallResult<CounterOutcome> result = moves.openIfMissing(agreed, id, call, () -> counters.counter(agreed, id)
                .call(dated, call.deadline())
                .requireUpToDate());
        List<Result<PrintedAllocation>> printed = printed(agreed, dated, result.results(), share);
        return new CallResult<>(printed, isNew, result.attempts(), result.storageNanos());
    }

    /**
     * Ensures NFC before a request stores a key with several forms, and checks the request again then, because the
     * definition may have been replaced meanwhile. Skips stopped sequences: they store no key.
     */
    private Sequence definitionAllowingInNfc(
            Sequence known, List<NumberRequest> requests, SequenceCalls.SequenceCall call) {
        Sequence agreed = definitionAllowing(known, requests, call);
        return agreed.isStopped() || !hasKeyForms(requests)
                ? agreed
                : definitionAllowing(keys.ensured(call, agreed), requests, call);
    }

    private static boolean hasKeyForms(List<NumberRequest> requests) {
        for (NumberRequest request : requests) {
            if (request.hasKeyForms()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a definition that allows the requests. Reads the definition again before it refuses a request, because
     * the cached one may be outdated.
     */
    private Sequence definitionAllowing(Sequence known, List<NumberRequest> requests, SequenceCalls.SequenceCall call) {
        for (NumberRequest request : requests) {
            if (takeProblem(known, request).isPresent()) {
                Sequence present = call.reloaded();
                requireAllowed(present, requests);
                return present;
            }
        }
        return known;
    }

    private static void requireAllowed(Sequence known, List<NumberRequest> requests) {
        for (NumberRequest request : requests) {
            takeProblem(known, request).ifPresent(problem -> {
                throw problem;
            });
        }
    }

    /**
     * Returns the answers that {@link #next(SequenceName, List, Instant)} would return now. Allocates, reserves and
     * creates nothing.
     *
     * @param requests at least one, each with a key
     * @throws ProblemException a problem that would concern the whole call
     */
    public List<Result<PrintedAllocation>> preview(SequenceName name, List<NumberRequest> requests, Instant sentAt) {
        name.requireNoTemplate();
        return calls.at(name, call -> call.retry(() -> foreseen(creation.foreseen(name), requests, sentAt, call)));
    }

    private List<Result<PrintedAllocation>> foreseen(
            Sequence known, List<NumberRequest> requests, Instant sentAt, SequenceCalls.SequenceCall call) {
        requireAllowed(known, requests);
        List<NumberRequest> onDay = onDayOf(sentAt, known, requests);
        Result<CounterId> first = counter(known, onDay.get(0));
        if (first.isRefused()) {
            return List.of(Result.refused(first.refusal()));
        }
        CounterId id = first.orThrow();
        List<NumberRequest> dated = oneWrite(known, id, onDay);
        return printed(
                known,
                dated,
                Forecast.preview(environment, id, reader.read(known, id), known, dated, dates, call.deadline()),
                null);
    }

    /** Returns as many requests as one call may number, each as accepted at that time. */
    private static List<NumberRequest> onDayOf(Instant sentAt, Sequence known, List<NumberRequest> requests) {
        LocalDate today = known.fixed().day(sentAt);
        List<NumberRequest> dated = new ArrayList<>();
        for (NumberRequest request : requests.subList(0, Math.min(requests.size(), WriteLimits.KEYS))) {
            dated.add(request.on(today));
        }
        return dated;
    }

    /**
     * Returns the counter of the request's period. A date that no period can have is a problem of this request only.
     */
    private static Result<CounterId> counter(Sequence known, NumberRequest dated) {
        return Result.unlessTrouble(() -> known.counter(dated.day()));
    }

    /**
     * Returns the first requests that belong to one counter and fit one write.
     *
     * @param id the counter of the first request
     * @param requests each with its day
     */
    private static List<NumberRequest> oneWrite(Sequence known, CounterId id, List<NumberRequest> requests) {
        if (requests.size() == 1) {
            return requests;
        }
        List<NumberRequest> ofPeriod = requests.stream()
                .takeWhile(request -> counter(known, request).equals(Result.of(id)))
                .toList();
        return ofPeriod.subList(0, Transaction.countThatFits(ofPeriod));
    }

    /** @param results the answers to the first requests */
    private List<Result<PrintedAllocation>> printed(
            Sequence known,
            List<NumberRequest> requests,
            List<Result<CounterOutcome>> results,
            CharacterBudget.@Nullable Share share) {
        List<Result<PrintedAllocation>> printed = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            printed.add(printed(known, requests.get(i), results.get(i), share));
        }
        return printed;
    }

    /** Returns the answer with the key as the caller sent it, regardless of the form that the ledger contains. */
    private Result<PrintedAllocation> printed(
            Sequence known,
            NumberRequest request,
            Result<CounterOutcome> result,
            CharacterBudget.@Nullable Share share) {
        return formatter
                .ofAnswer(known, result)
                .map(printed -> held(printed.underKey(request.keyAsSent()), share))
                .unless(printed -> KeyVoidException.of(known.name(), printed));
    }

    /**
     * Enlarges the share for replayed numbers: their texts may be longer than new texts, for which the share already
     * has room.
     */
    private static PrintedAllocation held(PrintedAllocation printed, CharacterBudget.@Nullable Share share) {
        if (share != null && printed.replayed()) {
            share.holdAtLeast(printed.characters());
        }
        return printed;
    }

    /** Returns a sequence as it is, or as its first number would create it; empty if there would be none. */
    public Optional<Sequence> foreseen(SequenceName name) {
        return Optional.ofNullable(
                Result.unlessTrouble(() -> calls.at(name, call -> call.retry(() -> creation.foreseen(name))))
                        .value());
    }

    /** Returns the refusal of a suspended sequence; empty if the sequence is not suspended or is unknown. */
    public Optional<ProblemException> suspension(SequenceName name) {
        return calls.at(name, call -> call.retry(() -> definitions.suspension(name)));
    }

    private static Optional<ProblemException> takeProblem(Sequence known, NumberRequest request) {
        FixedFields fixed = known.fixed();
        String key = request.key();
        if (key == null && known.definition().requiresKeys()) {
            return Optional.of(new ProblemException(
                    ProblemType.KEY_REQUIRED,
                    "The sequence " + known.name()
                            + (fixed.guarantee() == Guarantee.GAPLESS
                                    ? " is gapless: every allocation needs a key, for its place in the ledger."
                                    : " requires keys: every allocation needs a key, so that a retry gets the same"
                                            + " numbers.")
                            + " Send one, by Idempotency-Key or key= over HTTP."));
        }
        if (key != null && !fixed.takesKeys()) {
            return Optional.of(new ProblemException(
                    ProblemType.KEY_REFUSED,
                    "The sequence " + known.name() + " is "
                            + known.kind()
                            + " and keeps no ledger, so it cannot promise the same numbers for the"
                            + " same key. Send no key."));
        }
        if (!fixed.isCounted() && request.count() > Snowflakes.MAX_COUNT) {
            return Optional.of(InvalidRequest.because(
                    "count", "must be from 1 to " + Snowflakes.MAX_COUNT + " where the guarantee is snowflake"));
        }
        return Optional.empty();
    }
}
