package dev.numera.sequences.definition;

import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.LongestText;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.snowflake.Snowflakes;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.SequenceCalls;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The states of sequences, of one period or of all of them, and the numbers that they would allocate next. Consumes
 * nothing. Thread-safe; calls block for storage requests, and fail with a {@link ProblemException}.
 */
public final class StateReader {
    private static final int PREVIEWED_NUMBERS = 3;

    private final SequenceCalls calls;
    private final CounterReader reader;
    private final DateLimits dates;
    private final Clock time;

    public StateReader(SequenceCalls calls, CounterReader reader, DateLimits dates, Clock time) {
        this.calls = calls;
        this.reader = reader;
        this.dates = dates;
        this.time = time;
    }

    /**
     * Returns the state of a sequence in the period of a date. Consumes nothing.
     *
     * @param date null for today
     * @throws ProblemException {@code unknown-sequence}, {@code storage-unavailable}; {@code not-for-guarantee} if the
     *     sequence has no counter
     */
    public SequenceState state(SequenceName name, @Nullable LocalDate date) {
        return calls.at(name, call -> {
            Sequence known = call.counted();
            return call.retry(() -> state(known, date));
        });
    }

    /**
     * Returns the state of a sequence in the period of a date, by a known definition. Sends one read and does not retry
     * it.
     *
     * @throws ProblemException also for temporary failures of storage
     */
    public SequenceState state(Sequence known, @Nullable LocalDate date) {
        NumberRequest next = request(known, date);
        CounterId id = known.counter(next.day());
        Optional<CounterState> counter = counterState(known, id);
        Result<NumberRequest> dated = dated(known, counter, next);
        Optional<String> nextText = known.name().isTemplate() || dated.isRefused()
                ? Optional.empty()
                : nextNumbers(known, counter, 1).stream()
                        .findFirst()
                        .map(number -> text(known, dated.orThrow().day(), number));
        return SequenceState.of(known, id.period(), counter, nextText.orElse(null));
    }

    /** @param date the requested date; null for today */
    private NumberRequest request(Sequence known, @Nullable LocalDate date) {
        return new NumberRequest(null, 1, date).on(known.fixed().day(time.now()));
    }

    private Result<NumberRequest> dated(Sequence known, Optional<CounterState> counter, NumberRequest next) {
        return dates.dated(
                known,
                next,
                counter::isEmpty,
                counter.map(CounterState::lastDate).orElse(null),
                time.now());
    }

    private Optional<CounterState> counterState(Sequence known, CounterId id) {
        return reader.read(known, id).map(Versioned::value);
    }

    /**
     * Returns the states of all counters by period, in the order of periods, without the texts of the next numbers. A
     * sequence that is never reset has one counter, with an empty period. A sequence without numbers has no counter. A
     * counter that cannot be read is a problem in its own entry.
     *
     * @param firstPeriod where the page starts; empty for the first page
     * @param limit 1 to 1,000
     * @return with the period at which the next page starts
     * @throws ProblemException {@code unknown-sequence}; {@code rolled-back} if the counters were lost;
     *     {@code not-for-guarantee} if the sequence has no counters
     */
    public Page<Map.Entry<String, Result<SequenceState>>, String> periods(
            SequenceName name, String firstPeriod, int limit) {
        return calls.at(name, call -> {
            Sequence known = call.counted();
            NavigableMap<String, Result<CounterState>> counters = reader.from(call, known, firstPeriod, limit + 1);
            String next = counters.size() > limit ? counters.lastKey() : null;
            return new Page<>(
                    (next == null ? counters : counters.headMap(next))
                            .entrySet().stream()
                                    .map(counter -> Map.entry(
                                            counter.getKey(),
                                            counter.getValue()
                                                    .map(state -> SequenceState.of(
                                                            known, counter.getKey(), Optional.of(state), null))))
                                    .toList(),
                    next);
        });
    }

    /** Returns the text of a number in the current format; null if the sequence has no format. */
    private static @Nullable String text(Sequence known, LocalDate date, long number) {
        return known.texts().text(known.formatRevision(), date, number);
    }

    /** Returns the next numbers: at most {@code atMost}, fewer at the end of the range. */
    private static List<Long> nextNumbers(Sequence known, Optional<CounterState> counter, int atMost) {
        List<Long> numbers = new ArrayList<>();
        OptionalLong number = known.series().first(known.next(counter), 1);
        while (number.isPresent() && numbers.size() < atMost) {
            numbers.add(number.getAsLong());
            number = known.series().first(number.getAsLong() + known.fixed().increment(), 1);
        }
        return numbers;
    }

    /**
     * Previews the next numbers of a definition, from the current state of the sequence.
     *
     * @param date null for today
     * @throws ProblemException {@code rolled-back}, or {@code invalid-request} for a date that gets no numbers
     */
    Preview preview(Sequence known, @Nullable LocalDate date) {
        NumberRequest next = request(known, date);
        Optional<CounterState> counter = known.isInUse() && known.fixed().isCounted()
                ? counterState(known, known.counter(next.day()))
                : Optional.empty();
        Result<NumberRequest> dated = dated(known, counter, next);
        if (dated.isRefused()) {
            throw refusalOfPreview(dated.refusal());
        }
        LocalDate day = dated.orThrow().day();
        List<Long> numbers = known.fixed().isCounted()
                ? nextNumbers(known, counter, PREVIEWED_NUMBERS)
                : Snowflakes.samples(time.now(), PREVIEWED_NUMBERS);
        Optional<LongestText> length = LongestText.of(known.name(), known.definition(), day);
        return new Preview(
                numbers,
                length.isEmpty() || numbers.isEmpty()
                        ? null
                        : numbers.stream()
                                .map(number -> text(known, day, number))
                                .toList(),
                length.map(LongestText::longest).orElse(null));
    }

    /**
     * Returns the refusal for a preview. A preview allocates nothing, so a date before the last one is reported like
     * any other invalid date.
     */
    private static ProblemException refusalOfPreview(ProblemException refusal) {
        return refusal.type() == ProblemType.DATE_ORDER
                ? InvalidRequest.because(
                        "date", "must not be before the last date used: the sequence allocates numbers in their order")
                : refusal;
    }
}
