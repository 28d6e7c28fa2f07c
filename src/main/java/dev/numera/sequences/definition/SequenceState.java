package dev.numera.sequences.definition;

import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a sequence in one period.
 *
 * @param period empty if the sequence is never reset
 * @param nextText the text of the next number; null if no number is left, the sequence has no format, the date gets no
 *     numbers, or all periods were read
 * @param allocated how many numbers were allocated; for a cached sequence, including those reserved for an instance
 * @param left how many can still be allocated, in this round of a cycle
 * @param used the share of the range that is used, from 0 to 1
 * @param lastDate the date of the last allocation; null without numbers, or if the dates have no order
 * @param firstAllocatedAt when the first number was allocated, which together with {@code allocated} shows the pace;
 *     null before the first number, or if an older version of this program allocated it
 * @param changedAt null before the first number
 * @param suspendedAt null unless suspended
 * @param retiredAt null unless retired
 */
public record SequenceState(
        SequenceName name,
        String period,
        long next,
        @Nullable String nextText,
        long allocated,
        long left,
        double used,
        @Nullable LocalDate lastDate,
        @Nullable Instant firstAllocatedAt,
        @Nullable Instant changedAt,
        @Nullable Instant suspendedAt,
        @Nullable Instant retiredAt) {
    /** @param counter empty before the first number */
    static SequenceState of(Sequence known, String period, Optional<CounterState> counter, @Nullable String nextText) {
        long next = known.next(counter);
        return new SequenceState(
                known.name(),
                period,
                next,
                nextText,
                counter.map(CounterState::allocated).orElse(0L),
                known.series().left(next),
                known.series().used(next),
                known.isDateOrdered() ? counter.map(CounterState::lastDate).orElse(null) : null,
                counter.map(CounterState::firstAllocatedAt).orElse(null),
                counter.map(CounterState::changedAt).orElse(null),
                known.suspension().since(),
                known.retiredAt());
    }
}
