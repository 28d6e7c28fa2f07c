package dev.numera.sequences.numbering;

import dev.numera.core.counter.CounterEnvironment;
import dev.numera.core.counter.Forecast;
import dev.numera.core.counter.WriteLimits;
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
 * Moves counters without allocating numbers: makes the advances and skips of owners and operators, imports numbers,
 * accepts gaps, and opens counters that are missing after a restore. Thread-safe; calls block for storage requests, at
 * most for the deadline of the limits, and fail with a {@link ProblemException}.
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
     * Moves the next number forward to the first number of the series at or beyond {@code nextAtLeast}. Never moves it
     * back.
     *
     * @param date chooses the period; null for today
     * @param note is stored with the change; its reason is also stored with the numbers that are passed over
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
     * Accepts numbers that an import left out. From then on they count as advanced over.
     *
     * @param date chooses the period; null for today
     * @throws ProblemException {@code invalid-request} for numbers that no import left out; {@code number-taken} if one
     *     of the numbers was imported since
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
     * Imports the first of these numbers into the ledger: at most as many as fit one write, so that other callers get
     * their turn before the rest.
     *
     * @param requests at least one, of one period, in the order of the series
     * @return an answer for each of the first requests; the last ones may be a {@link DefinitionChangedException} if
     *     the definition has changed, or the failure of the service
     */
    public List<Result<CounterOutcome>> importNumbers(
            Sequence known, List<CounterRequest.Import> requests, SequenceCalls.SequenceCall call) {
        CounterId id = counterId(known, requests);
        List<CounterRequest.Import> first = requests.subList(0, Math.min(requests.size(), WriteLimits.IMPORTED));
        CallResult<CounterOutcome> result = counters.counter(known, id).call(first, calls.deadline());
        if (result.isOutdated()) {
            openIfRestored(known, id, call);
        }
        return result.results();
    }

    /**
     * Returns the answers that {@link #importNumbers} would return now for all of these numbers. Writes nothing. Has
     * its own deadline, like an import.
     *
     * @throws DefinitionChangedException if the definition has changed
     */
    public List<Result<CounterOutcome>> dryRun(Sequence known, List<CounterRequest.Import> requests) {
        CounterId id = counterId(known, requests);
        Deadline deadline = calls.deadline();
        return deadline.limit(() -> Forecast.dryRun(
                environment, id, calls.retry(deadline, () -> reader.read(known, id)), known, requests, deadline));
    }

    /**
     * Makes a call to a counter. If the counter is missing since a restore, opens it and throws
     * {@link DefinitionChangedException}, so that the caller repeats the call.
     */
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
        if (known.restoreMargin() > 0 && reader.isOpening(call, known, id)) {
            move(known, id, CounterRequest.Skip.opening(), call.deadline());
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
