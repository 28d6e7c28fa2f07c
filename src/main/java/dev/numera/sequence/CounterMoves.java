package dev.numera.sequence;

import dev.numera.counter.CounterEnvironment;
import dev.numera.counter.Forecast;
import dev.numera.counter.Transaction;
import dev.numera.execution.Clock;
import dev.numera.execution.Deadline;
import dev.numera.model.Answers;
import dev.numera.model.Change;
import dev.numera.model.ChangeNote;
import dev.numera.model.CounterId;
import dev.numera.model.DateLimits;
import dev.numera.model.Outcome;
import dev.numera.model.OutdatedException;
import dev.numera.model.Request;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
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
    private final SequenceAccess access;
    private final CounterReader reader;
    private final Counters counters;
    private final DateLimits dates;
    private final CounterEnvironment surroundings;
    private final Clock time;

    CounterMoves(
            SequenceAccess access,
            CounterReader reader,
            Counters counters,
            DateLimits dates,
            CounterEnvironment surroundings) {
        this.access = access;
        this.reader = reader;
        this.counters = counters;
        this.dates = dates;
        this.surroundings = surroundings;
        this.time = surroundings.time();
    }

    /**
     * Moves the next number to the first one at or beyond this in the increment's direction, never back.
     *
     * @param date chooses the period; null for today
     * @param note is kept with the change; its reason, too, with the numbers that are passed over
     */
    public Change.Move advance(SequenceName name, long nextAtLeast, @Nullable LocalDate date, ChangeNote note) {
        note.requireReason();
        Request.Advance requested = new Request.Advance(nextAtLeast, note);
        name.requireNoTemplate();
        return access.at(
                name,
                visit -> visit.byPresent(visit.counted(), known -> {
                    known.requireCounted();
                    Instant now = time.now();
                    Take dated = new Take(null, 1, date).on(known.fixed().day(now));
                    dates.refusal(known, dated, () -> reader.isOpening(visit, known, known.counter(dated.day())))
                            .ifPresent(problem -> {
                                throw problem;
                            });
                    CounterId id = known.counter(dated.day());
                    return orOpen(known, id, visit, () -> move(known, id, requested, visit.deadline()));
                }));
    }

    /**
     * Accepts numbers that an import left out: from then on they are advanced over.
     *
     * @param date chooses the period; null for today
     * @throws ProblemException {@code invalid-request} for numbers that no import passed over; {@code number-taken}
     *     where one of them was imported since
     */
    Outcome.Accepted accept(SequenceName name, @Nullable LocalDate date, Request.Accept requested) {
        name.requireNoTemplate();
        return access.at(
                name,
                visit -> visit.byPresent(visit.recorded(), known -> {
                    CounterId id = known.counter(known.fixed().day(date, time.now()));
                    if (reader.isOpening(visit, known, id)) {
                        throw InvalidRequest.because(
                                "first", "must be a number that an import left out: the period has no numbers yet");
                    }
                    Answers<Outcome> answers = counters.counter(known, id).call(List.of(requested), visit.deadline());
                    return (Outcome.Accepted) answers.only();
                }));
    }

    Change.Move skip(SequenceName name, String period, Request.Skip requested) {
        return access.at(
                name,
                visit -> visit.byPresent(
                        visit.definition(),
                        known -> move(known, new CounterId(name, period), requested, visit.deadline())));
    }

    /**
     * Puts the first of these numbers into a ledger: at most as many as one write reaches, so that other callers get
     * their turn before the rest.
     *
     * @param requests at least one, of one period, in the order of the series
     * @return an answer for each of the first ones; from one of them on an {@link OutdatedException} where the
     *     definition is another one now, or why the service failed
     */
    List<Answer<Outcome>> bring(Sequence known, List<Request.Import> requests, SequenceAccess.Visit visit) {
        CounterId id = counterId(known, requests);
        List<Request.Import> first = requests.subList(0, Math.min(requests.size(), Transaction.MAX_IMPORTED));
        Answers<Outcome> answers = counters.counter(known, id).call(first, access.deadline());
        if (answers.isOutdated()) {
            openIfRestored(known, id, visit);
        }
        return answers.answers();
    }

    /**
     * What {@link #bring} would answer now for all of these numbers; writes nothing. Has a deadline of its own, too.
     *
     * @throws OutdatedException the definition is another one now
     */
    List<Answer<Outcome>> judge(Sequence known, List<Request.Import> requests) {
        CounterId id = counterId(known, requests);
        Deadline deadline = access.deadline();
        return deadline.limit(() -> Forecast.dryRun(
                surroundings, id, access.retry(deadline, () -> reader.read(known, id)), known, requests, deadline));
    }

    /** Makes a call of a counter; where that is missing since a restore, opens it before the call is made again. */
    <T> T orOpen(Sequence known, CounterId id, SequenceAccess.Visit visit, Supplier<T> call) {
        try {
            return call.get();
        } catch (OutdatedException e) {
            openIfRestored(known, id, visit);
            throw e;
        }
    }

    private static CounterId counterId(Sequence known, List<Request.Import> requests) {
        return new CounterId(known.name(), requests.get(0).number().period());
    }

    private void openIfRestored(Sequence known, CounterId id, SequenceAccess.Visit visit) {
        long margin = known.restoreMargin();
        if (margin > 0 && reader.isOpening(visit, known, id)) {
            move(known, id, Request.Skip.opening(margin), visit.deadline());
        }
    }

    private Change.Move move(Sequence known, CounterId id, Request request, Deadline deadline) {
        Answers<Outcome> moved = counters.counter(known, id).call(List.of(request), deadline);
        if (moved.isOutdated() || !moved.answers().get(0).isRefused()) {
            counters.discardBlocks(id.sequence());
        }
        return (Change.Move) moved.only();
    }
}
