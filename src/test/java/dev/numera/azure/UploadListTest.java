package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.StoreFailure;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The list of a sequence's uploads. */
class UploadListTest {
    private static final SequenceName ORDER = new SequenceName("App1", "order");
    private static final Instant SENT = Instant.parse("2026-11-21T12:00:00.123Z");

    private final RowsInMemory rows = new RowsInMemory();
    private final TableUploadStore store = rows.uploads();

    private static Upload.Id id(int number, Upload.Kind kind) {
        return new Upload.Id(ORDER, kind, String.format("%032x", number));
    }

    private static Upload upload(Upload.Id id, Instant sentAt) {
        return new Upload(
                id,
                "fingerprint",
                sentAt,
                ListColumns.ofKeys(null, 1),
                "anna@example.com",
                3,
                1,
                new Upload.Progress(0, 0, 0, 0),
                sentAt,
                null);
    }

    private Upload insert(int number, Upload.Kind kind) {
        Upload upload = upload(id(number, kind), SENT.plusMillis(number));
        assertTrue(store.insert(upload).isWon());
        return upload;
    }

    private static List<String> ids(Page<UploadStore.Listed, String> page) {
        return page.items().stream().map(UploadStore.Listed::id).toList();
    }

    private static String hex(int number) {
        return String.format("%032x", number);
    }

    @Test
    void theLastComesFirstAndEachIsOnOnePage() {
        for (int i = 1; i <= 7; i++) {
            insert(i, i == 4 ? Upload.Kind.IMPORT : Upload.Kind.BATCH);
        }
        store.insert(upload(new Upload.Id(new SequenceName("App1", "orders"), Upload.Kind.BATCH, hex(9)), SENT));

        List<String> listed = new ArrayList<>();
        String next = null;
        do {
            Page<UploadStore.Listed, String> page = store.list(ORDER, Upload.Kind.BATCH, 2, next);
            listed.addAll(ids(page));
            next = page.next();
        } while (next != null);

        assertEquals(List.of(hex(7), hex(6), hex(5), hex(3), hex(2), hex(1)), listed);
        assertEquals(List.of(hex(4)), ids(store.list(ORDER, Upload.Kind.IMPORT, 100, null)));
    }

    @Test
    void showsWhoSentItAndHowFarItIs() {
        Upload sent = insert(1, Upload.Kind.BATCH);
        Upload listed = store.list(ORDER, Upload.Kind.BATCH, 10, null)
                .items()
                .get(0)
                .upload()
                .orThrow();

        assertEquals(sent.actor(), listed.actor());
        assertEquals(sent.progress(), listed.progress());
        assertEquals(sent.sentAt(), listed.sentAt());
    }

    @Test
    void aRemovedUploadIsListedNoMore() {
        Upload sent = insert(1, Upload.Kind.BATCH);
        insert(2, Upload.Kind.BATCH);
        store.remove(new UploadStore.OldUpload(sent.id(), sent.sentAt()));

        assertEquals(List.of(hex(2)), ids(store.list(ORDER, Upload.Kind.BATCH, 10, null)));
        assertEquals(1, rows.rows("PartitionKey eq 'App1:order'").size());
    }

    /**
     * A crash before the upload was written or after it was removed leaves a list row. The id may then be used by a
     * later upload.
     */
    @Test
    void aRowThatLeadsToNoUploadOrToALaterOneIsNotListed() {
        Upload sent = insert(1, Upload.Kind.BATCH);
        rows.beforeEachRequest(() -> {});
        TableEntity way = rows.rows("PartitionKey eq 'App1:order'").get(0);
        store.remove(new UploadStore.OldUpload(sent.id(), sent.sentAt()));
        rows.put(way);
        assertEquals(List.of(), ids(store.list(ORDER, Upload.Kind.BATCH, 10, null)));

        store.insert(upload(sent.id(), SENT.plusSeconds(60)));
        assertEquals(List.of(hex(1)), ids(store.list(ORDER, Upload.Kind.BATCH, 10, null)));
    }

    @Test
    void whatCannotBeReadConcernsItsOwnEntry() {
        Upload sent = insert(1, Upload.Kind.BATCH);
        insert(2, Upload.Kind.BATCH);
        rows.put(new TableEntity("App1:order:" + sent.id().id(), "upload").addProperty("sentAt", "soon"));
        rows.put(new TableEntity("App1:order", "sent:batch:0:another").addProperty("id", "another"));

        List<UploadStore.Listed> listed =
                store.list(ORDER, Upload.Kind.BATCH, 10, null).items();

        assertEquals(3, listed.size());
        assertEquals(null, listed.get(0).id());
        assertEquals(
                ProblemType.STORAGE_UNAVAILABLE,
                listed.get(0).upload().refusal().type());
        assertEquals(hex(2), listed.get(1).upload().orThrow().id().id());
        assertEquals(hex(1), listed.get(2).id());
        assertTrue(listed.get(2).upload().isRefused());
    }

    @Test
    void aFailureThatMayPassIsThatOfTheWholePage() {
        insert(1, Upload.Kind.BATCH);
        int[] requests = {0};
        rows.beforeEachRequest(() -> {
            if (++requests[0] > 1) {
                throw new StoreFailure("No answer.", true, null);
            }
        });

        assertThrows(StoreFailure.class, () -> store.list(ORDER, Upload.Kind.BATCH, 10, null));
    }

    @Test
    void aPositionIsNoFilter() {
        for (String forged : List.of("", "a/b", "a#", "x".repeat(2_000))) {
            assertThrows(ProblemException.class, () -> store.list(ORDER, Upload.Kind.BATCH, 10, forged), forged);
        }
        assertEquals(List.of(), ids(store.list(ORDER, Upload.Kind.BATCH, 10, "' or RowKey ge '")));
    }
}
