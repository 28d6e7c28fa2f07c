package dev.numera.core.problem;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value, or the problem in its place: exactly one of the two is not null. A list of answers holds results, so that
 * one problem leaves the other answers valid. A method with a single answer throws its problem instead. Immutable.
 */
public record Result<T>(@Nullable T value, @Nullable ProblemException problem) {
    public static <T> Result<T> of(T value) {
        return new Result<>(value, null);
    }

    public static <T> Result<T> refused(ProblemException problem) {
        return new Result<>(null, problem);
    }

    /**
     * Returns the result of a call, or the problem that it throws.
     *
     * @throws ProblemException if the service failed, which is not an answer to the request
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
     * Returns the answers of a call for several requests. If the call throws a problem, returns that problem
     * {@code count} times.
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

    /** Returns the result with its value converted; a problem stays the same. */
    public <R> Result<R> map(Function<? super T, ? extends R> form) {
        return problem != null ? refused(problem) : of(form.apply(orThrow()));
    }

    /** Returns the refusal if the function finds a reason to refuse the value, and otherwise this result. */
    public Result<T> unless(Function<? super T, ? extends Optional<? extends ProblemException>> refusal) {
        return problem != null
                ? this
                : refusal.apply(orThrow()).<Result<T>>map(Result::refused).orElse(this);
    }

    /** @throws ProblemException if this result is a problem */
    public T orThrow() {
        if (problem != null) {
            throw problem;
        }
        return Objects.requireNonNull(value, "An answer without a problem has a value.");
    }

    /** @throws ProblemException if this result is a problem because the service failed */
    public void throwIfTrouble() {
        if (problem != null && problem.isTroubleOfTheService()) {
            throw problem;
        }
    }

    /** Returns the problem of a refused result. */
    public ProblemException refusal() {
        return Objects.requireNonNull(problem, "An answer with a value has no problem.");
    }
}
