package dev.numera.infra;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log query in the form that the alerts use: {@code Table | where condition}. A condition compares a column with a
 * string, a number or a boolean by {@code ==}, {@code !=}, {@code startswith}, {@code endswith}, {@code contains} or
 * {@code has}, and joins comparisons by {@code and}, {@code or} and parentheses. Other syntax is refused.
 *
 * @param table the table to read
 * @param where the condition for the rows to keep
 */
record LogQuery(String table, Predicate<JsonNode> where) {
    private static final Pattern WORD = Pattern.compile("\\s*(\"[^\"]*\"|[()|]|==|!=|[A-Za-z]\\w*|\\d+)\\s*");

    static LogQuery parse(String query) {
        Reader reader = new Reader(words(query));
        String table = reader.next();
        reader.expect("|");
        reader.expect("where");
        Predicate<JsonNode> where = reader.either();
        if (!reader.words.isEmpty()) {
            throw new IllegalArgumentException("This is not understood: " + String.join(" ", reader.words));
        }
        return new LogQuery(table, where);
    }

    private static Deque<String> words(String query) {
        Deque<String> words = new ArrayDeque<>();
        Matcher word = WORD.matcher(query);
        int at = 0;
        while (at < query.length()) {
            if (!word.region(at, query.length()).lookingAt()) {
                throw new IllegalArgumentException("This is not understood: " + query.substring(at));
            }
            words.add(word.group(1));
            at = word.end();
        }
        return words;
    }

    private record Reader(Deque<String> words) {
        String next() {
            if (words.isEmpty()) {
                throw new IllegalArgumentException("The query ends too early.");
            }
            return words.remove();
        }

        void expect(String word) {
            String found = next();
            if (!found.equals(word)) {
                throw new IllegalArgumentException("Instead of " + word + " there is " + found + ".");
            }
        }

        boolean has(String word) {
            return word.equals(words.peek()) && words.remove() != null;
        }

        Predicate<JsonNode> either() {
            Predicate<JsonNode> left = both();
            return has("or") ? left.or(either()) : left;
        }

        Predicate<JsonNode> both() {
            Predicate<JsonNode> left = one();
            return has("and") ? left.and(both()) : left;
        }

        Predicate<JsonNode> one() {
            if (has("(")) {
                Predicate<JsonNode> inner = either();
                expect(")");
                return inner;
            }
            return compared(next(), next(), next().replaceAll("^\"|\"$", ""));
        }

        private static Predicate<JsonNode> compared(String column, String operator, String value) {
            String folded = value.toLowerCase(Locale.ROOT);
            Pattern term = Pattern.compile("(?i)(?<![A-Za-z0-9])" + Pattern.quote(value) + "(?![A-Za-z0-9])");
            return switch (operator) {
                case "==" -> row -> text(row, column).equals(value);
                case "!=" -> row -> !text(row, column).equals(value);
                case "startswith" -> row -> folded(row, column).startsWith(folded);
                case "endswith" -> row -> folded(row, column).endsWith(folded);
                case "contains" -> row -> folded(row, column).contains(folded);
                case "has" -> row -> term.matcher(text(row, column)).find();
                default -> throw new IllegalArgumentException("There is no operator " + operator + " here.");
            };
        }

        private static String folded(JsonNode row, String column) {
            return text(row, column).toLowerCase(Locale.ROOT);
        }

        private static String text(JsonNode row, String column) {
            if (!row.has(column)) {
                throw new IllegalArgumentException("A recorded row lacks the column " + column + ": " + row);
            }
            return row.get(column).asText();
        }
    }
}
