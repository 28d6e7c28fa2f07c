package dev.numera.fuzz;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.fixtures.RawHttp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A request in preparation. Path and query are percent-encoded already, or wrong on purpose. */
final class Draft {
    String method;
    final List<String> path;
    final List<String> query = new ArrayList<>();
    final Map<String, String> headers = new LinkedHashMap<>();
    /** The body as JSON; null for no body. */
    ObjectNode json;
    /** The body as text; replaces the JSON unless it is null. */
    String text;

    boolean isChunked;

    Draft(String method, String... path) {
        this.method = method;
        this.path = new ArrayList<>(List.of(path));
    }

    Draft query(String name, Object value) {
        query.add(name + "=" + value);
        return this;
    }

    Draft header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    Draft json(ObjectNode body) {
        json = body;
        headers.putIfAbsent("Content-Type", "application/json");
        return this;
    }

    String target() {
        return "/api/" + String.join("/", path) + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }

    String body() {
        return text != null ? text : json == null ? "" : json.toString();
    }

    RawHttp.RawAnswer sendTo(RawHttp http) {
        String body = body();
        String length =
                isChunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: " + RawHttp.length(body) + "\r\n";
        String all = headers.entrySet().stream()
                .map(header -> header.getKey() + ": " + header.getValue() + "\r\n")
                .collect(Collectors.joining());
        return http.send(
                method,
                target(),
                all + length,
                isChunked ? Integer.toHexString(RawHttp.length(body)) + "\r\n" + body + "\r\n0\r\n\r\n" : body);
    }

    @Override
    public String toString() {
        return method + " " + target() + " " + headers + (isChunked ? " in chunks " : " ") + body();
    }
}
