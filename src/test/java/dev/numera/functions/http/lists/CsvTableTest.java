package dev.numera.functions.http.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.format.DatePattern;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.functions.http.CsvForm;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.CellNotation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.RowResult;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells of a CSV table, read as a person means them: a key that is read differently would get a second number. */
class CsvTableTest {
    private static final Map<ListColumns.Field, Integer> KEY = Map.of(ListColumns.Field.KEY, 0);
    private static final Result<PrintedAllocation> REFUSED =
            Result.refused(new ProblemException(ProblemType.NUMBER_TAKEN, "Taken."));

    @ParameterizedTest
    @ValueSource(strings = {"+49-1", "=A1", "'=A1", "''=A1", "'+49", "+49", "a;-1", "a;'-1", "\t=1", "-", "'a"})
    void refusedRowsComeBackAsTheyWereSent(String key) {
        String written = refused(new ListColumns(List.of("key", key), KEY), List.of(key, "1"));

        UploadedRows read = imported(written);

        assertEquals(List.of(List.of(key, "1")), read.asRead());
        assertEquals(List.of("key", key), read.layout().columns());
        assertEquals(written, refused(read.layout(), read.asRead().get(0)));
    }

    @Test
    void aSpreadsheetMayMoveColumnsOfOurs() {
        UploadedRows read = imported("line;key;number;date;outcome;problem\n"
                + "2;'+49-1;2;2026-01-05;refused;\"date must\"\n"
                + "3;'=A1;3;;refused;\n");

        assertEquals(List.of("key", "number", "date"), read.layout().columns());
        assertEquals(List.of(List.of("+49-1", "2", "2026-01-05"), List.of("=A1", "3", "")), read.asRead());
    }

    /** The uploaded file has columns with the names of Numera's own columns. Only Numera's are removed. */
    @Test
    void columnsOfTheFileStay() {
        ListColumns columns = new ListColumns(List.of("key", "Line", "problem"), KEY);
        String written = refused(columns, List.of("k", "7", "none"));

        assertEquals(
                "key,Line,problem,numera_line,outcome,numera_problem",
                written.lines().findFirst().orElse(""));
        assertEquals(
                List.of("key", "Line", "problem"), imported(written).layout().columns());
    }

    /** The column was once lost when the user sent the corrected row again. */
    @Test
    void aColumnThatIsCalledLikeAStoredValueStays() {
        ListColumns columns = new ListColumns(List.of("key", "stored_date"), KEY);
        String written = refused(columns, List.of("k", "2024-01-02"));

        assertEquals(
                "key,stored_date,line,outcome,problem",
                written.lines().findFirst().orElse(""));
        UploadedRows read = imported(written);
        assertEquals(List.of("key", "stored_date"), read.layout().columns());
        assertEquals(List.of(List.of("k", "2024-01-02")), read.asRead());
        assertEquals(
                List.of("key", "stored_date"),
                imported(
                                "key,stored_date,line,outcome,problem,numera_stored_date,stored_status,stored_text\nk,,,,,,,\n")
                        .layout()
                        .columns());
    }

    /**
     * A user's column "numera_outcome" was once taken for the service's own, and lost when its result was sent again.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "key,numera_outcome",
                "key,numera_outcome,outcome",
                "key,outcome,numera_outcome",
                "key,numera_numera_line,Numera_Line",
                "key,numera_problem,numera_stored_date"
            })
    void aColumnThatIsCalledLikeALongerNameOfOursStays(String header) {
        List<String> names = List.of(header.split(","));
        RowResult<List<String>> row = new RowResult<>(Collections.nCopies(names.size(), "k"), REFUSED, 2, 0);
        ListColumns columns = new ListColumns(names, KEY);
        ResultCsv csv = new ResultCsv(CsvForm.PLAIN);

        assertEquals(
                names,
                imported(csv.writeRefused(columns, Stream.of(row))).layout().columns());
        assertEquals(
                names,
                imported(csv.writeImport(columns, Stream.of(row))).layout().columns());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind,number,to,text,key,period,date,allocatedAt,status,reason,statusAt,actor,statusActor",
                "KEY,KIND,allocatedat",
                "key,number,text,problem",
                "key,numera_number,text,problem,number"
            })
    void cellsOfOurOtherListsAreReadAsTheyWereToo(String header) {
        int columns = header.split(",").length;
        String row = "'=1" + ",'=1".repeat(columns - 1);

        assertEquals(
                Collections.nCopies(columns, "=1"),
                CsvLists.ofKeys(header + "\n" + row + "\n", "keyColumn=key")
                        .rows()
                        .get(0));
    }

    /** The next result states the date again. A column of the same name from the user stays. */
    @Test
    void theDateOfAnEarlierResultIsLeftOut() {
        assertEquals(
                List.of(List.of("k", "1", "", "")),
                batch("key,number,text,problem,stored_date\nk,1,,,2026-11-21\n").rows());
        UploadedRows read = batch("key,stored_date,number,text,problem,numera_stored_date\nk,7,1,,,2026-11-21\n");
        assertEquals(
                List.of("key", "stored_date", "number", "text", "problem"),
                read.layout().columns());
        assertEquals(List.of(List.of("k", "7", "1", "", "")), read.rows());
        assertEquals(
                List.of(List.of("k", "2026-11-21", "1", "", "")),
                batch("key,stored_date,number,text,problem\nk,2026-11-21,1,,\n").rows());
    }

    /** The texts of one sequence can be the keys of another one, with the same dates. */
    @Test
    void aResultCanBeUploadedByItsOwnDate() {
        String result = "cart,day,number,text,problem,stored_date\na,Monday,1,F-1,,2026-11-21\n";

        UploadedRows read = CsvLists.ofKeys(result, "keyColumn=text&dateColumn=Stored_Date");

        assertEquals(
                Map.of(ListColumns.Field.KEY, 3, ListColumns.Field.DATE, 5),
                read.layout().places());
        assertEquals("2026-11-21", read.rows().get(0).get(5));
        assertEquals(
                List.of(List.of("a", "Monday", "1", "F-1", "", "2026-11-21")),
                ListBody.numbers(
                                result,
                                CsvLists.parameters("keyColumn=cart&numberColumn=number&dateColumn=stored_date"),
                                null)
                        .asRead());
    }

    /** Headers, too, come back: a spreadsheet would make a month of 2026-11. */
    @ParameterizedTest
    @ValueSource(
            strings = {"0047", "'0047", "1-2", "+491234567", "31.03.2025", "4700120000000", "TRUE", "k", "=1", "'x"})
    void refusedRowsForASpreadsheetComeBackAsTheyWereSent(String key) {
        ListColumns columns = new ListColumns(List.of("key", key, "number"), KEY);
        ResultCsv csv = new ResultCsv(new CsvForm('\t', true, DatePattern.ISO, true));

        String written =
                csv.writeRefused(columns, Stream.of(new RowResult<>(List.of(key, "2024-01-02", "17"), REFUSED, 2, 0)));

        assertEquals(
                "'2024-01-02\t17\t2",
                written.lines().toList().get(1).replaceFirst("^[^\t]*\t", "").replaceFirst("\trefused.*", ""));
        UploadedRows read = imported(written);
        assertEquals(List.of(List.of(key, "2024-01-02", "17")), read.asRead());
        assertEquals(List.of("key", key, "number"), read.layout().columns());
    }

    @Test
    void anotherProgramsApostrophesStay() {
        assertEquals(
                List.of(List.of("'=1", "'+1")), batch("key,problem\n'=1,'+1\n").rows());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "=\"00123\",x       | 00123",
                "=\"\"\"1\"\"\",x   | ",
                "\"=\"\"00123\"\"\",x | =\"00123\"",
                "\"a \"\"b\"\"\",x  | a \"b\"",
                "\"00123\",19\" Monitor | 00123",
                "a,\"x\"\"y\"       | a",
                "a\"b,x             | ",
                "a\",x              | ",
                "` \"a\",x`         | ",
                "=\"a\" ,x          | ",
                "=\"a,b\"           | ",
            })
    void aQuoteInsideABareCellIsNoTextOfAColumnThatIsRead(String row, String key) {
        String file = "key,note\r\n\"\uD83D\uDE00\",\"1\r\n2\"\r\n" + row + "\r\n";
        if (key == null) {
            assertEquals(
                    "line 4 has a quote in the column 'key' that RFC 4180 does not allow: put the whole cell into"
                            + " quotes and double each quote in it, or delete the quote.",
                    assertThrows(ProblemException.class, () -> batch(file)).getMessage());
            return;
        }
        assertEquals(key, batch(file).rows().get(1).get(0));
    }

    @Test
    void theRightCellIsLookedAtWhereverItIs() {
        Map<ListColumns.Field, Integer> places = Map.of(ListColumns.Field.KEY, 2, ListColumns.Field.NUMBER, 3);
        UploadedRows read = UploadCsv.read(
                "a;b;key;number\n\"1;\"\"2\"\"\n\" ;5\";=\"01\";=\"7\"",
                CsvLists.separatedBy(';'),
                OwnColumns::ofImport,
                (headers, separator) -> new ListColumns(headers.names(), places));

        assertEquals(List.of("1;\"2\"\n", "5\"", "01", "7"), read.asRead().get(0));
    }

    private static String refused(ListColumns columns, List<String> row) {
        return new ResultCsv(CsvForm.PLAIN).writeRefused(columns, Stream.of(new RowResult<>(row, REFUSED, 2, 0)));
    }

    private static UploadedRows imported(String text) {
        return UploadCsv.read(text, CsvStructure.WHOLE, OwnColumns::ofImport, (headers, separator) -> new ListColumns(
                        headers.names(),
                        Map.of(ListColumns.Field.KEY, headers.place("keyColumn", "key"), ListColumns.Field.NUMBER, 1))
                .ofFile(separator, CellNotation.FILE));
    }

    private static UploadedRows batch(String text) {
        return CsvLists.ofKeys(text, "keyColumn=key&separator=comma");
    }
}
