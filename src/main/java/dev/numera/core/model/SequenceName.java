package dev.numera.core.model;

import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The name of a sequence: a scope (tenant, app or customer) and a name within it, both case-sensitive. The scope
 * {@value #TEMPLATES} is used for every scope without a definition of its own.
 */
public record SequenceName(String scope, String name) implements Comparable<SequenceName> {
    public static final String TEMPLATES = "~";
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._~-]{0,62}");

    /**
     * Checks the scope and the name.
     *
     * @throws ProblemException {@code invalid-request} with the field
     */
    public SequenceName {
        if (!scope.equals(TEMPLATES)) {
            require("scope", scope);
        }
        require("name", name);
    }

    /**
     * Returns a scope, after it has been checked.
     *
     * @throws ProblemException {@code invalid-request} for field {@code scope}
     */
    public static String checkedScope(String scope) {
        return new SequenceName(scope, "any").scope();
    }

    /** Returns the name of the template, whose definition a new sequence of this name gets. */
    public SequenceName template() {
        return new SequenceName(TEMPLATES, name);
    }

    public boolean isTemplate() {
        return scope.equals(TEMPLATES);
    }

    /**
     * Refuses the name of a template.
     *
     * @throws ProblemException {@code invalid-request}
     */
    public void requireNoTemplate() {
        if (isTemplate()) {
            throw InvalidRequest.because("scope", "must not be ~: it holds templates, which allocate no numbers");
        }
    }

    /** Compares the texts of two names, scope first. */
    @Override
    public int compareTo(SequenceName other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return scope + "/" + name;
    }

    private static void require(String field, String value) {
        if (!PART.matcher(value).matches()) {
            String reason = "must be 1 to 63 characters of A-Z a-z 0-9 . _ ~ - and start with a letter or digit";
            throw new ProblemException(
                    ProblemType.INVALID_REQUEST,
                    "The " + field + " " + reason + ".",
                    Map.of("errors", List.of(Map.of("field", field, "reason", reason))));
        }
    }
}
