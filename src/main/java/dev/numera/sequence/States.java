package dev.numera.sequence;

import dev.numera.execution.Clock;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.DateLimits;
import dev.numera.model.Page;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.model.TextLength;
import dev.numera.model.Versioned;
import dev.numera.problem.Answer;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.snowflake.Snowflakes;
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
public final class States {
    private static final int PREVIEWED_NUMBERS = 3;

    private final SequenceAccess access;
    private final CounterReader reader;
    private final DateLimits dates;
    private final Clock time;

    States(SequenceAccess access, CounterReader reader, DateLimits dates, Clock time) {
        this.access = access;
        this.reader = reader;
        this.dates = dates;
        this.time = time;
    }

    /**
     * How far a sequence is in the period of a date; consumes nothing.
     *
     * @param date null for today
     * @throws ProblemException {@code unknown-sequence}, {@code storage-unavailable}; {@code not-for-guarantee} where
     *     there is no counter
     */
    public SequenceState state(SequenceName name, @Nullable LocalDate date) {
        return access.at(name, visit -> {
            Sequence known = visit.counted();
            return visit.retry(() -> state(known, date));
        });
    }

    /**
     * As the other, by a definition; one read.
     *
     * @throws ProblemException also where the storage may answer the next time
     */
    SequenceState state(Sequence known, @Nullable LocalDate date) {
        Take next = request(known, date);
        CounterId id = known.counter(next.day());
        Optional<CounterState> counter = counterState(known, id);
        Answer<Take> dated = dated(known, counter, next);
        Optional<String> nextText = known.name().isTemplate() || dated.isRefused()
                ? Optional.empty()
                : nextNumbers(known, counter, 1).stream()
                        .findFirst()
                        .map(number -> text(known, dated.orThrow().day(), number));
        return SequenceState.of(known, id.period(), counter, nextText.orElse(null));
    }

    /** @param date that was chosen; null for today */
    private Take request(Sequence known, @Nullable LocalDate date) {
        return new Take(null, 1, date).on(known.fixed().day(time.now()));
    }

    private Answer<Take> dated(Sequence known, Optional<CounterState> counter, Take next) {
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
     * The states of all counters, by their periods and in the order of these, without the texts of their next numbers.
     * One without a period where the sequence is never reset, none before the first number. One that cannot be read is
     * a problem, the others stay good.
     *
     * @param firstPeriod where the page starts; empty for the first page
     * @param limit 1 to 1,000
     * @return with the period at which the next page starts
     * @throws ProblemException {@code unknown-sequence}; {@code rolled-back} where the counters were lost;
     *     {@code not-for-guarantee} where there are none
     */
    public Page<Map.Entry<String, Answer<SequenceState>>, String> periods(
            SequenceName name, String firstPeriod, int limit) {
        return access.at(name, visit -> {
            Sequence known = visit.counted();
            NavigableMap<String, Answer<CounterState>> counters = reader.from(visit, known, firstPeriod, limit + 1);
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

    /** As the present format writes it; null where numbers have no texts. */
    private static @Nullable String text(Sequence known, LocalDate date, long number) {
        return known.text(known.formatRevision(), date, number);
    }

    /** As many numbers as are left, but no more than requested. */
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
     * What a definition would allocate next, from the sequence's present state.
     *
     * @param date null for today
     * @throws ProblemException {@code rolled-back}, or {@code invalid-request} for a date that gets no numbers
     */
    Preview preview(Sequence known, @Nullable LocalDate date) {
        Take next = request(known, date);
        Optional<CounterState> counter = known.isInUse() && known.fixed().isCounted()
                ? counterState(known, known.counter(next.day()))
                : Optional.empty();
        Answer<Take> dated = dated(known, counter, next);
        if (dated.isRefused()) {
            throw refusalOfPreview(dated.refusal());
        }
        LocalDate day = dated.orThrow().day();
        List<Long> numbers = known.fixed().isCounted()
                ? nextNumbers(known, counter, PREVIEWED_NUMBERS)
                : Snowflakes.samples(time.now(), PREVIEWED_NUMBERS);
        Optional<TextLength> length = TextLength.of(known.name(), known.definition(), day);
        return new Preview(
                numbers,
                length.isEmpty() || numbers.isEmpty()
                        ? null
                        : numbers.stream()
                                .map(number -> text(known, day, number))
                                .toList(),
                length.map(TextLength::longest).orElse(null));
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
