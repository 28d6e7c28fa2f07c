package dev.numera.sequences.numbering;

import dev.numera.core.counter.CounterEnvironment;
import dev.numera.core.counter.Forecast;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.SequenceCalls;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves counters without allocating numbers: advances and skips of owners and operators, imports, accepted gaps, and
 * the opening of counters that a restore lacks. Thread-safe; calls block for storage requests, at most for the deadline
 * of the limits, and fail with a {@link ProblemException}.
 */
public final class CounterMoves {
    private final SequenceCalls calls;
    private final CounterReader reader;
    private final CounterRegistry counters;
    private final DateLimits dates;
    private final CounterEnvironment environment;
    private final Clock time;

    public CounterMoves(
            SequenceCalls calls,
            CounterReader reader,
            CounterRegistry counters,
            DateLimits dates,
            CounterEnvironment environment) {
        this.calls = calls;
        this.reader = reader;
        this.counters = counters;
        this.dates = dates;
        this.environment = environment;
        this.time = environment.time();
    }

    /**
     * Moves the next number to the first one at or beyond this in the increment's direction, never back.
     *
     * @param date chooses the period; null for today
     * @param note is kept with the change; its reason, too, with the numbers that are passed over
     */
    public Change.Move advance(SequenceName name, long nextAtLeast, @Nullable LocalDate date, ChangeNote note) {
        note.requireReason();
        CounterRequest.Advance requested = new CounterRequest.Advance(nextAtLeast, note);
        name.requireNoTemplate();
        return calls.at(
                name,
                call -> call.byPresent(call.counted(), known -> {
                    known.requireCounted();
                    Instant now = time.now();
                    NumberRequest dated =
                            new NumberRequest(null, 1, date).on(known.fixed().day(now));
                    dates.refusal(known, dated, () -> reader.isOpening(call, known, known.counter(dated.day())))
                            .ifPresent(problem -> {
                                throw problem;
                            });
                    CounterId id = known.counter(dated.day());
                    return openIfMissing(known, id, call, () -> move(known, id, requested, call.deadline()));
                }));
    }

    /**
     * Accepts numbers that an import left out: from then on they are advanced over.
     *
     * @param date chooses the period; null for today
     * @throws ProblemException {@code invalid-request} for numbers that no import passed over; {@code number-taken}
     *     where one of them was imported since
     */
    public CounterOutcome.Accepted accept(
            SequenceName name, @Nullable LocalDate date, CounterRequest.Accept requested) {
        name.requireNoTemplate();
        return calls.at(
                name,
                call -> call.byPresent(call.recorded(), known -> {
                    CounterId id = known.counter(known.fixed().day(date, time.now()));
                    if (reader.isOpening(call, known, id)) {
                        throw InvalidRequest.because(
                                "first", "must be a number that an import left out: the period has no numbers yet");
                    }
                    CallResult<CounterOutcome> result =
                            counters.counter(known, id).call(List.of(requested), call.deadline());
                    return (CounterOutcome.Accepted) result.only();
                }));
    }

    public Change.Move skip(SequenceName name, String period, CounterRequest.Skip requested) {
        return calls.at(
                name,
                call -> call.byPresent(
                        call.definition(),
                        known -> move(known, new CounterId(name, period), requested, call.deadline())));
    }

    /**
     * Puts the first of these numbers into a ledger: at most as many as one write reaches, so that other callers get
     * their turn before the rest.
     *
     * @param requests at least one, of one period, in the order of the series
     * @return an answer for each of the first ones; from one of them on an {@link DefinitionChangedException} where the
     *     definition is another one now, or why the service failed
     */
    public List<Result<CounterOutcome>> importNumbers(
            Sequence known, List<CounterRequest.Import> requests, SequenceCalls.SequenceCall call) {
        CounterId id = counterId(known, requests);
        List<CounterRequest.Import> first = requests.subList(0, Math.min(requests.size(), Transaction.MAX_IMPORTED));
        CallResult<CounterOutcome> result = counters.counter(known, id).call(first, calls.deadline());
        if (result.isOutdated()) {
            openIfRestored(known, id, call);
        }
        return result.results();
    }

    /**
     * What {@link #importNumbers} would answer now for all of these numbers; writes nothing. Has a deadline of its own,
     * too.
     *
     * @throws DefinitionChangedException the definition is another one now
     */
    public List<Result<CounterOutcome>> dryRun(Sequence known, List<CounterRequest.Import> requests) {
        CounterId id = counterId(known, requests);
        Deadline deadline = calls.deadline();
        return deadline.limit(() -> Forecast.dryRun(
                environment, id, calls.retry(deadline, () -> reader.read(known, id)), known, requests, deadline));
    }

    /** Makes a call of a counter; where that is missing since a restore, opens it before the call is made again. */
    <T> T openIfMissing(Sequence known, CounterId id, SequenceCalls.SequenceCall visit, Supplier<T> call) {
        try {
            return call.get();
        } catch (DefinitionChangedException e) {
            openIfRestored(known, id, visit);
            throw e;
        }
    }

    private static CounterId counterId(Sequence known, List<CounterRequest.Import> requests) {
        return new CounterId(known.name(), requests.get(0).number().period());
    }

    private void openIfRestored(Sequence known, CounterId id, SequenceCalls.SequenceCall call) {
        long margin = known.restoreMargin();
        if (margin > 0 && reader.isOpening(call, known, id)) {
            move(known, id, CounterRequest.Skip.opening(margin), call.deadline());
        }
    }

    private Change.Move move(Sequence known, CounterId id, CounterRequest request, Deadline deadline) {
        CallResult<CounterOutcome> moved = counters.counter(known, id).call(List.of(request), deadline);
        if (moved.isOutdated() || !moved.results().get(0).isRefused()) {
            counters.discardBlocks(id.sequence());
        }
        return (Change.Move) moved.only();
    }
}
