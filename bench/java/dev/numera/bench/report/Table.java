package dev.numera.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table of texts, printed in the same form for a console and for Markdown. The first column is a title, the others
 * are figures.
 */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... header) {
        rows.add(List.of(header));
    }

    public void add(List<String> row) {
        if (row.size() != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    "A row of " + row.size() + " cells under " + rows.get(0).size() + " headings: " + row);
        }
        rows.add(List.copyOf(row));
    }

    /** Returns all rows as CSV, without thousands separators in figures. */
    public String csv() {
        return rows.stream()
                .map(row -> row.stream().map(Table::cell).collect(Collectors.joining(",")))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String cell(String text) {
        String value = text.matches("[\\d,.]+") ? text.replace(",", "") : text;
        return value.contains(",") || value.contains("\"") ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }

    @Override
    public String toString() {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        List<String> lines =
                new ArrayList<>(rows.stream().map(row -> line(row, widths)).toList());
        lines.add(
                1,
                IntStream.range(0, widths.length)
                        .mapToObj(column ->
                                column == 0 ? "-".repeat(widths[column]) : "-".repeat(widths[column] - 1) + ":")
                        .collect(Collectors.joining(" | ", "| ", " |")));
        return String.join("\n", lines) + "\n";
    }

    private static String line(List<String> row, int[] widths) {
        return IntStream.range(0, widths.length)
                .mapToObj(column -> column == 0
                        ? padRight(row.get(column), widths[column])
                        : padLeft(row.get(column), widths[column]))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String padLeft(String text, int width) {
        return " ".repeat(width - text.length()) + text;
    }

    private static String padRight(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
