package dev.numera.functions.http.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.sun.management.ThreadMXBean;
import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageAccount;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.WriteResult;
import dev.numera.functions.App;
import dev.numera.functions.http.Requests;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.lists.Imports;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.OldUploads;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadStore;
import dev.numera.sequences.lists.Uploads;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.ArgumentMatchers;

/** Rows of an import are read once, or not at all if the key of the import belongs to another list. */
class ImportReadOnceTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private final App app = mock(App.class);
    private final UploadStore store = mock(UploadStore.class);
    private final Imports imports = mock(Imports.class);

    @BeforeEach
    void wire() {
        Sequences sequences = mock(Sequences.class);
        StorageAccount storage = mock(StorageAccount.class);
        when(app.sequences()).thenReturn(sequences);
        when(sequences.imports()).thenReturn(imports);
        when(app.storage()).thenReturn(storage);
        when(storage.queue(ArgumentMatchers.anyString())).thenReturn(mock(MessageQueue.class));
        when(app.uploads())
                .thenReturn(new Uploads(
                        store,
                        new ListWork(null, imports),
                        new OldUploads(store, () -> NOW, Duration.ofDays(30)),
                        () -> NOW));
        when(imports.marked(ArgumentMatchers.any(), ArgumentMatchers.any())).thenAnswer(call -> call.getArgument(1));
        when(store.find(ArgumentMatchers.any())).thenReturn(Optional.empty());
        when(store.insert(ArgumentMatchers.any())).thenAnswer(call -> {
            when(store.find(ArgumentMatchers.any())).thenReturn(Optional.of(call.getArgument(0)));
            return new WriteResult.Won("version");
        });
    }

    @Test
    void anotherListUnderAUsedKeyIsRefusedUnread() {
        assertEquals(202, send("key,number\na,1\n").getStatusCode());

        HttpResponseMessage answer = send("no list at all");

        assertEquals(422, answer.getStatusCode());
        assertTrue(answer.getBody().toString().contains("key-reused"), () -> "" + answer.getBody());
    }

    @Test
    void anImportUnderWayIsNotReadAgain() {
        String list = "key,number\na,1\n";
        send(list);
        Upload sent = store.find(null).orElseThrow();
        when(store.find(ArgumentMatchers.any())).thenReturn(Optional.of(underWay(sent)));

        assertEquals(202, send(list).getStatusCode());

        org.mockito.Mockito.verify(store, org.mockito.Mockito.times(1))
                .insertParts(ArgumentMatchers.any(), ArgumentMatchers.any());
    }

    /** A known import is accepted like a known list of keys; its rows are processed when the sequence is resumed. */
    @Test
    void aKnownImportIsAcceptedWhileItsSequenceIsStopped() {
        String list = "key,number\na,1\n";
        send(list);
        doThrow(new ProblemException(ProblemType.SUSPENDED, "Stocktaking."))
                .when(imports)
                .requirePossible(ArgumentMatchers.any());

        HttpResponseMessage again = send(list);

        assertEquals(202, again.getStatusCode());
        assertTrue(again.getHeader("Location").contains("/imports/"), () -> again.getHeader("Location"));
        assertEquals(422, send("key,number\na,2\n").getStatusCode());
    }

    @Test
    void aNewImportIsRefusedUnreadWhileItsSequenceIsStopped() {
        doThrow(new ProblemException(ProblemType.SUSPENDED, "Stocktaking."))
                .when(imports)
                .requirePossible(ArgumentMatchers.any());

        assertEquals(503, send("no list at all").getStatusCode());

        org.mockito.Mockito.verify(store, org.mockito.Mockito.never()).insert(ArgumentMatchers.any());
    }

    @Test
    void shuffledRowsAreReadAsOftenAsSortedOnes() {
        List<Integer> numbers = IntStream.rangeClosed(1, 5_000).boxed().collect(Collectors.toList());
        send(list(numbers.subList(0, 100)));
        long sorted = allocatedBy(list(numbers));
        Collections.shuffle(numbers, new Random(1));
        long shuffled = allocatedBy(list(numbers));

        assertTrue(shuffled < 2 * sorted, () -> shuffled + " bytes for shuffled rows, " + sorted + " for sorted ones");
        ArgumentCaptor<List<Upload.Content>> parts = ArgumentCaptor.captor();
        org.mockito.Mockito.verify(store, org.mockito.Mockito.atLeastOnce())
                .insertParts(ArgumentMatchers.any(), parts.capture());
        assertEquals(
                IntStream.rangeClosed(1, 5_000).mapToObj(String::valueOf).toList(),
                parts.getValue().stream()
                        .flatMap(part -> part.rows().stream())
                        .map(row -> row.get(1))
                        .toList());
    }

    private long allocatedBy(String list) {
        when(store.find(ArgumentMatchers.any())).thenReturn(Optional.empty());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertEquals(202, send(list).getStatusCode());
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static String list(List<Integer> numbers) {
        return numbers.stream()
                .map(number -> "key-" + number + "," + number + ",2026-11-21\n")
                .collect(Collectors.joining("", "key,number,date\n", ""));
    }

    private HttpResponseMessage send(String body) {
        HttpRequestMessage<Optional<String>> request = Requests.of(
                "/api/sequences/App1/order/imports",
                body,
                Map.of("content-type", "text/csv", "idempotency-key", "one"));
        return new ListFunctions(app).importNumbers(request, "App1", "order");
    }

    private static Upload underWay(Upload upload) {
        return new Upload(
                new Upload.Id(
                        new SequenceName("App1", "order"),
                        Upload.Kind.IMPORT,
                        upload.id().id()),
                upload.fingerprint(),
                upload.sentAt(),
                upload.columns(),
                upload.actor(),
                upload.items(),
                upload.parts(),
                new Upload.Progress(1, 1, 1, 0),
                upload.movedAt(),
                "version");
    }
}
