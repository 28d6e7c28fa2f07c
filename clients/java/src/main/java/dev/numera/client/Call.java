package dev.numera.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A request that can be sent several times.
 *
 * @param location the path below the API's address, with the query
 * @param body null for no body
 * @param key the key that the answer must contain; null for any answer
 * @param tryFor the total time for which the call is retried; null for the client's own
 */
record Call(String method, String location, Map<String, String> headers, String body, String key, Duration tryFor) {
    // Keys that a header carries unchanged. Any other key is sent as a parameter, and so is a key in quotes, which a
    // header would lose.
    private static final Pattern PLAIN = Pattern.compile("[!#-~]([ !#-~]*[!#-~])?");
    private static final Pattern HEADER = Pattern.compile("[!-~]([ -~]*[!-~])?");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f-\\x9f]");

    static Call get(String path, Map<String, ?> query, Duration tryFor) {
        return new Call("GET", path + search(query), Map.of(), null, null, tryFor);
    }

    /** Returns a request for the next numbers; the key may be null. */
    static Call next(String path, Map<String, ?> query, String key, Duration tryFor) {
        return new Call("POST", path + search(query), Map.of(), null, key, tryFor);
    }

    static Call postJson(String path, Map<String, ?> query, Object body, Duration tryFor) {
        Map<String, String> headers = Map.of("Content-Type", "application/json");
        return new Call("POST", path + search(query), headers, whole(Json.write(body)), null, tryFor);
    }

    static Call putJson(String path, Object body, Duration tryFor) {
        Map<String, String> headers = Map.of("Content-Type", "application/json", "If-None-Match", "*");
        return new Call("PUT", path, headers, whole(Json.write(body)), null, tryFor);
    }

    /** Returns this call with one more header; unchanged if the value is null. */
    Call with(String header, Object value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        if (value != null) {
            all.put(header, value.toString());
        }
        return new Call(method, location, all, body, key, tryFor);
    }

    /**
     * Returns this call with the name of an actor; unchanged if the actor is null. Headers are ASCII, so the name is
     * percent-encoded.
     */
    Call withActor(String actor) {
        return with("Numera-Actor", actor == null ? null : encode(text("actor", actor)));
    }

    /**
     * Returns the answer unchanged.
     *
     * @throws IllegalArgumentException the answer is for another key
     */
    Answer own(Answer answer) {
        if (key != null
                && answer.isOk()
                && !nfc(key).equals(nfc(answer.fields().values().get("key")))) {
            throw new IllegalArgumentException("The answer is for another key.");
        }
        return answer;
    }

    /** Returns what to do if no usable answer arrived. */
    String remedy() {
        if (key != null) {
            return "Make the same call later, with the same key.";
        }
        // Every other POST has a body. Numbers that were requested without a key cannot be requested again.
        return method.equals("POST") && body == null
                ? "A number may have been skipped, and another call takes another one."
                : "Make the same call later.";
    }

    /** Returns the Unicode form in which Numera stores keys. */
    private static String nfc(Object key) {
        return Normalizer.normalize(String.valueOf(key), Normalizer.Form.NFC);
    }

    static boolean isPlain(String key) {
        return PLAIN.matcher(key).matches();
    }

    /**
     * Returns the text unchanged.
     *
     * @throws IllegalArgumentException the text is missing: without a key, each retry would allocate other numbers; or
     *     it has a control character
     */
    static String text(String what, String text) {
        if (text == null || text.isEmpty() || CONTROL.matcher(text).find()) {
            throw new IllegalArgumentException(
                    "The " + what + " must have printable characters only, and not be missing or empty: " + text + ".");
        }
        return whole(text);
    }

    /**
     * Returns the value unchanged. The message of the exception does not contain it, because it is secret.
     *
     * @throws IllegalArgumentException a header cannot carry the value
     */
    static String header(String what, String value) {
        if (value == null || !HEADER.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "The " + what + " must be printable ASCII without a blank at either end.");
        }
        return value;
    }

    static String encode(Object value) {
        return URLEncoder.encode(whole(value.toString()), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%7E", "~");
    }

    /**
     * Returns the text unchanged.
     *
     * @throws IllegalArgumentException the text contains half a surrogate pair, which would be sent as a question mark,
     *     so that two different keys could become equal
     */
    static String whole(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("A text has half of a character, which cannot be sent.");
        }
        return text;
    }

    private static String search(Map<String, ?> query) {
        String stated = query.entrySet().stream()
                .filter(parameter -> parameter.getValue() != null)
                .map(parameter -> parameter.getKey() + "=" + encode(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return stated.isEmpty() ? "" : "?" + stated;
    }
}
