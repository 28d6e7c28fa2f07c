package dev.numera.core.problem;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A result, or the problem in its place: exactly one of the two is not null. For answers of which some may be problems
 * and the others stay good; who has only one throws. Immutable.
 */
public record Result<T>(@Nullable T value, @Nullable ProblemException problem) {
    public static <T> Result<T> of(T value) {
        return new Result<>(value, null);
    }

    public static <T> Result<T> refused(ProblemException problem) {
        return new Result<>(null, problem);
    }

    /**
     * The result of a call, or the problem that it throws.
     *
     * @throws ProblemException the service failed: that is no answer
     */
    public static <T> Result<T> unlessTrouble(Supplier<T> call) {
        try {
            return of(call.get());
        } catch (ProblemException e) {
            Result<T> refused = refused(e);
            refused.throwIfTrouble();
            return refused;
        }
    }

    /**
     * The answers of a call for so many, or as often the problem that it throws.
     *
     * @throws ProblemException as for {@link #unlessTrouble}
     */
    public static <T> List<Result<T>> ofEach(int count, Supplier<List<Result<T>>> call) {
        Result<List<Result<T>>> answers = unlessTrouble(call);
        return answers.isRefused() ? Collections.nCopies(count, refused(answers.refusal())) : answers.orThrow();
    }

    public boolean isRefused() {
        return problem != null;
    }

    /** The value in another form; a problem stays what it is. */
    public <R> Result<R> map(Function<? super T, ? extends R> form) {
        return problem != null ? refused(problem) : of(form.apply(orThrow()));
    }

    /** The value refused, if there is a reason for that; a problem stays what it is. */
    public Result<T> unless(Function<? super T, ? extends Optional<? extends ProblemException>> refusal) {
        return problem != null
                ? this
                : refusal.apply(orThrow()).<Result<T>>map(Result::refused).orElse(this);
    }

    /** @throws ProblemException the problem, if it is one */
    public T orThrow() {
        if (problem != null) {
            throw problem;
        }
        return Objects.requireNonNull(value, "An answer without a problem has a value.");
    }

    /** @throws ProblemException the problem, if the service failed */
    public void throwIfTrouble() {
        if (problem != null && problem.isTroubleOfTheService()) {
            throw problem;
        }
    }

    /** The problem of one that is refused. */
    public ProblemException refusal() {
        return Objects.requireNonNull(problem, "An answer with a value has no problem.");
    }
}
