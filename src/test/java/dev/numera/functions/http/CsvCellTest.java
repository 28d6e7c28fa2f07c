package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Cells of CSV that a spreadsheet must not run. The app and its console share one table of examples. */
class CsvCellTest {
    private static final Path CELLS = Path.of("src/test/resources/dev/numera/functions/csv-cells.json");
    private static final Path CONSOLE = Path.of("src/test/console/csvCells.mjs");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, String> cells = read();

    @Test
    void noCellIsAFormulaWhateverSeparatesCells() {
        Map<String, String> harmless = new TreeMap<>();
        cells.keySet().forEach(text -> harmless.put(text, CsvCell.harmless(text)));

        assertEquals(cells, harmless);
    }

    /** A list that is downloaded and sent again keeps its cells, however often this is repeated. */
    @Test
    void aCellIsReadAsTheTextThatWasWritten() {
        cells.forEach((text, cell) -> {
            assertEquals(text, CsvCell.meant(cell));
            assertEquals(cell, CsvCell.meant(CsvCell.harmless(cell)));
        });
    }

    @Test
    void noTwoTextsBecomeOneCell() {
        assertEquals(cells.size(), Set.copyOf(cells.values()).size());
    }

    @Test
    void theConsoleWritesTheSameCells() throws Exception {
        Program node = Program.node(CONSOLE, List.of(CELLS.toString()));

        assertEquals(0, node.exit(), node.output());
        assertEquals(cells, parsed(node.output()));
    }

    private static Map<String, String> read() {
        try {
            return JSON.readValue(CELLS.toFile(), new TypeReference<TreeMap<String, String>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> parsed(String json) throws IOException {
        return JSON.readValue(json, new TypeReference<TreeMap<String, String>>() {});
    }
}
