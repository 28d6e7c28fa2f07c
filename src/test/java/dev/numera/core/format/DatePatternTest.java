package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatePatternTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource({
        "dd.MM.yyyy, , 31.03.2025, 2025-03-31",
        "M/d/yyyy, , 1/31/2025, 2025-01-31",
        "M/d/yyyy, , 01/31/2025, 2025-01-31",
        "dd/MM/yyyy, , 02/01/2025, 2025-01-02",
        "yyyyMMdd, , 20250131, 2025-01-31",
        "dd.MM.yy, 1950, 31.03.25, 2025-03-31",
        "dd.MM.yy, 1950, 31.03.50, 1950-03-31",
        "dd.MM.yy, 1950, 31.03.49, 2049-03-31",
        "dd.MM.yyyy HH:mm, , 31.12.2025 23:59, 2025-12-31",
        "M/d/yyyy H:mm, , 3/2/2025 9:05, 2025-03-02",
        "M/d/yyyy h:mm:ss a, , 3/2/2025 9:05:00 AM, 2025-03-02",
        "M/d/yyyy h:mm aX, , 12/31/2025 11:30 pmZ, 2026-01-01",
        "yyyy-MM-dd'T'HH:mm:ss.SSSX, , 2025-12-31T23:00:00.000Z, 2026-01-01",
        "yyyy-MM-dd HH:mmX, , 2025-12-31 22:59+00:00, 2025-12-31",
        "yyyy-MM-dd HH:mmX, , 2025-12-31 23:59+0100, 2025-12-31",
        "yyyy-MM-dd HH:mmX, , 2026-01-01 05:59+07, 2025-12-31",
        "yyyy'年'M'月'd'日', , 2025年3月31日, 2025-03-31",
        "d''M''yyyy, , 1'2'2025, 2025-02-01",
    })
    void readsItsNotation(String pattern, Integer century, String cell, LocalDate date) {
        assertEquals(Optional.of(date), DatePattern.of(pattern, century).read(cell, BERLIN));
    }

    @ParameterizedTest
    @CsvSource({
        "dd.MM.yyyy, 1.3.2025",
        "dd.MM.yyyy, 31.02.2025",
        "dd.MM.yyyy, 29.02.2025",
        "dd.MM.yyyy, 2025-03-31",
        "dd.MM.yyyy, 31.03.25",
        "dd.MM.yyyy, 31.03.0000",
        "dd.MM.yyyy, 31.03.20250",
        "dd.MM.yyyy, 31.03.2025 10:00",
        "dd.MM.yyyy, 45678",
        "dd.MM.yyyy, ٣١.٠٣.٢٠٢٥",
        "M/d/yyyy, 13/1/2025",
        "M/d/yyyy, +1/1/2025",
        "M/d/yyyy, 001/1/2025",
        "yyyy-MM-dd HH:mmX, 2025-12-31 22:59",
        "yyyy-MM-dd HH:mmX, 2025-12-31 22:59Z+01",
        "yyyy-MM-dd HH:mm, 2025-12-31 24:00",
        "yyyy-MM-dd HH:mm, 2025-12-31 9:05",
        "yyyy-MM-dd H:mm, 2025-12-31 24:00",
        "yyyy-MM-dd h:mm a, 2025-12-31 13:00 PM",
        "yyyy-MM-dd h:mm a, 2025-12-31 0:30 AM",
        "yyyy-MM-dd h:mm a, 2025-12-31 9:05",
        "yyyy-MM-dd HH:mmX, 9999-12-31 23:59Z",
    })
    void readsNoOtherNotation(String pattern, String cell) {
        assertEquals(Optional.empty(), DatePattern.of(pattern, null).read(cell, BERLIN));
    }

    @ParameterizedTest
    @CsvSource({
        "2025-12-31, 2025-12-31",
        "2024-02-29, 2024-02-29",
        "2025-12-31T23:59:59, 2025-12-31",
        "2025-12-31T23:00:00Z, 2026-01-01",
        "2025-12-31T23:30:00.5+01:00, 2025-12-31",
    })
    void isoReadsDaysAndTimes(String cell, LocalDate date) {
        assertEquals(Optional.of(date), DatePattern.ISO.read(cell, BERLIN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"20251231", "2025-2-1", "31.12.2025", "2025-02-29", "0000-01-01", "+12025-01-01", "", "x"})
    void isoReadsNothingElse(String cell) {
        assertEquals(Optional.empty(), DatePattern.ISO.read(cell, ZoneOffset.UTC));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yyyy",
                "MM.yyyy",
                "dd.MM",
                "dd.MM.yyyy MM",
                "dd.MM.M.yyyy",
                "yyyy.MM.dd.yyyy",
                "DD.MM.yyyy",
                "dMyyyy",
                "dd.MM.yyyy mm",
                "dd.MM.yyyy HH:mm:SSS",
                "dd.MM.yyyy X",
                "dd.MM.yyyy'",
                "dd.MM.yyyy 0",
                "",
                "dd.MMM.yyyy",
                "dd.MM.yyyyy",
                "dd.MM.yyyy a",
                "dd.MM.yyyy h:mm",
                "dd.MM.yyyy HH:mm a",
                "dd.MM.yyyy H h:mm a",
                "dd.MM.yyyy Hmm",
                "dd.MM.yyyy'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'"
            })
    void refusesAPatternThatIsNotOneDate(String pattern) {
        ProblemException problem = assertThrows(ProblemException.class, () -> DatePattern.of(pattern, null));
        assertTrue(problem.getMessage().startsWith("dateFormat "), problem.getMessage());
    }

    @Test
    void namesTheCentury() {
        Stream.of(null, 1799, 2101).forEach(century -> {
            ProblemException problem = assertThrows(ProblemException.class, () -> DatePattern.of("dd.MM.yy", century));
            assertTrue(problem.getMessage().startsWith("century "), problem.getMessage());
        });
        assertTrue(assertThrows(ProblemException.class, () -> DatePattern.of("dd.MM.yyyy", 1950))
                .getMessage()
                .startsWith("century "));
    }

    /** A stored notation must not be taken for the default, which also reads times. */
    @Test
    void theStatedDayIsAnotherNotationThanTheDefault() {
        DatePattern stated = DatePattern.of("yyyy-MM-dd", null);

        assertNotEquals(DatePattern.ISO, stated);
        assertEquals(stated, DatePattern.of("yyyy-MM-dd", null));
        assertEquals(Optional.empty(), stated.read("2025-12-31T10:00:00", ZoneOffset.UTC));
    }

    @Test
    void writesWhatItReads() {
        LocalDate date = LocalDate.of(2025, 3, 1);
        for (String pattern : new String[] {"dd.MM.yyyy", "M/d/yyyy", "yyyyMMdd", "yyyy-MM-dd'T'HH:mmX"}) {
            DatePattern compiled = DatePattern.of(pattern, null);
            assertEquals(Optional.of(date), compiled.read(compiled.write(date), ZoneOffset.UTC), pattern);
        }
        assertEquals("1.3.25", DatePattern.of("d.M.yy", 1950).write(date));
        assertEquals("2025-03-01", DatePattern.ISO.write(date));
    }
}
