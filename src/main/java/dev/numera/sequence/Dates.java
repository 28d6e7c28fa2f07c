package dev.numera.sequence;

import dev.numera.execution.Clock;
import dev.numera.model.DateLimits;
import dev.numera.model.Sequence;
import dev.numera.problem.ProblemException;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which day a call is for, in its sequence's time zone, and which days get no numbers. Immutable and thread-safe. */
final class Dates {
    private final Clock time;
    private final DateLimits limits;

    Dates(Clock time, DateLimits limits) {
        this.time = time;
        this.limits = limits;
    }

    DateLimits limits() {
        return limits;
    }

    /** Null is today. */
    LocalDate day(Sequence known, @Nullable LocalDate date) {
        return date != null ? date : known.fixed().day(time.now());
    }

    /** Why a date gets no new numbers: it is too far ahead, or two digits do not identify its year. */
    private Optional<ProblemException> problem(Sequence known, @Nullable LocalDate date) {
        return limits.tooLate(date, day(known, null))
                .or(() -> DateLimits.ofAnotherCentury(known, known.formatRevision(), day(known, date)));
    }

    void require(Sequence known, @Nullable LocalDate date) {
        problem(known, date).ifPresent(problem -> {
            throw problem;
        });
    }
}
