package dev.numera.functions.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
