package dev.numera.functions.sequence;

import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Precondition;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The headers {@code If-Match} and {@code If-None-Match} (RFC 9110, section 13). */
public final class Preconditions {
    /**
     * Never goes back (the + after another sign), and begins only where the tag before ended: else blanks cost the
     * square of their number.
     */
    private static final Pattern TAG = Pattern.compile("\\G\\s*+((?:W/)?+\"[\\x21\\x23-\\x7e]*+\")\\s*+(?:,|\\z)");

    private Preconditions() {}

    /**
     * @throws ProblemException {@code precondition-required} without either header, {@code precondition-failed} with
     *     both, which RFC 9110 evaluates one after the other, {@code invalid-request}
     */
    static Precondition forPut(Map<String, String> headers) {
        Optional<Precondition> present = ifMatch(headers);
        Optional<Precondition> absent = ifNoneMatch(headers);
        requireOne(present, absent);
        return present.or(() -> absent)
                .orElseThrow(
                        () -> required("If-None-Match: * to create it, or its ETag as If-Match (or *) to replace it"));
    }

    /**
     * @throws ProblemException {@code precondition-required} without {@code If-Match}, {@code precondition-failed} with
     *     both, {@code invalid-request}
     */
    public static Precondition forChange(Map<String, String> headers) {
        Optional<Precondition> present = ifMatch(headers);
        requireOne(present, ifNoneMatch(headers));
        return present.orElseThrow(() -> required("its ETag as If-Match, or *"));
    }

    private static void requireOne(Optional<Precondition> present, Optional<Precondition> absent) {
        if (present.isPresent() && absent.isPresent()) {
            throw new ProblemException(
                    ProblemType.PRECONDITION_FAILED,
                    "No definition is there and not there at once. Send If-None-Match: *"
                            + " to create it, or If-Match to change it.");
        }
    }

    private static Optional<Precondition> ifNoneMatch(Map<String, String> headers) {
        String value = headers.get("if-none-match");
        if (value != null && !value.strip().equals("*")) {
            throw InvalidRequest.because("If-None-Match", "must be *");
        }
        return Optional.ofNullable(value).map(any -> Precondition.ABSENT);
    }

    private static Optional<Precondition> ifMatch(Map<String, String> headers) {
        return Optional.ofNullable(headers.get("if-match"))
                .map(value -> value.strip().equals("*") ? Precondition.PRESENT : Precondition.tagged(tags(value)));
    }

    private static ProblemException required(String whatToSend) {
        return new ProblemException(
                ProblemType.PRECONDITION_REQUIRED,
                "A definition is only changed on a condition, so that no change is lost. Send " + whatToSend + ".");
    }

    private static Set<String> tags(String value) {
        Set<String> tags = new TreeSet<>();
        Matcher tag = TAG.matcher(value);
        while (tag.find()) {
            tags.add(tag.group(1));
            if (tag.end() == value.length()) {
                return tags;
            }
        }
        throw InvalidRequest.because("If-Match", "must be * or entity tags in double quotes, separated by commas");
    }
}
