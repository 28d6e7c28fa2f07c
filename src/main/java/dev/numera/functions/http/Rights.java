package dev.numera.functions.http;

import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rights that the header {@code Numera-Rights} leaves to a call, such as {@code Numera.Read:Shop1
 * Numera.Allocate:eu-*}. The header can only take rights away from a key, so it needs no proof. Immutable.
 *
 * @param grants each right once, in the order of the header; words that are no right of this version grant nothing
 */
public record Rights(List<Grant> grants) {
    static final String HEADER = "Numera-Rights";
    /** The most characters of the header. */
    static final int MAX_CHARACTERS = 4_096;
    /** The most words of the header, other programs' words included. */
    static final int MAX_WORDS = 200;

    static final Rights NONE = new Rights(List.of());

    private static final String BLANKS = " \t";
    private static final String ANY_END = "*";
    /** The scope of the templates, one scope, or the start of scopes with a star. A star alone is refused. */
    private static final Pattern SCOPE =
            Pattern.compile("~|[A-Za-z0-9](?:[A-Za-z0-9._~-]{0,62}|[A-Za-z0-9._~-]{0,61}\\*)");

    /**
     * One right.
     *
     * @param scope the only scope; or, with a star at its end, the start of the only scopes; null for all scopes and
     *     for calls without one
     */
    record Grant(Right right, @Nullable String scope) {
        /** Whether the right opens a call that needs this right in this scope, or for null without a scope. */
        boolean opens(Right wanted, @Nullable String inScope) {
            return right == wanted && (scope == null || inScope != null && includes(scope, inScope));
        }

        private static boolean includes(String scope, String inScope) {
            return scope.endsWith(ANY_END)
                    ? inScope.startsWith(scope.substring(0, scope.length() - ANY_END.length()))
                    : scope.equals(inScope);
        }
    }

    /**
     * Reads the value of the header.
     *
     * @throws ProblemException {@code invalid-request} for more than {@value #MAX_CHARACTERS} characters or
     *     {@value #MAX_WORDS} words, for a comma, and for a right with a scope that cannot exist. The host joins
     *     repeated headers by commas, so a header that a caller adds to that of a gateway is refused, too
     */
    static Rights parse(String value) {
        if (value.length() > MAX_CHARACTERS) {
            throw InvalidRequest.because(HEADER, "must have at most " + MAX_CHARACTERS + " characters");
        }
        if (value.indexOf(',') >= 0) {
            throw InvalidRequest.because(HEADER, "must be sent once, with blanks between the rights and no comma");
        }
        StringTokenizer words = new StringTokenizer(value, BLANKS);
        if (words.countTokens() > MAX_WORDS) {
            throw InvalidRequest.because(HEADER, "must have at most " + MAX_WORDS + " rights");
        }
        Set<Grant> grants = new LinkedHashSet<>();
        while (words.hasMoreTokens()) {
            grant(words.nextToken()).ifPresent(grants::add);
        }
        return new Rights(List.copyOf(grants));
    }

    private static Optional<Grant> grant(String word) {
        int colon = word.indexOf(':');
        String scope = colon < 0 ? null : word.substring(colon + 1);
        return Right.find(colon < 0 ? word : word.substring(0, colon)).map(right -> {
            if (scope != null && !SCOPE.matcher(scope).matches()) {
                throw InvalidRequest.because(
                        HEADER,
                        "must have after a colon a scope, or the start of a scope and a star, unlike "
                                + Excerpt.of(word));
            }
            return new Grant(right, scope);
        });
    }

    boolean opens(Right wanted, @Nullable String scope) {
        return grants.stream().anyMatch(grant -> grant.opens(wanted, scope));
    }

    /** Returns the rights as the header writes them. */
    List<String> words() {
        return grants.stream().map(grant -> grant.right().in(grant.scope())).toList();
    }
}
