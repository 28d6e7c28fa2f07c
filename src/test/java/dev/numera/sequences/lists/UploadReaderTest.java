package dev.numera.sequences.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyCollection;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.ledger.LedgerLine;
import dev.numera.sequences.ledger.LedgerReader;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The texts of rows with several numbers are only in the ledger, so the keys of a part are looked up together. */
class UploadReaderTest {
    private static final SequenceName NAME = new SequenceName("App1", "order");
    private static final LocalDate DAY = LocalDate.of(2026, 11, 21);
    private static final List<List<String>> ROWS = List.of(List.of("a"), List.of("b"), List.of("c"));
    private static final ListColumns KEYS = ListColumns.ofKeys(null, 2);
    private static final Upload UPLOAD = new Upload(
            Upload.Id.random(NAME, Upload.Kind.BATCH),
            "f",
            Instant.EPOCH,
            KEYS,
            null,
            3,
            1,
            new Upload.Progress(1, 3, 2, 0),
            Instant.EPOCH,
            null);

    private final UploadStore store = mock();
    private final LedgerReader ledger = mock();
    private final UploadReader reader = new UploadReader(store, ledger);

    @BeforeEach
    void store() {
        when(store.part(UPLOAD, 1)).thenReturn(new Upload.Content(KEYS, ROWS));
        when(ledger.present(any(), any())).thenAnswer(call -> call.getArgument(1));
    }

    private void answers(List<Result<PrintedAllocation>> results) {
        when(store.answers(any(), anyInt(), anyInt())).thenReturn(results);
    }

    private List<List<String>> texts() {
        return reader.all(UPLOAD)
                .map(row -> row.result().value())
                .map(printed -> printed == null || printed.texts() == null ? List.<String>of() : printed.texts())
                .toList();
    }

    private static Result<PrintedAllocation> numbers(long first, int count, String text) {
        return Result.of(
                PlainNumbers.of(null, first, first + count - 1, count, 1, text == null ? null : List.of(text), false));
    }

    private static LedgerLine entry(String key, long first, String... texts) {
        return new LedgerLine(
                key,
                first,
                first + texts.length - 1,
                texts.length,
                List.of(texts),
                "",
                DAY,
                Instant.EPOCH,
                Status.SIMPLY_ISSUED,
                null,
                null,
                null);
    }

    @Test
    void rowsWithSeveralNumbersAreLookedUpTogether() {
        answers(List.of(
                numbers(1, 2, null), Result.refused(InvalidRequest.because("key", "is wrong")), numbers(3, 2, null)));
        when(ledger.find(NAME, List.of("a", "c")))
                .thenReturn(Map.of("a", entry("a", 1, "A-1", "A-2"), "c", entry("c", 3, "A-3", "A-4")));

        assertEquals(List.of(List.of("A-1", "A-2"), List.of(), List.of("A-3", "A-4")), texts());
        verify(ledger).find(any(), anyCollection());
    }

    @Test
    void rowsWithOneNumberHaveTheirTextAlready() {
        answers(List.of(numbers(1, 1, "A-1"), numbers(2, 1, "A-2"), numbers(3, 1, "A-3")));

        assertEquals(List.of(List.of("A-1"), List.of("A-2"), List.of("A-3")), texts());
        verify(ledger, never()).find(any(), anyCollection());
    }
}
