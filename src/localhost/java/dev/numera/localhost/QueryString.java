package dev.numera.localhost;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The decoded parameters of a query, in their original order. Names are case-insensitive. Immutable. */
record QueryString(List<Parameter> parameters) {
    private static final QueryString EMPTY = new QueryString(List.of());

    record Parameter(String name, String value) {}

    static QueryString parse(String raw) {
        if (raw == null || raw.isEmpty()) {
            return EMPTY;
        }
        List<Parameter> parameters = new ArrayList<>();
        for (String pair : raw.split("&")) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            if (!pair.isEmpty()) {
                parameters.add(new Parameter(PercentEncoding.decodeQuery(name), PercentEncoding.decodeQuery(value)));
            }
        }
        return new QueryString(parameters);
    }

    /**
     * Returns the parameters as {@code HttpRequestMessage} shows them: repeated ones joined by a comma under the first
     * spelling, empty ones left out.
     */
    Map<String, String> joined() {
        if (parameters.isEmpty()) {
            return Map.of();
        }
        Map<String, String> joined = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        parameters.forEach(parameter -> joined.merge(parameter.name, parameter.value, (a, b) -> a + "," + b));
        joined.values().removeIf(String::isEmpty);
        return Collections.unmodifiableMap(new HashMap<>(joined));
    }

    Optional<String> first(String name) {
        return values(name).findFirst();
    }

    Optional<String> last(String name) {
        return values(name).reduce((a, b) -> b);
    }

    private Stream<String> values(String name) {
        return parameters.stream()
                .filter(parameter -> parameter.name.equalsIgnoreCase(name))
                .map(Parameter::value);
    }
}
