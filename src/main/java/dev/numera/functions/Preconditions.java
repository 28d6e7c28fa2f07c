package dev.numera.functions;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.InvalidRequest;
import dev.numera.sequence.Precondition;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The headers {@code If-Match} and {@code If-None-Match} (RFC 9110, section 13). */
final class Preconditions {
    private static final Pattern TAG = Pattern.compile("\\s*((?:W/)?\"[\\x21\\x23-\\x7e]*\")\\s*(?:,|$)");

    private Preconditions() {}

    /** @throws ProblemException {@code precondition-required} without either header, {@code invalid-request} */
    static Precondition forPut(Map<String, String> headers) {
        String ifNoneMatch = headers.get("if-none-match");
        if (ifNoneMatch == null) {
            return ifMatch(headers, "If-None-Match: * to create it, or with its ETag as If-Match (or *) to replace it");
        }
        if (headers.get("if-match") != null) {
            throw InvalidRequest.because("If-None-Match", "must not stand beside If-Match");
        }
        if (!ifNoneMatch.strip().equals("*")) {
            throw InvalidRequest.because("If-None-Match", "must be *");
        }
        return new Precondition.Absent();
    }

    /** @throws ProblemException {@code precondition-required} without the header, {@code invalid-request} */
    static Precondition forDelete(Map<String, String> headers) {
        return ifMatch(headers, "its ETag as If-Match, or *");
    }

    private static Precondition ifMatch(Map<String, String> headers, String whatToSend) {
        String value = headers.get("if-match");
        if (value == null) {
            throw new ProblemException(ProblemType.PRECONDITION_REQUIRED,
                    "A definition is only changed on a condition, so that no change is lost. Send " + whatToSend + ".");
        }
        return value.strip().equals("*") ? new Precondition.Present() : new Precondition.Tagged(tags(value));
    }

    private static Set<String> tags(String value) {
        Set<String> tags = new TreeSet<>();
        Matcher tag = TAG.matcher(value);
        int end = 0;
        while (tag.find(end) && tag.start() == end) {
            tags.add(tag.group(1));
            end = tag.end();
            if (end == value.length()) {
                return tags;
            }
        }
        throw InvalidRequest.because("If-Match", "must be * or entity tags in double quotes, separated by commas");
    }
}
