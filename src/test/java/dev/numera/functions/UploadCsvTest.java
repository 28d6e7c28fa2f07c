package dev.numera.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Numbering;
import dev.numera.sequence.Numbers;
import dev.numera.sequence.UploadLayout;
import dev.numera.sequence.Uploads;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UploadCsvTest {
    @Test
    void quotesHoldCommasLineBreaksAndQuotes() {
        UploadedRows rows = UploadCsv.read("id,note\r\n1,\"a, \"\"b\"\"\r\nc\"\r\n2,\r\n", null, null);

        assertEquals(new UploadLayout(List.of("id", "note"), 0, UploadLayout.NO_COLUMN, null, 1), rows.layout());
        assertEquals(List.of(List.of("1", "a, \"b\"\r\nc"), List.of("2", "")), rows.rows());
    }

    @ParameterizedTest
    @ValueSource(strings = {"id\r\n1\r\n2\r\n", "id\n1\n2", "id\r1\r2", "\"id\"\n\"1\"\n\"2\"\n"})
    void linesEndAsTheyMay(String text) {
        assertEquals(List.of(List.of("1"), List.of("2")), UploadCsv.read(text, null, null).rows());
    }

    @Test
    void columnsAreFoundByTheirNames() {
        UploadLayout layout = UploadCsv.read("day,id\n2026-11-21,1\n", "id", "day").layout();

        assertEquals(1, layout.keyColumn());
        assertEquals(0, layout.dateColumn());
    }

    @Test
    void moreKeysThanAnUploadMayHaveAreTooLarge() {
        String text = "id\n" + IntStream.rangeClosed(0, Uploads.MAX_ITEMS).mapToObj(Integer::toString).collect(Collectors.joining("\n"));

        assertEquals(ProblemType.TOO_LARGE, assertThrows(ProblemException.class, () -> UploadCsv.read(text, null, null)).type());
    }

    @Test
    void aRowThatNoPropertyHoldsIsRefused() {
        String text = "id,note\n1,a\n2," + "x".repeat(Uploads.MAX_ROW_UNITS);

        assertEquals("line 3 has more than 30000 characters as JSON.",
                assertThrows(ProblemException.class, () -> UploadCsv.read(text, null, null)).getMessage());
    }

    /** Each empty value takes its quotes and a comma in storage: a row of them was stored in part, and then refused for its size. */
    @Test
    void emptyColumnsCountToo() {
        String commas = ",".repeat(Uploads.MAX_ROW_UNITS / 3);

        assertEquals("header has more than 30000 characters as JSON.",
                assertThrows(ProblemException.class, () -> UploadCsv.read("id" + commas + "\n", null, null)).getMessage());
    }

    @Test
    void whatIsWrittenIsWhatWasReadWithNumbersAndTexts() {
        UploadLayout layout = new UploadLayout(List.of("id", "note, or so"), 0, UploadLayout.NO_COLUMN, null, 1);
        Uploads.Item numbered = new Uploads.Item(List.of("1", "a \"b\"\r\nc"), answer(new Numbers("1", 7, 7, 1, 1, List.of("N,7"), false)));
        Uploads.Item refused =
                new Uploads.Item(List.of("2", ""), new Numbering.Answer(null, new ProblemException(ProblemType.EXHAUSTED, "None left.")));
        Uploads.Item several = new Uploads.Item(List.of("3", "x"), answer(new Numbers("3", 8, 4, 3, -2, null, false)));

        assertEquals("id,\"note, or so\",number,text\r\n1,\"a \"\"b\"\"\r\nc\",7,\"N,7\"\r\n2,,,\r\n3,x,8,\r\n3,x,6,\r\n3,x,4,\r\n",
                UploadCsv.write(layout, Stream.of(numbered, refused, several)));
    }

    private static Numbering.Answer answer(Numbers numbers) {
        return new Numbering.Answer(numbers, null);
    }
}
