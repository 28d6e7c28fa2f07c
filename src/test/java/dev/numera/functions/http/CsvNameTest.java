package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The names of downloaded files. */
class CsvNameTest {
    @Test
    void namesSortBySequenceThenContentThenDate() {
        List<String> sorted = Stream.of("2025-12-31", "2026-01-01", "2026-11-02")
                .map(day -> CsvName.of("shop", "invoice", "ledger", null, LocalDate.parse(day))
                        .text())
                .toList();

        assertEquals("shop-invoice-ledger-2025-12-31.csv", sorted.get(0));
        assertEquals(sorted, sorted.stream().sorted().toList());
    }

    @Test
    void noCharacterHasAMeaningInAHeaderOrAPath() {
        assertEquals(
                "attachment; filename=\"a_b__.._c-d.csv\"",
                CsvName.of("a\"b/\\../c", "d").disposition());
    }
}
