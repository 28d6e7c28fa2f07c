package dev.numera.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckedTest {
    private static final String DATE_CHARACTERS = "0123456789012345678901234567890123456789----+T:/ ٣";

    private static Checked checked(String json) {
        return Checked.parse(json, "it", (place, reason) -> new IllegalArgumentException(place + " " + reason));
    }

    private static LocalDate date(String text) {
        try {
            return checked(Json.of(text).toString()).date();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The JDK's parser also takes years beyond 9999 and before 1, which are refused here. */
    private static LocalDate ofTheJdk(String text) {
        try {
            LocalDate date = LocalDate.parse(text);
            return date.getYear() < 1 || date.getYear() > 9_999 ? null : date;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static void requireSame(String text) {
        assertEquals(ofTheJdk(text), date(text), text);
    }

    @Test
    void readsTheDatesThatTheJdkReads() {
        for (LocalDate day = LocalDate.of(1, 1, 1); day.getYear() <= 9_999; day = day.plusDays(97)) {
            requireSame(day.toString());
        }
        for (int month = 0; month <= 13; month++) {
            for (int day = 0; day <= 32; day++) {
                requireSame(String.format("2024-%02d-%02d", month, day));
                requireSame(String.format("2026-%02d-%02d", month, day));
            }
        }
        for (String text : "0000-01-01 -001-01-01 +2026-01-01 10000-01-01 2026-1-01 2026-01-1 26-01-01".split(" ")) {
            requireSame(text);
        }
    }

    @Test
    void readsNoDateThatTheJdkRefuses() {
        Random random = new Random(20_261_121);
        for (int text = 0; text < 20_000; text++) {
            StringBuilder changed = new StringBuilder("2026-11-21");
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                char character = DATE_CHARACTERS.charAt(random.nextInt(DATE_CHARACTERS.length()));
                changed.setCharAt(random.nextInt(changed.length()), character);
            }
            requireSame(changed.toString());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[1, 5]]                  | it[0][1] must be an integer from 1 to 4, not 5",
                "[[1, 0]]                  | it[0][1] must be an integer from 1 to 4, not 0",
                "[[1, 9223372036854775808]]| it[0][1] must be an integer from 1 to 4, not 9223372036854775808",
                "[[1, 2.5]]                | it[0][1] must be an integer from 1 to 4, not 2.5",
                "[[1, \"2\"]]              | it[0][1] must be an integer from 1 to 4, not \"2\""
            })
    void namesThePlaceAndTheBoundsOfAWrongInteger(String json, String message) {
        Checked wrong = checked(json).elements(1, 9).get(0).elements(2, 2).get(1);
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> wrong.int64(1, 4))
                        .getMessage());
    }

    @Test
    void namesTheMemberOfAnElement() {
        Checked missing = checked("[{\"a\": {\"b\": 1}}]")
                .elements(1, 1)
                .get(0)
                .member("a")
                .member("c");
        assertEquals(
                "it[0].a.c is missing: it must be true or false",
                assertThrows(IllegalArgumentException.class, missing::bool).getMessage());
    }
}
