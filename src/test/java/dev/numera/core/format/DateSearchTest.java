package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DateSearchTest {
    /** The calendar repeats after 400 years, so these dates cover every text without a year. */
    @Test
    void withoutAYearEveryDateThatThereCanBeIsFound() {
        FormatContext context = new FormatContext("1", "order", 1, 9, ResetEvery.NEVER, 1);
        Format format = Format.compile("{MM}-{dd}-{DDD}-{ww}-{n}");
        Set<String> texts = new HashSet<>();
        for (LocalDate date = LocalDate.of(1601, 1, 1); date.getYear() <= 2000; date = date.plusDays(1)) {
            texts.add(format.text(context, date, 5));
        }
        for (String text : texts) {
            assertEquals(
                    new ParsedText(5, Period.ALWAYS), format.parse(text, context, LocalDate.of(2026, 11, 21)), text);
        }
    }
}
