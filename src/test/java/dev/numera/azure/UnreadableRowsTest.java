package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.azure.WrongValues.Column;
import dev.numera.azure.WrongValues.RowKind;
import dev.numera.core.retry.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damages every column of every kind of row, with a value of another type, no value, a huge one and one of another row.
 * The failure names the row and the property, and the neighboring row stays readable.
 */
class UnreadableRowsTest {
    /**
     * A row with one wrong value.
     *
     * @param value the wrong value, or null to remove the column
     */
    record Case(RowKind kind, Column column, Object value) {
        @Override
        public String toString() {
            String shown = String.valueOf(value);
            return kind + " " + column.name() + " = "
                    + (value == null ? "" : value.getClass().getSimpleName() + " ")
                    + (shown.length() > 60 ? shown.substring(0, 60) + "…" : shown);
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (RowKind kind : RowKind.values()) {
            for (Column column : kind.columns()) {
                column.wrong().forEach(value -> cases.add(new Case(kind, column, value)));
            }
        }
        return cases.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aWrongValueIsReportedWithTableRowAndProperty(Case wrong) {
        RowsInMemory rows = new RowsInMemory();
        rows.put(wrong.kind().row());
        rows.put(wrong.kind().neighbor());
        assertDoesNotThrow(() -> wrong.kind().read(rows.table()));
        TableEntity spoilt =
                WrongValues.spoilt(wrong.kind().row(), wrong.column().property(), wrong.value());
        rows.put(spoilt);

        StoreFailure failure =
                assertThrows(StoreFailure.class, () -> wrong.kind().read(rows.table()));

        String message = failure.getMessage();
        assertTrue(message.contains("in table table") && message.contains("cannot be read"), message);
        assertTrue(message.contains("The row " + spoilt.getRowKey() + " of " + spoilt.getPartitionKey()), message);
        assertTrue(names(message, wrong.column().name()), message);
        assertTrue(message.length() < 600, message);
        assertFalse(failure.isWorthRetrying());
        RowsInMemory besides = new RowsInMemory();
        besides.put(spoilt);
        besides.put(wrong.kind().neighbor());
        assertDoesNotThrow(() -> wrong.kind().readNeighbor(besides.table()));
    }

    /** Whether the message names the property. If values contradict each other, any of them may be named. */
    private static boolean names(String message, String property) {
        List<String> contradicting = Stream.of(
                        List.of("first", "last", "count", "period", "entries"),
                        List.of("text", "formatRevision"),
                        List.of("start", "minValue", "maxValue"),
                        List.of("items", "itemsDone", "itemsNumbered", "itemsAlreadyThere", "parts", "partsDone"))
                .filter(group -> group.contains(property))
                .findFirst()
                .orElse(List.of(property));
        return contradicting.stream()
                .anyMatch(name -> message.matches("(?s).* its property (\\w+, )*(\\w+ or )?" + name + "\\d?\\b.*"));
    }

    /** Ensures that the test above covers every column. */
    @Test
    void everyStoredColumnIsCheckedWhenRead() {
        for (RowKind kind : RowKind.values()) {
            List<String> spoilt = kind.columns().stream().map(Column::property).toList();
            kind.row().getProperties().keySet().stream()
                    .filter(property -> !List.of("PartitionKey", "RowKey", "Timestamp", "odata.etag")
                            .contains(property))
                    .filter(property ->
                            !property.matches("(formats|requests|numbers|columns|rows|lines|repetitions|answers)1"))
                    .forEach(property -> assertTrue(spoilt.contains(property), kind + " " + property));
        }
    }
}
