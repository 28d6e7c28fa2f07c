package dev.numera.functions.http;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The media types that a caller accepts (RFC 9110, section 12.5.1). Of all ranges that include a type, the most
 * specific one determines its weight. Parameters of types are ignored, and so are invalid ranges. Immutable.
 */
record AcceptHeader(List<Range> ranges) {
    private static final Pattern TYPE = Pattern.compile("[^/\\s\"]+/[^/\\s\"]+");
    private static final Pattern WEIGHT = Pattern.compile("(?:0(?:\\.[0-9]{0,3})?)|(?:1(?:\\.0{0,3})?)");
    private static final Range NONE = new Range("", 0);

    /**
     * One element of the header.
     *
     * @param type in lower case: one type, all subtypes of a type, or all types
     * @param weight from 0, not acceptable, to 1
     */
    record Range(String type, double weight) {
        /**
         * Returns how specifically this range names a media type, from 1 to 3; 0 if the range does not include the
         * type.
         */
        private int specificity(String mediaType) {
            if (type.equals(mediaType)) {
                return 3;
            } else if (type.equals(mediaType.substring(0, mediaType.indexOf('/')) + "/*")) {
                return 2;
            }
            return type.equals("*/*") ? 1 : 0;
        }
    }

    AcceptHeader {
        ranges = List.copyOf(ranges);
    }

    static AcceptHeader of(String value) {
        return new AcceptHeader(HeaderList.of(value.toLowerCase(Locale.ROOT)).stream()
                .flatMap(element -> range(element).stream())
                .toList());
    }

    private static Optional<Range> range(String element) {
        List<String> parts = HeaderList.parameters(element);
        if (parts.isEmpty() || !TYPE.matcher(parts.get(0)).matches()) {
            return Optional.empty();
        }
        String weight = parts.stream()
                .skip(1)
                .filter(parameter -> parameter.startsWith("q="))
                .findFirst()
                .map(parameter -> parameter.substring("q=".length()))
                .orElse("1");
        return WEIGHT.matcher(weight).matches()
                ? Optional.of(new Range(parts.get(0), Double.parseDouble(weight)))
                : Optional.empty();
    }

    /**
     * Whether the caller prefers one type to another: its weight is greater or, at the same weight, the header names it
     * more specifically.
     */
    boolean prefers(String type, String other) {
        Range range = mostSpecific(type);
        Range otherRange = mostSpecific(other);
        return range.weight() > otherRange.weight()
                || range.weight() > 0
                        && range.weight() == otherRange.weight()
                        && range.specificity(type) > otherRange.specificity(other);
    }

    private Range mostSpecific(String type) {
        return ranges.stream()
                .filter(range -> range.specificity(type) > 0)
                .max(Comparator.<Range>comparingInt(range -> range.specificity(type))
                        .thenComparingDouble(Range::weight))
                .orElse(NONE);
    }
}
