package dev.numera.functions.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class UploadRoomTest {
    @Test
    void cellsAndRowsCountBesideCharacters() {
        assertEquals(40, UploadRoom.of(""));
        assertEquals(40 + 5, UploadRoom.of("0123456789"));
        assertEquals(40 + 5 + 9 * 8, UploadRoom.of("a,,,;;;\t\t\t"));
        assertEquals(40 + 2 + 3 * 32, UploadRoom.of("a\r\n\n"));
        assertEquals(40 + 10, UploadRoom.of("\u6570".repeat(10)));
    }
}
