package dev.numera.functions.http;

import dev.numera.core.model.KeyForms;
import dev.numera.core.problem.Actor;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.sequences.definition.Precondition;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The headers with the caller's idempotency key, actor and conditions. Headers can only contain ASCII: a key in another
 * script is sent as a query parameter instead, and an actor is percent-encoded.
 *
 * <p>Methods throw a {@link ProblemException} {@code invalid-request} for an invalid key, actor or condition.
 * Immutable.
 *
 * @param byName all headers by their names in lower case, as the host passes them
 * @param isVouched whether a gateway sets the headers, because the app refuses calls without rights
 */
public record RequestHeaders(Map<String, String> byName, boolean isVouched) {
    private static final String KEY = "Idempotency-Key";
    private static final String KEY_PARAMETER = "key";
    private static final String ACTOR = "Numera-Actor";
    private static final String ACTOR_ID = "Numera-Actor-Id";
    private static final int HEXADECIMAL = 16;
    private static final Pattern TAG = Pattern.compile("(?:W/)?\"[\\x21\\x23-\\x7e]*\"");

    /** Returns the value of a header; null if it is missing. */
    public @Nullable String text(String lowerCaseName) {
        return byName.get(lowerCaseName);
    }

    /**
     * Returns the checked key from the header {@code Idempotency-Key}, or from the parameter {@code key}, which may
     * contain any script; null without either. Two different keys are refused.
     */
    @Nullable
    String key(Query query) {
        String ofHeader = key();
        String ofQuery = query.text(KEY_PARAMETER);
        if (ofQuery == null) {
            return ofHeader;
        }
        PrintableText.KEY.require(KEY_PARAMETER, ofQuery);
        if (ofHeader != null && !ofHeader.equals(KeyForms.stored(ofQuery))) {
            throw InvalidRequest.because(KEY_PARAMETER, "must be the one of the header " + KEY + ", or be left out");
        }
        return ofQuery;
    }

    /**
     * Returns the key from the header {@code Idempotency-Key}; null without the header. The value is plain, or in
     * double quotes as a structured field's string (RFC 8941).
     */
    public @Nullable String key() {
        String value = byName.get("idempotency-key");
        if (value == null) {
            return null;
        }
        String key = value.startsWith("\"") ? unquote(value) : value;
        if (!isPrintableAscii(key)) {
            throw InvalidRequest.because(KEY, "must have printable ASCII characters only");
        }
        PrintableText.KEY.require(KEY, key);
        return key;
    }

    /** Returns the rights that the call is left with; null without the header, which leaves all. */
    @Nullable
    Rights rights() {
        String value = byName.get("numera-rights");
        return value == null ? null : Rights.parse(value);
    }

    /** Returns the actor with its name and id, as {@link Actor} stores it; null without both headers. */
    public @Nullable String actor() {
        String id = byName.get("numera-actor-id");
        return id == null ? actorName() : Actor.of(actorName(), vouchedId(id));
    }

    /** Returns the id of the actor. Only a gateway can vouch for one. */
    private String vouchedId(String id) {
        if (!isVouched) {
            throw InvalidRequest.because(ACTOR_ID, "is accepted only where the setting Numera_Rights is required");
        }
        if (!Actor.isId(id)) {
            throw InvalidRequest.because(ACTOR_ID, "must have 1 to 80 characters of A-Z a-z 0-9 . _ : @ -");
        }
        return id;
    }

    /**
     * Returns the name from the header {@code Numera-Actor}; null without the header. The caller states it, and the app
     * does not verify it. The text is UTF-8, and any byte may be written as a percent sign with two hexadecimal digits.
     */
    private @Nullable String actorName() {
        String value = byName.get("numera-actor");
        if (value == null) {
            return null;
        }
        if (!isPrintableAscii(value)) {
            throw InvalidRequest.because(
                    ACTOR, "must have printable ASCII characters only: percent-encode others as UTF-8");
        }
        String actor = percentDecode(value);
        PrintableText.ACTOR.require(ACTOR, actor);
        return actor;
    }

    private static boolean isPrintableAscii(String value) {
        return value.chars().allMatch(unit -> unit >= ' ' && unit <= '~');
    }

    private static String unquote(String value) {
        StringBuilder key = new StringBuilder();
        for (int at = 1; at < value.length() - 1; at++) {
            char unit = value.charAt(at);
            if (unit == '\\') {
                at++;
                unit = value.charAt(at);
                if (at == value.length() - 1 || unit != '"' && unit != '\\') {
                    throw wronglyQuoted();
                }
            } else if (unit == '"') {
                throw wronglyQuoted();
            }
            key.append(unit);
        }
        if (value.length() < 2 || !value.endsWith("\"")) {
            throw wronglyQuoted();
        }
        return key.toString();
    }

    private static ProblemException wronglyQuoted() {
        return InvalidRequest.because(
                KEY,
                "begins with a double quote but is no structured-field string: end it with one, and put a"
                        + " backslash before each \" and \\ within");
    }

    private static String percentDecode(String value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(value.length());
        for (int at = 0; at < value.length(); at++) {
            if (value.charAt(at) == '%') {
                bytes.write(octet(value, at));
                at += 2;
            } else {
                bytes.write(value.charAt(at));
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw wronglyEncoded();
        }
    }

    private static int octet(String value, int percentAt) {
        int high = digit(value, percentAt + 1);
        int low = digit(value, percentAt + 2);
        if (high < 0 || low < 0) {
            throw wronglyEncoded();
        }
        return high * HEXADECIMAL + low;
    }

    /** Returns the value of a hexadecimal digit; negative if there is no digit at this place. */
    private static int digit(String value, int at) {
        return at < value.length() ? Character.digit(value.charAt(at), HEXADECIMAL) : -1;
    }

    private static ProblemException wronglyEncoded() {
        return InvalidRequest.because(
                ACTOR,
                "must be percent-encoded UTF-8: after each % the two hexadecimal digits of a byte, and %25 for % itself");
    }

    /**
     * Returns the condition for creating or replacing a definition: {@code If-Match} or {@code If-None-Match} (RFC
     * 9110, section 13).
     *
     * @throws ProblemException {@code precondition-required} without either header; {@code precondition-failed} with
     *     both, because RFC 9110 evaluates one after the other, so no definition can meet them; {@code invalid-request}
     */
    public Precondition preconditionOfPut() {
        Optional<Precondition> present = ifMatch();
        Optional<Precondition> absent = ifNoneMatch();
        requireOne(present, absent);
        return present.or(() -> absent)
                .orElseThrow(
                        () -> required("If-None-Match: * to create it, or its ETag as If-Match (or *) to replace it"));
    }

    /**
     * Returns the condition for changing a definition: {@code If-Match}.
     *
     * @throws ProblemException {@code precondition-required} without {@code If-Match}; {@code precondition-failed} with
     *     both headers; {@code invalid-request}
     */
    public Precondition precondition() {
        Optional<Precondition> present = ifMatch();
        requireOne(present, ifNoneMatch());
        return present.orElseThrow(() -> required("its ETag as If-Match, or *"));
    }

    private static void requireOne(Optional<Precondition> present, Optional<Precondition> absent) {
        if (present.isPresent() && absent.isPresent()) {
            throw new ProblemException(
                    ProblemType.PRECONDITION_FAILED,
                    "If-Match and If-None-Match exclude each other. Send If-None-Match: *"
                            + " to create the definition, or If-Match to change it.");
        }
    }

    private Optional<Precondition> ifNoneMatch() {
        String value = byName.get("if-none-match");
        if (value != null && !value.strip().equals("*")) {
            throw InvalidRequest.because("If-None-Match", "must be *");
        }
        return Optional.ofNullable(value).map(any -> Precondition.ABSENT);
    }

    private Optional<Precondition> ifMatch() {
        return Optional.ofNullable(byName.get("if-match"))
                .map(value -> value.strip().equals("*") ? Precondition.PRESENT : Precondition.tagged(tags(value)));
    }

    private static ProblemException required(String whatToSend) {
        return new ProblemException(
                ProblemType.PRECONDITION_REQUIRED,
                "Changing a definition needs a condition, so that no concurrent change is lost. Send " + whatToSend
                        + ".");
    }

    private static Set<String> tags(String value) {
        Set<String> tags = new TreeSet<>(HeaderList.ofTags(value));
        if (tags.isEmpty() || !tags.stream().allMatch(tag -> TAG.matcher(tag).matches())) {
            throw InvalidRequest.because("If-Match", "must be * or entity tags in double quotes, separated by commas");
        }
        return tags;
    }
}
