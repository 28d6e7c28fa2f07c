package dev.numera.functions.http.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.Upload;
import java.util.List;
import org.junit.jupiter.api.Test;

class UploadedRowsTest {
    @Test
    void cellsAndRowsCountBesideCharacters() {
        assertEquals(40, UploadedRows.roomFor(""));
        assertEquals(40 + 5, UploadedRows.roomFor("0123456789"));
        assertEquals(40 + 5 + 9 * 8, UploadedRows.roomFor("a,,,;;;\t\t\t"));
        assertEquals(40 + 2 + 3 * 32, UploadedRows.roomFor("a\r\n\n"));
        assertEquals(40 + 10, UploadedRows.roomFor("\u6570".repeat(10)));
    }

    @Test
    void twoFormsOfAKeyAreARepetition() {
        UploadedRows rows = new UploadedRows(ListColumns.ofKeys(null, 1));
        rows.add("line 1", 1, List.of("M\u00fcller"));
        rows.add("line 2", 2, List.of("Mu\u0308ller"));
        ProblemException wrong = assertThrows(ProblemException.class, rows::requireRight);
        assertEquals("line 2 repeats the key of line 1: each key gets one number.", wrong.getMessage());
    }

    @Test
    void aRowIsKeptAsItWasSent() {
        UploadedRows rows = new UploadedRows(ListColumns.ofKeys(null, 1));
        rows.add("line 1", 1, List.of("Mu\u0308ller"));
        assertEquals(List.of(List.of("Mu\u0308ller")), rows.content().rows());
    }

    @Test
    void formsOfAnIdNameOneUpload() {
        SequenceName sequence = new SequenceName("App1", "invoice");
        assertEquals(
                Upload.Id.ofKey(sequence, Upload.Kind.BATCH, "M\u00fcller"),
                Upload.Id.ofKey(sequence, Upload.Kind.BATCH, "Mu\u0308ller"));
    }
}
