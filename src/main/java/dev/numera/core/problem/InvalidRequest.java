package dev.numera.core.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Builder of the problem {@code invalid-request}, which lists the first {@value #MAX_ERRORS} invalid fields, counts the
 * rest, and shortens long names. Not thread-safe.
 */
public final class InvalidRequest {
    private static final int MAX_ERRORS = 20;
    private static final String ERRORS = "errors";
    private static final String FIELD = "field";
    private static final String REASON = "reason";

    private final List<Map<String, String>> errors = new ArrayList<>();
    private int count;

    /**
     * Returns the problem of one field.
     *
     * @param reason continues the sentence after the field's name, without a period, for example "must be a number"
     */
    public static ProblemException because(String field, String reason) {
        return new InvalidRequest().add(field, reason).toProblem("");
    }

    /** Returns the same problem with the field name that the caller used for the value. */
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

    /** Adds the fields of another problem of this type. */
    public InvalidRequest addAll(ProblemException invalid) {
        for (Object error : (List<?>) Objects.requireNonNull(invalid.members().get(ERRORS))) {
            Map<?, ?> entry = (Map<?, ?>) error;
            add(String.valueOf(entry.get(FIELD)), String.valueOf(entry.get(REASON)));
        }
        return this;
    }

    /** @throws ProblemException if the list is full; there may be more errors than were added */
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
