package dev.numera.core.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The problem {@code invalid-request} with the fields that it is about: it lists {@value #MAX_ERRORS} of them and
 * counts the rest, and shows the beginning of a long name.
 */
public final class InvalidRequest {
    private static final int MAX_ERRORS = 20;
    private static final String ERRORS = "errors";
    private static final String FIELD = "field";
    private static final String REASON = "reason";

    private final List<Map<String, String>> errors = new ArrayList<>();
    private int count;

    /**
     * The problem of one field.
     *
     * @param reason reads on after the field's name, without a full stop, as in "must be a number"
     */
    public static ProblemException because(String field, String reason) {
        return new InvalidRequest().add(field, reason).toProblem("");
    }

    /** The same problem of the field by which the caller named the value. */
    public static ProblemException renamed(ProblemException invalid, String field) {
        InvalidRequest renamed = new InvalidRequest();
        for (Object error : (List<?>) Objects.requireNonNull(invalid.members().get(ERRORS))) {
            renamed.add(field, String.valueOf(((Map<?, ?>) error).get(REASON)));
        }
        return renamed.toProblem("");
    }

    public InvalidRequest add(String field, String reason) {
        count++;
        if (count <= MAX_ERRORS) {
            errors.add(Map.of(FIELD, Excerpt.of(field), REASON, reason));
        }
        return this;
    }

    /** Adds the fields that another problem of this kind is about. */
    public InvalidRequest addAll(ProblemException invalid) {
        for (Object error : (List<?>) Objects.requireNonNull(invalid.members().get(ERRORS))) {
            Map<?, ?> entry = (Map<?, ?>) error;
            add(String.valueOf(entry.get(FIELD)), String.valueOf(entry.get(REASON)));
        }
        return this;
    }

    /** @throws ProblemException if no more errors are listed, though there may be more than were added */
    public void throwIfFull() {
        if (count >= MAX_ERRORS) {
            throw toProblem("at least ");
        }
    }

    /** @throws ProblemException if there were any errors */
    public void throwIfAny() {
        if (!errors.isEmpty()) {
            throw toProblem("");
        }
    }

    private ProblemException toProblem(String atLeast) {
        Map<String, String> first = errors.get(0);
        String more = count == 1 ? "" : " (and " + atLeast + (count - 1) + " more)";
        return new ProblemException(
                ProblemType.INVALID_REQUEST,
                first.get(FIELD) + " " + first.get(REASON) + more + ".",
                Map.of(ERRORS, List.copyOf(errors)));
    }
}
