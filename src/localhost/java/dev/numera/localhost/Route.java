package dev.numera.localhost;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A route template whose segments are each a literal or one {@code {parameter}}. Immutable. */
record Route(List<String> parts) {
    private static final Pattern PART = Pattern.compile("\\{\\w+}|[^{}]+");

    static Route parse(String template) {
        List<String> parts = List.of(template.split("/", -1));
        for (String part : parts) {
            if (!PART.matcher(part).matches()) {
                throw new StartRefused("This local host cannot read '" + part + "' in the route '" + template
                        + "': it knows literals and {x}, each a whole segment.");
            }
        }
        return new Route(parts);
    }

    /** Returns the values of the route's parameters; empty if the path does not match. */
    Optional<Map<String, String>> match(RequestPath path) {
        if (path.segments().size() != parts.size()) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            String segment = path.segments().get(i);
            if (part.charAt(0) == '{') {
                values.put(part.substring(1, part.length() - 1), segment);
            } else if (!part.equalsIgnoreCase(segment)) {
                return Optional.empty();
            }
        }
        return values.containsValue("") ? Optional.empty() : Optional.of(values);
    }
}
