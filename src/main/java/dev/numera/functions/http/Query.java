package dev.numera.functions.http;

import com.microsoft.azure.functions.HttpRequestMessage;
import dev.numera.core.format.DatePattern;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request, read from its URI because the host's own map drops empty parameters and joins
 * repeated ones. Unknown, empty and repeated parameters are refused: ignoring them would answer a different request.
 * There are two exceptions: an empty continuation requests the first page, and a list of names may be repeated.
 */
public final class Query {
    /** The parameter with the function key, which only the host reads. */
    private static final String KEY_OF_THE_HOST = "code";

    /** The parameter with the character between the columns of CSV. */
    public static final String SEPARATOR = "separator";
    /** The parameter with the notation of dates. */
    public static final String DATE_FORMAT = "dateFormat";
    /** The parameter with the first year of the century of dates with two digits for the year. */
    public static final String CENTURY = "century";

    /** The parameters that choose the form of an answer in CSV; see {@link CsvForm}. */
    static final List<String> OF_CSV = List.of(SEPARATOR, "bom", DATE_FORMAT, CENTURY, "for");

    private static final int MAX_YEAR = 9_999;
    private static final String CONTINUATION = "continuation";
    /** Parameters that may be repeated: a list of columns can be too long for one value. */
    private static final Set<String> REPEATABLE = Set.of("ignore");

    private static final String REPLACEMENT = "\uFFFD";
    private static final String ENCODED_REPLACEMENT = "%EF%BF%BD";

    private final Map<String, String> values;
    private final Map<String, List<String>> lists;

    private Query(Map<String, String> values, Map<String, List<String>> lists) {
        this.values = values;
        this.lists = lists;
    }

    /**
     * Reads the parameters of a request.
     *
     * @throws ProblemException {@code invalid-request} that names each wrong parameter
     */
    public static Query of(HttpRequestMessage<?> request, Collection<String> known) {
        Map<String, String> values = new HashMap<>();
        Map<String, List<String>> lists = new HashMap<>();
        InvalidRequest invalid = new InvalidRequest();
        for (Map.Entry<String, String> parameter : parameters(request)) {
            String name = parameter.getKey();
            String value = parameter.getValue();
            if (name.equals(KEY_OF_THE_HOST)) {
                continue;
            }
            if (!known.contains(name)) {
                invalid.add(
                        name,
                        "is no parameter of this call" + (known.isEmpty() ? ": it has none" : ": it knows " + known));
            } else if (value.isEmpty()) {
                if (!name.equals(CONTINUATION)) {
                    invalid.add(name, "must not be empty");
                }
            } else if (REPEATABLE.contains(name)) {
                lists.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
            } else if (values.put(name, value) != null) {
                invalid.add(name, "must be set only once");
            }
        }
        invalid.throwIfAny();
        return new Query(values, lists);
    }

    /**
     * Returns the value of a parameter before the others are checked; null if the query does not have exactly one.
     *
     * @throws ProblemException {@code invalid-request} if the query cannot be decoded
     */
    static @Nullable String only(HttpRequestMessage<?> request, String name) {
        List<String> values = parameters(request).stream()
                .filter(parameter -> parameter.getKey().equals(name))
                .map(Map.Entry::getValue)
                .toList();
        return values.size() == 1 && !values.get(0).isEmpty() ? values.get(0) : null;
    }

    /** Returns the decoded parameters in the order of the query. A parameter without a value has an empty one. */
    private static List<Map.Entry<String, String>> parameters(HttpRequestMessage<?> request) {
        List<Map.Entry<String, String>> parameters = new ArrayList<>();
        for (String pair : rawQuery(request).split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = decode(equals < 0 ? pair : pair.substring(0, equals));
                parameters.add(Map.entry(name, equals < 0 ? "" : decode(pair.substring(equals + 1))));
            }
        }
        return parameters;
    }

    /** Returns the value of a parameter; null if it is missing. */
    public @Nullable String text(String name) {
        return values.get(name);
    }

    /**
     * Returns the value of a parameter; null if it is missing.
     *
     * @throws ProblemException {@code invalid-request} if it has more UTF-16 units
     */
    public @Nullable String text(String name, int maxUnits) {
        String value = text(name);
        if (value != null && value.length() > maxUnits) {
            throw InvalidRequest.because(name, "must have at most " + maxUnits + " characters");
        }
        return value;
    }

    /**
     * Returns the scope that restricts a list; null for all scopes.
     *
     * @throws ProblemException {@code invalid-request} if the parameter is no scope
     */
    public @Nullable String scope() {
        String requested = text("scope");
        return requested == null ? null : SequenceName.checkedScope(requested);
    }

    /** Returns the values of a parameter that may be repeated; empty if it is missing. */
    public List<String> texts(String name) {
        return lists.getOrDefault(name, List.of());
    }

    /** Returns all parameters with their values, sorted by name. */
    public Map<String, Object> all() {
        Map<String, Object> all = new TreeMap<>(values);
        all.putAll(lists);
        return all;
    }

    /** Returns this query with more parameters of one value each. */
    public Query with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(values);
        all.putAll(more);
        return new Query(all, lists);
    }

    public boolean has(String name) {
        return values.containsKey(name) || lists.containsKey(name);
    }

    /**
     * Returns a true or false parameter; false if it is missing.
     *
     * @throws ProblemException {@code invalid-request} if the value is neither
     */
    public boolean flag(String name) {
        String value = values.get(name);
        if (value == null || value.equals("false")) {
            return false;
        }
        if (value.equals("true")) {
            return true;
        }
        throw InvalidRequest.because(name, "must be true or false");
    }

    /**
     * Returns a whole number.
     *
     * @throws ProblemException {@code invalid-request} if the value is not a whole number within the bounds
     */
    public int number(String name, int byDefault, int min, int max) {
        String value = values.get(name);
        if (value == null) {
            return byDefault;
        }
        if (value.matches("-?\\d{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw InvalidRequest.because(name, "must be a whole number from " + min + " to " + max);
    }

    /**
     * Returns a whole number, negative or positive.
     *
     * @throws ProblemException {@code invalid-request} if the value is not a whole number within 4*10^18 either way
     */
    public long bigNumber(String name, long byDefault) {
        String value = values.get(name);
        return value == null ? byDefault : FieldParsers.wholeNumber(name, value);
    }

    /**
     * Returns the character between the columns of CSV; null if the caller states none.
     *
     * @throws ProblemException {@code invalid-request}
     */
    public @Nullable Character separator() {
        String text = text(SEPARATOR);
        if (text == null) {
            return null;
        }
        return switch (text) {
            case ",", "comma" -> (Character) ',';
            case ";", "semicolon" -> (Character) ';';
            case "\t", "tab" -> (Character) '\t';
            default ->
                throw InvalidRequest.because(
                        SEPARATOR, "must be a comma, a semicolon or a tab: comma, semicolon or tab by name");
        };
    }

    /**
     * Returns the notation of dates; ISO 8601 if the caller states none.
     *
     * @throws ProblemException {@code invalid-request}
     */
    public DatePattern datePattern() {
        String pattern = text(DATE_FORMAT);
        Integer century = has(CENTURY) ? (Integer) number(CENTURY, 0, 1, MAX_YEAR) : null;
        if (pattern != null) {
            return DatePattern.of(pattern, century);
        }
        if (century != null) {
            throw InvalidRequest.because(CENTURY, "is for a dateFormat with yy only: leave it out, or add dateFormat");
        }
        return DatePattern.ISO;
    }

    /** Returns the most entries that a page may have; 100 by default. */
    public int limit() {
        return number("limit", 100, 1, 1_000);
    }

    /** Returns this query for the page at a continuation, as a relative URL without the host's key. */
    public String next(String continuation) {
        Map<String, String> next = new TreeMap<>(values);
        next.put("continuation", continuation);
        return next.entrySet().stream()
                .map(parameter ->
                        parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&", "?", ""));
    }

    /** Returns the token of the requested page; null for the first page. */
    @Nullable
    String continuation() {
        return values.get(CONTINUATION);
    }

    /**
     * Refuses any parameter other than this one, a limit, and the form of CSV.
     *
     * @throws ProblemException {@code invalid-request}
     */
    public void requireAlone(String name) {
        Set<String> others = new TreeSet<>(values.keySet());
        others.removeAll(OF_CSV);
        if (!Set.of(name, "limit").containsAll(others)) {
            throw InvalidRequest.because(
                    name, "must be the only parameter except limit: it finds one entry, whatever its period");
        }
    }

    /**
     * Returns a date; null if the parameter is missing.
     *
     * @throws ProblemException {@code invalid-request} if the value is not a date
     */
    @Nullable
    public LocalDate date(String name) {
        String value = values.get(name);
        return value == null ? null : FieldParsers.date(name, value);
    }

    /**
     * Returns an instant; null if the parameter is missing.
     *
     * @throws ProblemException {@code invalid-request} if the value is not an instant
     */
    @Nullable
    public Instant instant(String name) {
        String value = values.get(name);
        try {
            return value == null ? null : OffsetDateTime.parse(value).toInstant();
        } catch (DateTimeParseException e) {
            throw InvalidRequest.because(name, "must be an instant such as 2026-11-21T09:30:00Z");
        }
    }

    /**
     * Returns one of the constants; null if the parameter is missing.
     *
     * @throws ProblemException {@code invalid-request} if the value is not one of the constants
     */
    public <E extends Enum<E>> @Nullable E choice(String name, List<E> choices) {
        String value = values.get(name);
        if (value == null) {
            return null;
        }
        return choices.stream()
                .filter(choice -> EnumWord.of(choice).equals(value))
                .findFirst()
                .orElseThrow(() -> InvalidRequest.because(
                        name,
                        "must be one of " + choices.stream().map(EnumWord::of).collect(Collectors.joining(", "))));
    }

    /**
     * Returns the constants listed in a parameter, separated by commas; empty if it is missing.
     *
     * @throws ProblemException {@code invalid-request} if a constant is unknown or listed twice
     */
    public <E extends Enum<E>> Set<E> choices(String name, Class<E> choices) {
        String value = values.get(name);
        Set<E> values = EnumSet.noneOf(choices);
        if (value != null) {
            for (String word : value.split(",", -1)) {
                if (!EnumWord.find(word, choices).map(values::add).orElse(false)) {
                    throw InvalidRequest.because(
                            name, "must be some of " + EnumWord.list(choices) + ", each once, separated by commas");
                }
            }
        }
        return values;
    }

    private static String rawQuery(HttpRequestMessage<?> request) {
        try {
            String query = request.getUri().getRawQuery();
            return query == null ? "" : query;
        } catch (IllegalArgumentException e) {
            // Servers accept URLs that java.net.URI, created only here, refuses. Its message is dropped, because it
            // would repeat the URL, which can contain a key.
            throw InvalidRequest.because(
                    "url", "must have % and two hexadecimal digits for each character that a URL does not allow");
        }
    }

    /**
     * Decodes a name or value. Refuses bytes that are not UTF-8, because two different texts could become the same one.
     */
    private static String decode(String encoded) {
        String text = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        if (occurrences(REPLACEMENT, text) != occurrences(ENCODED_REPLACEMENT, encoded.toUpperCase(Locale.ROOT))) {
            throw InvalidRequest.because("url", "must have its characters in UTF-8, each byte as % and two digits");
        }
        return text;
    }

    private static int occurrences(String part, String text) {
        int found = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            found++;
        }
        return found;
    }
}
