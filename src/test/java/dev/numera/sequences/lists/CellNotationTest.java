package dev.numera.sequences.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.format.DatePattern;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The notation of cells. A cell that is misread would be a wrong number or date forever. */
class CellNotationTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",| |1,041|1041",
                ",| |1041|1041",
                ",| |12,345,678|12345678",
                ",| |-1,041|-1041",
                ",| |999|999",
                ".|,|1.041,00|1041",
                ".|,|1.041|1041",
                ".|,|7,0|7",
                " |.|7.000|7",
            })
    void aNumberIsReadInItsNotation(Character grouping, Character decimal, String cell, long number) {
        assertEquals(OptionalLong.of(number), new NumberNotation(grouping, decimal).read(cell));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1,04",
                "1,0411",
                "1041,1",
                "1,04,100",
                ",041",
                "1,",
                "1,041.00",
                "1,041.5",
                "1 041",
                "1041.00",
                "",
                "-,041",
                "1,,041",
                "12,34",
                "1,041,00",
                "0,1041"
            })
    void aCellInAnotherNotationIsNoNumber(String cell) {
        assertEquals(OptionalLong.empty(), new NumberNotation(',', null).read(cell));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.041,5", "1.041,", ",0", "1.041,0x", "1,041", "1.041,00,0"})
    void onlyZerosFollowTheDecimalCharacter(String cell) {
        assertEquals(OptionalLong.empty(), new NumberNotation('.', ',').read(cell));
    }

    @Test
    void aBlankBetweenGroupsIsAnyBlank() {
        NumberNotation french = new NumberNotation(' ', ',');

        for (String blank : new String[] {" ", "\u00A0", "\u202F", "\u2009"}) {
            assertEquals(OptionalLong.of(1_041_000), french.read("1" + blank + "041" + blank + "000,00"));
        }
        assertEquals(OptionalLong.empty(), french.read("1 04"));
    }

    @Test
    void wordsAreComparedWithoutCaseAndBlanks() {
        StatusMap map = StatusMap.parse("Ja=void, nein = issued,a\\,b\\=c\\\\=reserved");

        assertEquals(Status.Kind.VOID, map.kindOf("\u00A0JA ").orElseThrow());
        assertEquals(Status.Kind.ISSUED, map.kindOf("Nein").orElseThrow());
        assertEquals(Status.Kind.RESERVED, map.kindOf("A,b=c\\").orElseThrow());
        assertEquals(Status.Kind.VOID, map.kindOf("Void").orElseThrow());
        assertTrue(map.kindOf("vielleicht").isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ja", "ja=", "=void", "ja=void,", "ja=lost", "ja=void=issued", "ja\\=void", " =void"})
    void aTextThatIsNoPairIsRefused(String pairs) {
        ProblemException problem = assertThrows(ProblemException.class, () -> StatusMap.parse(pairs));
        assertTrue(problem.getMessage().startsWith("statusMap must have pairs"), problem.getMessage());
    }

    @Test
    void aWordHasOneStatus() {
        assertTrue(assertThrows(ProblemException.class, () -> StatusMap.parse("ja=void,JA =issued"))
                .getMessage()
                .startsWith("statusMap must have the word 'ja' only once"));
    }

    @Test
    void anInstantIsADateInTheZoneOfTheSequence() {
        CellNotation berlin = new CellNotation(
                true, DatePattern.ISO, ZoneId.of("Europe/Berlin"), NumberNotation.PLAIN, StatusMap.NONE, null);

        assertEquals(LocalDate.of(2026, 1, 1), berlin.date("date", "d", "2025-12-31T23:00:00Z"));
        assertEquals(LocalDate.of(2025, 12, 31), berlin.date("date", "d", "2025-12-31T23:00:00"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4,70012E+12",
                "4.7E+12",
                "4E+12",
                "#NV",
                "#N/A",
                "#REF!",
                "#WERT!",
                "#DIV/0!",
                "#\u00A1VALOR!",
                "#\u00BFNOMBRE?",
                "#DESBORDAMIENTO!",
                "Err:502",
                "########"
            })
    void aKeyThatASpreadsheetChangedIsRefusedByName(String key) {
        assertTrue(assertThrows(ProblemException.class, () -> CellNotation.FILE.requireKept("key", "Auftrag", key))
                .getMessage()
                .startsWith("key is '" + key + "' in the column 'Auftrag', because a spreadsheet changed this key"));
        CellNotation.JSON.requireKept("key", "key", key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"00470013", "1E5", "4711E", "#1", "#0", "#ABC", "#1001", "E+12", "4,7", "A4E+12"})
    void anyOtherKeyStays(String key) {
        CellNotation.FILE.requireKept("key", "Auftrag", key);
    }

    @ParameterizedTest
    @CsvSource({
        "45678, how a spreadsheet counts days",
        "#N/A, an error value of a spreadsheet",
        "31.12.2025, another notation: state it by dateFormat",
        "soon, but is 'soon' in the column 'Datum'",
    })
    void aDamagedDateIsRefusedByName(String cell, String reason) {
        String message = assertThrows(ProblemException.class, () -> CellNotation.FILE.date("date", "Datum", cell))
                .getMessage();
        assertTrue(message.startsWith("date must be a date such as 2026-11-21, but is '" + cell), message);
        assertTrue(message.contains(reason), message);
    }

    @Test
    void jsonIsReadAsItIs() {
        ListColumns json = new ListColumns(
                List.of("key", "number", "date"),
                Map.of(ListColumns.Field.KEY, 0, ListColumns.Field.NUMBER, 1, ListColumns.Field.DATE, 2));

        assertEquals("4,7E+12", json.number(List.of("4,7E+12", "1", "")).key());
        assertThrows(ProblemException.class, () -> json.number(List.of("a", "1", "2025-12-31T23:00:00Z")));
    }
}
