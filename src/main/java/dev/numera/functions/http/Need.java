package dev.numera.functions.http;

import com.microsoft.azure.functions.HttpRequestMessage;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rights of which a call needs one. Every function states its need before its input is parsed, so that a refusal
 * does not show whether a sequence exists. Immutable.
 *
 * @param anyOf one of these is enough; empty for a call that needs no key
 * @param scope the scope in which the right is needed, as the host decoded it from the path; null for another place
 */
public record Need(List<Right> anyOf, Place place, @Nullable String scope) {
    /** The place of the scope in which a right is needed. */
    enum Place {
        PATH,
        /** The parameter {@code scope}. Without it the call is about all scopes, and needs a right without a scope. */
        QUERY,
        /** The call has no scope, and needs a right without one. */
        NONE,
        /** A right in any scope is enough. */
        ANY
    }

    /** The need of a call that anyone may make, without a key. */
    public static final Need NOTHING = new Need(List.of(), Place.NONE, null);

    /** The need of a call for which any right is enough. */
    public static final Need ANY_RIGHT = new Need(List.of(Right.values()), Place.ANY, null);

    private static final String PARAMETER = "scope";

    /** Returns the need of a call on a sequence. */
    public static Need in(String scope, Right... anyOf) {
        return new Need(List.of(anyOf), Place.PATH, scope);
    }

    /** Returns the need of a call on the sequences of the scope in the parameter {@code scope}, or of all scopes. */
    public static Need inQuery(Right right) {
        return new Need(List.of(right), Place.QUERY, null);
    }

    /** Returns the need of a call that belongs to no scope. */
    public static Need withoutScope(Right right) {
        return new Need(List.of(right), Place.NONE, null);
    }

    /**
     * Refuses a call without one of the rights. A call without the header has all of them, unless the header is
     * required.
     *
     * @throws ProblemException {@code rights-missing}; {@code invalid-request} for a wrong header, and for a scope that
     *     no sequence can have
     */
    void require(HttpRequestMessage<?> request, RequestHeaders headers) {
        if (anyOf.isEmpty()) {
            return;
        }
        Rights rights = headers.rights();
        if (rights == null && !headers.isVouched()) {
            return;
        }
        Rights known = rights == null ? Rights.NONE : rights;
        String asked = place == Place.QUERY ? Query.only(request, PARAMETER) : scope;
        if (place == Place.ANY
                ? known.grants().isEmpty()
                : anyOf.stream().noneMatch(right -> known.opens(right, asked))) {
            throw refused(asked, known, rights == null);
        }
    }

    private ProblemException refused(@Nullable String asked, Rights rights, boolean isWithoutHeader) {
        String checked = asked == null ? null : SequenceName.checkedScope(asked);
        List<String> needs = anyOf.stream()
                .flatMap(right ->
                        checked == null ? Stream.of(right.in(null)) : Stream.of(right.in(checked), right.in(null)))
                .toList();
        List<String> has = rights.words();
        RefusedCalls.OF_THE_PROCESS.count(needs, has);
        return new ProblemException(
                ProblemType.RIGHTS_MISSING,
                (isWithoutHeader
                                ? "The setting Numera_Rights requires the header Numera-Rights, which is missing."
                                : "The header Numera-Rights lacks the right to this call.")
                        + " One of these is enough: " + String.join(", ", needs) + "."
                        + (place == Place.QUERY && asked == null
                                ? " With the parameter scope= a right in that scope is enough."
                                : ""),
                Map.of("needs", needs, "has", has));
    }
}
