package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.format.Format;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LongestTextTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 22);
    private static final List<String> FORMATS = List.of("{n}", "{n:3}", "A{n:2}{check:luhn}", "{yyyy}-{n}", "{r:5}");

    private static Definition definition(long start, long increment, long min, long max, String format) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.START, start)
                .with(DefinitionField.INCREMENT, increment)
                .with(DefinitionField.MIN_VALUE, min)
                .with(DefinitionField.MAX_VALUE, max)
                .with(DefinitionField.TIME_ZONE, "UTC")
                .with(DefinitionField.FORMAT, format)
                .complete(NAME, NOW);
    }

    /** Compares with a search through every text. */
    @Property
    void theFirstTooLongNumberIsTheFirstOfAll(
            @ForAll @IntRange(min = -2_000, max = 2_000) int start,
            @ForAll @IntRange(min = 1, max = 70) int step,
            @ForAll boolean up,
            @ForAll @IntRange(max = 4_000) int span,
            @ForAll @IntRange(max = 4) int format,
            @ForAll @IntRange(min = 1, max = 12) int units) {
        boolean isReversed = format == 4;
        long first = isReversed ? Math.abs(start) : start;
        long end = up ? first + span : isReversed ? Math.max(0, first - span) : first - span;
        Definition definition =
                definition(first, up ? step : -step, Math.min(first, end), Math.max(first, end), FORMATS.get(format));
        Format compiled = Format.compile(FORMATS.get(format));
        List<Long> numbers = LongStream.iterate(
                        first, definition.series()::contains, number -> number + (up ? step : -step))
                .boxed()
                .toList();
        OptionalLong expected = numbers.stream()
                .filter(number -> text(compiled, definition, number).length() > units)
                .mapToLong(Long::longValue)
                .findFirst();
        LongestText length = LongestText.of(NAME, definition, TODAY).orElseThrow();

        assertEquals(
                numbers.stream()
                        .mapToInt(number -> text(compiled, definition, number).length())
                        .max()
                        .orElseThrow(),
                length.longest().length());
        if (expected.isEmpty()) {
            assertDoesNotThrow(() -> length.requireAtMost(units));
        } else {
            ProblemException problem = assertThrows(ProblemException.class, () -> length.requireAtMost(units));
            assertEquals(ProblemType.TEXTS_TOO_LONG, problem.type());
            assertEquals(expected.getAsLong(), problem.members().get("number"));
        }
    }

    private static String text(Format format, Definition definition, long number) {
        return format.text(definition.formatContext(NAME), TODAY, number);
    }

    /** Numbers before the start count because they can be imported. */
    @Test
    void numbersBeforeTheStartCount() {
        LongestText length = LongestText.of(NAME, definition(1, 10, -99_999, 999, "{n}"), TODAY)
                .orElseThrow();

        assertEquals("-99999", length.longest());
        ProblemException problem = assertThrows(ProblemException.class, () -> length.requireAtMost(3));
        assertEquals(-99_999L, problem.members().get("number"));
    }

    /**
     * Compares with a search through every text. The first round of a cycle starts at the start value, the later rounds
     * at the end of the range.
     */
    @ParameterizedTest
    @CsvSource({"10, 10, 1, 100, 100", "-10, -10, -100, -1, -10", "7, 5, -13, 99, -13", "90, 7, 1, 104, 104"})
    void everyRoundOfACycleCounts(long start, long increment, long min, long max, long tooLong) {
        Definition cycle = DefinitionDraft.EMPTY
                .with(DefinitionField.CYCLE, true)
                .over(definition(start, increment, min, max, "{n}"))
                .complete(NAME, NOW);
        Series series = cycle.series();
        List<String> texts = LongStream.concat(round(series.start(), series), round(series.roundStart(), series))
                .mapToObj(Long::toString)
                .toList();
        LongestText length = LongestText.of(NAME, cycle, TODAY).orElseThrow();

        int longest = texts.stream().mapToInt(String::length).max().orElseThrow();
        assertEquals(longest, length.longest().length());
        assertDoesNotThrow(() -> length.requireAtMost(longest));
        ProblemException problem = assertThrows(ProblemException.class, () -> length.requireAtMost(2));
        assertEquals(tooLong, problem.members().get("number"));
    }

    private static LongStream round(long first, Series series) {
        return LongStream.iterate(first, series::contains, number -> number + series.increment());
    }

    @Test
    void theWidestRangeThereIs() {
        Definition widest = definition(-Series.LARGEST_VALUE, 1, -Series.LARGEST_VALUE, Series.LARGEST_VALUE, "{n}");

        assertEquals(
                20, LongestText.of(NAME, widest, TODAY).orElseThrow().longest().length());
    }
}
