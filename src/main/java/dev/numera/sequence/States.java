package dev.numera.sequence;

import dev.numera.counter.CounterStore;
import dev.numera.counter.Waiters;
import dev.numera.execution.Timekeeper;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.KnownDefinition;
import dev.numera.model.SequenceName;
import dev.numera.model.TextLength;
import dev.numera.model.Versioned;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.snowflake.Snowflakes;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** How far sequences are, and what they would give next. Consumes nothing. Thread-safe. */
public final class States {
    private static final int PREVIEWED_NUMBERS = 3;

    private final Definitions definitions;
    private final CounterStore store;
    private final Dates dates;
    private final Waiters waiters;
    private final Retries retries;
    private final Timekeeper time;

    States(
            Definitions definitions,
            CounterStore store,
            Dates dates,
            Waiters waiters,
            Retries retries,
            Timekeeper time) {
        this.definitions = definitions;
        this.store = store;
        this.dates = dates;
        this.waiters = waiters;
        this.retries = retries;
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
        CounterId id = dates.counterId(known, date);
        Optional<CounterState> counter = counterState(known, id);
        String nextText = known.name().isTemplate()
                ? null
                : nextNumbers(known, counter, dates.day(known, date), 1).stream()
                        .findFirst()
                        .map(NextNumber::text)
                        .orElse(null);
        return SequenceState.of(known, id.period(), counter, nextText);
    }

    private Optional<CounterState> counterState(KnownDefinition known, CounterId id) {
        return read(known, id).map(Versioned::state);
    }

    /**
     * A counter as it stands; empty before its first number.
     *
     * @throws ProblemException {@code rolled-back} where it is gone
     */
    Optional<Versioned> read(KnownDefinition known, CounterId id) {
        Optional<Versioned> counter = store.read(id);
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
            numbers.add(new NextNumber(number.getAsLong(), known.format().text(date, number.getAsLong())));
            number = known.series().first(number.getAsLong() + known.fixed().increment(), 1);
        }
        return numbers;
    }

    /**
     * What a definition would give, from where the sequence stands.
     *
     * @param date null for today
     * @throws ProblemException {@code rolled-back}, or {@code invalid-request} for a date that gets no numbers
     */
    Preview preview(KnownDefinition known, @Nullable LocalDate date) {
        dates.require(known, date);
        LocalDate day = dates.day(known, date);
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
        Optional<CounterState> counter =
                known.isInUse() ? counterState(known, dates.counterId(known, day)) : Optional.empty();
        return nextNumbers(known, counter, day, PREVIEWED_NUMBERS);
    }

    private List<NextNumber> sampled(KnownDefinition known, LocalDate day) {
        return Snowflakes.samples(time.now(), PREVIEWED_NUMBERS).stream()
                .map(number -> new NextNumber(number, known.format().text(day, number)))
                .toList();
    }
}
