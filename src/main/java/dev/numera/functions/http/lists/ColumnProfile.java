package dev.numera.functions.http.lists;

import dev.numera.core.format.DatePattern;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.Sequence;
import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.lists.CellText;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a column, by all its cells that are not empty. One cell of another kind makes it another content, so a
 * profile never overlooks a cell.
 *
 * @param dateFormats the notations that read every cell as a date; more than one for an ambiguous column
 * @param firstCell the first cell that is not empty; null if all are empty
 */
record ColumnProfile(
        String name, Look looksLike, List<String> dateFormats, @Nullable String firstCell, int emptyCells) {
    /** The kinds of content. */
    enum Look {
        EMPTY,
        DATES,
        /** Dates that two notations read, such as 03.04.2025. */
        AMBIGUOUS_DATES,
        /** Texts of the sequence's format. */
        TEXTS,
        STATUSES,
        NUMBERS,
        /** Different texts in all cells. */
        KEYS,
        OTHER
    }

    /** The times of day that may follow a date. */
    private static final List<String> TIMES =
            List.of("", " HH:mm", " HH:mm:ss", " HH:mm:ss X", " H:mm", " H:mm:ss", " h:mm a", " h:mm:ss a", ", h:mm a");

    /** The notations that are tried. One that pads with zeros comes before the same one without. */
    private static final List<DatePattern> PATTERNS = Stream.concat(
                    Stream.of(DatePattern.ISO),
                    Stream.of(
                                    "dd.MM.yyyy",
                                    "d.M.yyyy",
                                    "MM.dd.yyyy",
                                    "M.d.yyyy",
                                    "dd/MM/yyyy",
                                    "d/M/yyyy",
                                    "MM/dd/yyyy",
                                    "M/d/yyyy",
                                    "dd-MM-yyyy",
                                    "d-M-yyyy",
                                    "MM-dd-yyyy",
                                    "M-d-yyyy",
                                    "yyyyMMdd",
                                    "yyyy/MM/dd",
                                    "yyyy.MM.dd",
                                    "yyyy/M/d",
                                    "yyyy-M-d")
                            .flatMap(day -> TIMES.stream().map(day::concat))
                            .map(pattern -> DatePattern.of(pattern, null)))
            .toList();

    /** @param cells of the column, in all rows */
    static ColumnProfile of(String name, Supplier<Stream<String>> cells, Sequence known) {
        Supplier<Stream<String>> filled = () -> cells.get().filter(cell -> !isEmpty(cell));
        List<String> formats = dateFormats(filled);
        return new ColumnProfile(
                name,
                look(filled, formats, known),
                formats,
                filled.get().findFirst().orElse(null),
                Math.toIntExact(cells.get().filter(ColumnProfile::isEmpty).count()));
    }

    private static boolean isEmpty(String cell) {
        return CellText.stripped(cell).isEmpty();
    }

    private static Look look(Supplier<Stream<String>> cells, List<String> dateFormats, Sequence known) {
        if (cells.get().findAny().isEmpty()) {
            return Look.EMPTY;
        }
        if (!dateFormats.isEmpty()) {
            return dateFormats.size() == 1 ? Look.DATES : Look.AMBIGUOUS_DATES;
        }
        if (StatusWords.areIn(cells)) {
            return Look.STATUSES;
        }
        if (cells.get().allMatch(cell -> FieldParsers.wholeNumber(cell).isPresent())) {
            return Look.NUMBERS;
        }
        if (cells.get().allMatch(cell -> isText(cell, known))) {
            return Look.TEXTS;
        }
        Set<String> seen = new HashSet<>();
        return cells.get().allMatch(seen::add) ? Look.KEYS : Look.OTHER;
    }

    private static boolean isText(String cell, Sequence known) {
        try {
            known.texts().read(cell);
            return true;
        } catch (ProblemException e) {
            return false;
        }
    }

    /** Returns one pattern for each reading of the cells: day first, month first, or year first. */
    private static List<String> dateFormats(Supplier<Stream<String>> cells) {
        List<DatePattern> left = new ArrayList<>(PATTERNS);
        Predicate<String> narrow = cell -> {
            left.removeIf(pattern -> date(pattern, cell).isEmpty());
            return !left.isEmpty();
        };
        if (cells.get().findAny().isEmpty() || !cells.get().allMatch(narrow)) {
            return List.of();
        }
        List<DatePattern> readings = new ArrayList<>();
        for (DatePattern pattern : left) {
            if (readings.stream().noneMatch(found -> isSameReading(found, pattern, cells))) {
                readings.add(pattern);
            }
        }
        return readings.stream().map(DatePattern::pattern).toList();
    }

    private static boolean isSameReading(DatePattern one, DatePattern other, Supplier<Stream<String>> cells) {
        return cells.get().allMatch(cell -> date(one, cell).equals(date(other, cell)));
    }

    private static Optional<LocalDate> date(DatePattern pattern, String cell) {
        return pattern.read(CellText.stripped(cell), ZoneOffset.UTC);
    }
}
