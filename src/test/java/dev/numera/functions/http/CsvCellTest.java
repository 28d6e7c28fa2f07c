package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cells of CSV that a spreadsheet must neither run nor convert. The app and its console share one table of examples:
 * each text with its plain cell and its cell for a spreadsheet.
 */
class CsvCellTest {
    private static final Path CELLS = Path.of("src/test/resources/dev/numera/functions/csv-cells.json");
    private static final Path CONSOLE = Path.of("src/test/console/csvCells.mjs");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int RANDOM_TEXTS = 20_000;

    private final Map<String, List<String>> cells = read();

    @Test
    void noCellIsAFormulaOrConverted() {
        Map<String, List<String>> written = new TreeMap<>();
        cells.keySet().forEach(text -> written.put(text, List.of(CsvCell.harmless(text), CsvCell.preserved(text))));

        assertEquals(cells, written);
    }

    /** A list that is downloaded and sent again keeps its cells, however often this is repeated. */
    @Test
    void aCellIsReadAsTheTextThatWasWritten() {
        cells.forEach((text, both) -> both.forEach(cell -> assertEquals(text, CsvCell.meant(cell))));
    }

    /** Random texts of the characters that the rules distinguish, so that no combination is read as another text. */
    @Test
    void anyTextIsReadAsItWasWritten() {
        Random random = new Random(58);
        List<String> parts = List.of(
                "'", "'", "\"", "=", "+", "-", "@", "0", "7", ".", ",", ";", "/", ":", " ", "\t", "\n", "E", "T", "a",
                "x", "Mar", "true", "#", "%", "ä", "\uFF1D");
        for (int i = 0; i < RANDOM_TEXTS; i++) {
            String text = IntStream.range(0, random.nextInt(8))
                    .mapToObj(at -> parts.get(random.nextInt(parts.size())))
                    .collect(Collectors.joining());
            assertEquals(text, CsvCell.meant(CsvCell.harmless(text)));
            assertEquals(text, CsvCell.meant(CsvCell.preserved(text)));
            String cell = CsvCell.preserved(text);
            assertTrue(cell.startsWith("'") || cell.startsWith("\"") || !SpreadsheetConversion.changes(cell), cell);
        }
    }

    /** The simulated program is cruder than real ones. {@code SpreadsheetRoundTripIT} uses LibreOffice. */
    @ParameterizedTest
    @EnumSource
    void aSimulatedSpreadsheetKeepsCells(SimulatedSpreadsheet spreadsheet) {
        cells.forEach((text, both) ->
                assertEquals(text, CsvCell.meant(spreadsheet.saved(both.get(1))), () -> "The cell " + both.get(1)));
    }

    /** The simulation would prove nothing if it damaged no cell. */
    @Test
    void aSimulatedSpreadsheetDamagesPlainCells() {
        List.of("0047", "12345678901234567", "1E5", "1-2", "2026-11-21", "=1+1", "+491234567")
                .forEach(text -> assertNotEquals(text, SimulatedSpreadsheet.GERMAN.saved(text)));
        assertEquals("01.02.2026", SimulatedSpreadsheet.GERMAN.saved("1.2"));
        assertEquals("WAHR", SimulatedSpreadsheet.GERMAN.saved("wahr"));
        assertEquals("03/04/2026", SimulatedSpreadsheet.AMERICAN.saved("3/4"));
        assertEquals("1041", SimulatedSpreadsheet.AMERICAN.saved("1,041"));
        assertEquals("cart-5cb1", SimulatedSpreadsheet.AMERICAN.saved("cart-5cb1"));
    }

    @Test
    void theConsoleWritesTheSameCells() throws Exception {
        Program node = Program.node(CONSOLE, List.of(CELLS.toString()));

        assertEquals(0, node.exit(), node.output());
        assertEquals(cells, JSON.readValue(node.output(), new TypeReference<TreeMap<String, List<String>>>() {}));
    }

    private static Map<String, List<String>> read() {
        try {
            return JSON.readValue(CELLS.toFile(), new TypeReference<TreeMap<String, List<String>>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
