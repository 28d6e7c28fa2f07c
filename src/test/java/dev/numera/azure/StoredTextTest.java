package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredTextTest {
    /** The service's limit for a property. */
    private static final int LIMIT_UNITS = 32_768;

    private static final String PAIR = "\uD83D\uDE00";

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31_998, 31_999, 32_000, 32_001, 32_768, 63_999, 64_000, 64_001, 200_000, 330_000})
    void aTextOfAnyLengthComesBack(int units) {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, units).forEach(i -> text.append((char) ('a' + i % 23)));

        requireKept(text.toString());
    }

    /** A lone surrogate would be replaced in transit. */
    @Test
    void noPairOfSurrogatesIsSplit() {
        for (int before = 31_996; before <= 32_002; before++) {
            requireKept("x".repeat(before) + PAIR + "y".repeat(40_000) + PAIR);
        }
        requireKept("x" + PAIR.repeat(100_000));
        requireKept(PAIR.repeat(100_000));
    }

    @Test
    void textsOfOtherNamesAreKeptApart() {
        TableEntity row = new TableEntity("p", "r").addProperty("rows", "other").addProperty("rowsDone", 5);
        StoredRow.putLong(row, "rows", "x".repeat(40_000));
        StoredRow.putLong(row, "answers", "y");

        assertEquals("x".repeat(40_000), new StoredRow("table", row).longText("rows"));
        assertEquals("y", new StoredRow("table", row).longText("answers"));
        assertEquals("y", row.getProperty("answers0"));
    }

    /** Rows are changed by a merge, which removes no properties. */
    @Test
    void aShorterTextOverALongerOneIsTheShorterOne() {
        TableEntity row = new TableEntity("p", "r");
        StoredRow.putLong(row, "rows", "x".repeat(70_000));
        StoredRow.putLong(row, "rows", "y".repeat(40_000));

        assertEquals("y".repeat(40_000), new StoredRow("table", row).longText("rows"));
    }

    private static void requireKept(String text) {
        TableEntity row = new TableEntity("p", "r");
        StoredRow.putLong(row, "rows", text);
        List<String> pieces = IntStream.iterate(0, i -> row.getProperty("rows" + i) != null, i -> i + 1)
                .mapToObj(i -> (String) row.getProperty("rows" + i))
                .toList();

        assertTrue(pieces.stream().allMatch(piece -> piece.length() <= LIMIT_UNITS), "too long");
        assertTrue(pieces.size() <= text.length() / 31_999 + 2, () -> pieces.size() + " properties");
        for (String piece : pieces) {
            assertFalse(!piece.isEmpty() && Character.isLowSurrogate(piece.charAt(0)), "begins within a pair");
        }
        assertEquals(text, String.join("", pieces));
        assertEquals(text, new StoredRow("table", row).longText("rows"));
    }
}
