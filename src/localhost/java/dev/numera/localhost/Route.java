package dev.numera.localhost;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A route template: literals, {@code {x}}, {@code {x?}}, {@code {x=default}}, {@code {x:int}}, {@code {x:alpha}} and, at the end,
 * {@code {*rest}}. Immutable.
 */
record Route(String template, List<Part> parts) {
    private static final Pattern PARAMETER = Pattern.compile("\\{(\\*?)(\\w+)(?::(\\w+))?(?:=([^}?]*))?(\\??)}");
    private static final Map<String, Pattern> CONSTRAINTS =
            Map.of("int", Pattern.compile("[-+]?\\d{1,10}"), "alpha", Pattern.compile("[A-Za-z]*"));

    /** One segment of the template. */
    private sealed interface Part {
        record Literal(String text) implements Part {}

        record Parameter(String name, Optional<Pattern> constraint, Optional<String> whenAbsent, boolean optional) implements Part {
            boolean admits(String segment) {
                return !segment.isEmpty() && constraint.map(pattern -> pattern.matcher(segment).matches()).orElse(true);
            }
        }

        record Rest(String name) implements Part {}
    }

    static Route parse(String template) {
        List<Part> parts = new ArrayList<>();
        for (String segment : template.split("/", -1)) {
            parts.add(parsePart(segment, template));
        }
        return new Route(template, List.copyOf(parts));
    }

    /** The values of the route's parameters, or empty when the path is not of this route. */
    Optional<Map<String, String>> match(RequestPath path) {
        List<String> segments = path.segments();
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof Part.Rest rest) {
                if (i < segments.size()) {
                    values.put(rest.name, String.join("/", segments.subList(i, segments.size())));
                }
                return Optional.of(values);
            }
            boolean matches = i < segments.size() ? matches(parts.get(i), segments.get(i), values) : matchesNothing(parts.get(i), values);
            if (!matches) {
                return Optional.empty();
            }
        }
        return segments.size() <= parts.size() ? Optional.of(values) : Optional.empty();
    }

    private static boolean matches(Part part, String segment, Map<String, String> values) {
        if (part instanceof Part.Literal literal) {
            return literal.text.equalsIgnoreCase(segment);
        }
        Part.Parameter parameter = (Part.Parameter) part;
        values.put(parameter.name, segment);
        return parameter.admits(segment);
    }

    private static boolean matchesNothing(Part part, Map<String, String> values) {
        if (!(part instanceof Part.Parameter parameter)) {
            return false;
        }
        parameter.whenAbsent.ifPresent(value -> values.put(parameter.name, value));
        return parameter.optional || parameter.whenAbsent.isPresent();
    }

    private static Part parsePart(String segment, String template) {
        if (segment.isEmpty()) {
            throw new StartRefused("The route '" + template + "' has an empty segment, and the Functions host would not start with it:"
                    + " take the needless '/' out of it.");
        }
        if (segment.indexOf('{') < 0) {
            return new Part.Literal(segment);
        }
        Matcher parameter = PARAMETER.matcher(segment);
        String constraint = parameter.matches() ? parameter.group(3) : "";
        if (constraint != null && !CONSTRAINTS.containsKey(constraint)) {
            throw new StartRefused("This local host cannot read '" + segment + "' of the route '" + template
                    + "': it knows {x}, {x?}, {x=default}, {x:int}, {x:alpha} and {*rest}.");
        }
        if (!parameter.group(1).isEmpty()) {
            return new Part.Rest(parameter.group(2));
        }
        return new Part.Parameter(
                parameter.group(2),
                Optional.ofNullable(constraint).map(CONSTRAINTS::get),
                Optional.ofNullable(parameter.group(4)),
                !parameter.group(5).isEmpty());
    }
}
