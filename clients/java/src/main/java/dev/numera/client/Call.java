package dev.numera.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request that can be sent several times.
 *
 * @param location the path below the API's address, with the query
 * @param body null for no body
 */
record Call(String method, String location, Map<String, String> headers, String body) {
    static Call get(String path, Map<String, ?> query) {
        return new Call("GET", path + search(query), Map.of(), null);
    }

    static Call post(String path, Map<String, ?> query, Map<String, String> headers, String body) {
        return new Call("POST", path + search(query), headers, body);
    }

    /** Returns this call with one more header; unchanged if the value is null. */
    Call with(String header, Object value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        if (value != null) {
            all.put(header, value.toString());
        }
        return new Call(method, location, all, body);
    }

    /**
     * Returns this call with the name of an actor; unchanged if the actor is null. Headers are ASCII, so the name is
     * percent-encoded.
     */
    Call withActor(Object actor) {
        return with("Numera-Actor", actor == null ? null : encode(actor));
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
        return query.isEmpty()
                ? ""
                : query.entrySet().stream()
                        .map(parameter -> parameter.getKey() + "=" + encode(parameter.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }
}
