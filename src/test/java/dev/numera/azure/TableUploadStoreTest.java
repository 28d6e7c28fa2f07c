package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.format.DatePattern;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.CellNotation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.NumberNotation;
import dev.numera.sequences.lists.StatusMap;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadStore;
import dev.numera.sequences.numbering.KeyVoidException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rows of an upload, a public contract that docs/tables.md describes. */
class TableUploadStoreTest {
    private static final Instant SENT = Instant.parse("2026-11-21T09:30:00.123456Z");
    private static final String AGE = "0000001795253400123";
    private static final Upload.Id ID =
            new Upload.Id(new SequenceName("App1", "order"), Upload.Kind.BATCH, "0123456789abcdef0123456789abcdef");
    private static final String PARTITION = "App1:order:0123456789abcdef0123456789abcdef";
    private static final ListColumns LAYOUT = new ListColumns(
            List.of("day", "order", "note, \"\uD83D\uDE00\""),
            Map.of(ListColumns.Field.KEY, 1, ListColumns.Field.DATE, 0),
            null,
            3,
            false,
            ListColumns.COMMA,
            CellNotation.JSON);
    private static final Upload UPLOAD = new Upload(
            ID,
            "fingerprint",
            SENT,
            LAYOUT,
            null,
            1_203,
            4,
            new Upload.Progress(0, 0, 0, 0),
            SENT.plusSeconds(7),
            null);

    private final RowsInMemory rows = new RowsInMemory();
    private final TableUploadStore store = rows.uploads();

    @Test
    void anUploadComesBackWithAllThatItHas() {
        ListColumns dated = ListColumns.ofKeys(LocalDate.of(2026, 2, 28), 1);
        ListColumns wide = new ListColumns(List.of("", "x".repeat(70_000)), Map.of(ListColumns.Field.KEY, 1));
        for (ListColumns columns : List.of(LAYOUT, dated, wide)) {
            RowsInMemory empty = new RowsInMemory();
            TableUploadStore emptyStore = empty.uploads();
            Upload upload = new Upload(
                    ID,
                    "f",
                    SENT,
                    columns,
                    null,
                    1_203,
                    4,
                    new Upload.Progress(2, 980, 979, 0),
                    SENT.plusSeconds(7),
                    null);
            assertInstanceOf(WriteResult.Won.class, emptyStore.insert(upload));

            Upload found = emptyStore.find(ID).orElseThrow();

            assertEquals(upload, unversioned(found));
            assertInstanceOf(WriteResult.Won.class, emptyStore.replace(found), "its version is that of the row");
            assertInstanceOf(WriteResult.Refused.class, emptyStore.replace(found), "which is another one now");
        }
    }

    @Test
    void itsRowsAreNamedAsThePageSays() {
        store.insert(UPLOAD);
        store.insertParts(UPLOAD, List.of(part(row("a", "b", "c")), part(row("d", "e", "f"))));
        store.finish(withOneDone(store.find(ID).orElseThrow()), List.of(numbered(1, null)));

        assertEquals(
                List.of(AGE + ":answers:000001", AGE + ":part:000001", AGE + ":part:000002", "upload"),
                rows.rows("PartitionKey eq '" + PARTITION + "'").stream()
                        .map(TableEntity::getRowKey)
                        .toList());
        assertEquals("[[\"d\",\"e\",\"f\"]]", property("part:000002", "rows0"));
        assertEquals("[{\"first\":1,\"last\":1,\"count\":1,\"increment\":1}]", property("answers:000001", "answers0"));
        TableEntity byAge = rows.rows("PartitionKey eq '~by-age'").get(0);
        assertEquals(AGE + ":" + ID.id(), byAge.getRowKey());
        Map<String, Object> properties = new TreeMap<>(byAge.getProperties());
        properties.keySet().removeAll(List.of("PartitionKey", "RowKey", "odata.etag"));
        assertEquals(
                Map.of("scope", "App1", "name", "order", "kind", "batch", "id", ID.id(), "sentAt", SENT.toString()),
                properties);
    }

    @Test
    void partsComeBackEachWithItsRowsInTheirOrder() {
        List<Upload.Content> parts = List.of(
                part(row("2026-11-24", "k1", "a, \"b\"\r\nc\u0000\\"), row("2026-11-24", "\uD83D\uDE00", " ")),
                new Upload.Content(
                        LAYOUT,
                        IntStream.range(0, 9)
                                .mapToObj(i -> List.of(
                                        "2026-11-24", "k" + i, "x".repeat(i) + "\uD83D\uDE00\"数\\".repeat(5_000)))
                                .toList()),
                part(row("2026-11-24", "[", "null")));

        store.insertParts(UPLOAD, parts);

        for (int part = 1; part <= parts.size(); part++) {
            assertEquals(parts.get(part - 1), store.part(UPLOAD, part));
        }
    }

    /** A transaction that failed because of one part was once taken for proof that all its parts are stored. */
    @Test
    void partsThatAreMissingBesideStoredOnesAreInserted() {
        Upload.Content first = part(row("2026-11-24", "a", ""));
        store.insertParts(UPLOAD, List.of(first));

        List<Upload.Content> all = List.of(first, part(row("2026-11-24", "b", "")));
        store.insertParts(UPLOAD, all);

        assertEquals(all.get(1), store.part(UPLOAD, 2));
    }

    @Test
    void rowsComeBackWithTheirLines() {
        Upload.Content part = new Upload.Content(
                LAYOUT, List.of(row("2026-11-24", "k", "x"), row("2026-11-24", "l", "")), List.of(7, 2));
        store.insertParts(UPLOAD, List.of(part));

        assertEquals(part, store.part(UPLOAD, 1));
        assertEquals("[7,2]", property("part:000001", "lines0"));
    }

    @Test
    void theNotationOfAFileIsKept() {
        CellNotation notation = new CellNotation(
                true,
                DatePattern.of("dd.MM.yy", 1950),
                ZoneId.of("Europe/Berlin"),
                new NumberNotation('.', ','),
                StatusMap.parse("ja=void,nein=issued"),
                "storniert");
        for (CellNotation each : List.of(notation, CellNotation.FILE, CellNotation.JSON)) {
            Upload.Id id = Upload.Id.random(ID.sequence(), Upload.Kind.BATCH);
            ListColumns columns = new ListColumns(List.of("key"), Map.of(ListColumns.Field.KEY, 0)).ofFile(';', each);
            store.insert(new Upload(id, "f", SENT, columns, null, 1, 1, UPLOAD.progress(), SENT, null));

            assertEquals(columns, store.find(id).orElseThrow().columns());
        }
    }

    /** A version that does not know dry runs would import the rows. */
    @Test
    void dryRunIsStoredSoThatEarlierVersionsRefuseToReadIt() {
        Upload.Id id = Upload.Id.random(ID.sequence(), Upload.Kind.IMPORT);
        ListColumns columns = new ListColumns(
                List.of("key", "number"), Map.of(ListColumns.Field.KEY, 0, ListColumns.Field.NUMBER, 1));
        RowsInMemory empty = new RowsInMemory();
        TableUploadStore emptyStore = empty.uploads();
        emptyStore.insert(
                new Upload(id, "f", SENT, columns.dryRun(), null, 1, 1, new Upload.Progress(0, 0, 0, 0), SENT, null));

        assertTrue(emptyStore.find(id).orElseThrow().columns().isDryRun());
        assertEquals(0, empty.rows("RowKey eq 'upload'").get(0).getProperty("count"));
    }

    /** Lists with more rows, or more bytes, than one transaction holds. */
    @Test
    void allPartsOfALongListAreStored() {
        List<Upload.Content> many = IntStream.range(0, 250)
                .mapToObj(i -> part(row("2026-11-24", "k" + i, "")))
                .toList();
        List<Upload.Content> long_ = IntStream.range(0, 12)
                .mapToObj(i -> part(row("2026-11-24", "k" + i, "x".repeat(100_000))))
                .toList();
        Upload other = new Upload(ID, "f", SENT.plusMillis(1), LAYOUT, null, 1, 1, UPLOAD.progress(), SENT, null);

        store.insertParts(UPLOAD, many);
        store.insertParts(other, long_);

        assertEquals(
                many,
                IntStream.rangeClosed(1, many.size())
                        .mapToObj(part -> store.part(UPLOAD, part))
                        .toList());
        assertEquals(
                long_,
                IntStream.rangeClosed(1, long_.size())
                        .mapToObj(part -> store.part(other, part))
                        .toList());
    }

    /** A list first sent to an earlier version and then resent here must split into the same transactions. */
    @Test
    void asManyPartsAsEverAreStoredTogether() {
        assertEquals(2, partsOfFirstTransaction(250_000, 250_000, 100));
        assertEquals(1, partsOfFirstTransaction(250_000, 250_001, 100));
        assertEquals(1, partsOfFirstTransaction(500_001, 100));
        assertEquals(
                100,
                partsOfFirstTransaction(IntStream.generate(() -> 100).limit(101).toArray()));
    }

    /** Returns how many parts are stored if the process dies before the second transaction. */
    private static int partsOfFirstTransaction(int... units) {
        RowsInMemory written = new RowsInMemory();
        AtomicInteger requests = new AtomicInteger();
        written.beforeEachRequest(() -> {
            if (requests.incrementAndGet() == 2) {
                throw new StoreFailure("The process dies.", true, null);
            }
        });
        int unitsBesideNote = "[['2026-11-24','k','']]".length();
        List<Upload.Content> parts = IntStream.of(units)
                .mapToObj(all -> part(row("2026-11-24", "k", "x".repeat(all - unitsBesideNote))))
                .toList();
        assertThrows(StoreFailure.class, () -> written.uploads().insertParts(UPLOAD, parts));
        return written.rows("PartitionKey ge ''").size();
    }

    @Test
    void answersComeBackInTheirOrderWithTheProgress() {
        store.insert(UPLOAD);
        Upload found = store.find(ID).orElseThrow();
        Upload done = new Upload(
                ID,
                found.fingerprint(),
                SENT,
                LAYOUT,
                null,
                1_203,
                4,
                new Upload.Progress(1, 3, 2, 0),
                SENT,
                found.version());
        Result<PrintedAllocation> refused = Result.refused(new ProblemException(ProblemType.KEY_REUSED, "Used."));

        assertInstanceOf(
                WriteResult.Won.class, store.finish(done, List.of(numbered(9, "N9"), refused, numbered(8, "N8"))));

        List<Result<PrintedAllocation>> results = store.answers(UPLOAD, 1, 3);
        assertEquals(3, results.size());
        assertEquals(numbered(9, "N9"), results.get(0));
        assertEquals(ProblemType.KEY_REUSED, results.get(1).problem().type());
        assertEquals(numbered(8, "N8"), results.get(2));
        assertEquals(
                new Upload.Progress(1, 3, 2, 0), store.find(ID).orElseThrow().progress());
        assertInstanceOf(
                WriteResult.Refused.class, store.finish(done, List.of(numbered(1, null))), "the version is used up");
        assertEquals(3, store.answers(UPLOAD, 1, 3).size());
    }

    /** A part whose answers exceeded every row was once never done. */
    @Test
    void longAnswersOfAWholePartFitTheirRow() {
        store.insert(UPLOAD);
        List<Result<PrintedAllocation>> refused = IntStream.range(0, 490)
                .mapToObj(i -> Result.<PrintedAllocation>refused(isVoid(String.format("%0255d", i), i)))
                .toList();

        assertInstanceOf(
                WriteResult.Won.class, store.finish(withOneDone(store.find(ID).orElseThrow()), refused));

        assertTrue(unitsOf("answers:000001") < 520_000, () -> unitsOf("answers:000001") + " units");
        ProblemException last = store.answers(UPLOAD, 1, 490).get(489).refusal();
        assertEquals(ProblemType.KEY_VOID, last.type());
        assertEquals(
                "The numbers of the key are void. There was no room for more, with so many refused at once: request this one alone.",
                last.getMessage());
        assertEquals(
                Map.of("key", String.format("%0255d", 489), "first", 489, "count", 1, "status", "void"),
                last.members().get("allocation"));
    }

    /** Each quotation mark needs two characters in the row. */
    @Test
    void answersWithActorsOfAWholePartFitTheirRow() {
        store.insert(UPLOAD);
        String quotes = "\"".repeat(100);
        List<Result<PrintedAllocation>> refused = IntStream.range(0, 490)
                .mapToObj(i -> Result.<PrintedAllocation>refused(KeyVoidException.of(
                                ID.sequence(),
                                new PrintedAllocation(
                                        "\"".repeat(170) + i,
                                        i,
                                        i,
                                        1,
                                        1,
                                        null,
                                        null,
                                        null,
                                        false,
                                        new Status(Status.Kind.VOID, "misprint", quotes, SENT),
                                        quotes))
                        .orElseThrow()))
                .toList();

        store.finish(withOneDone(store.find(ID).orElseThrow()), refused);

        assertTrue(unitsOf("answers:000001") < 520_000, () -> unitsOf("answers:000001") + " units");
        assertEquals(
                Map.of(
                        "key",
                        "\"".repeat(170) + 489,
                        "first",
                        489,
                        "last",
                        489,
                        "count",
                        1,
                        "increment",
                        1,
                        "status",
                        "void",
                        "statusAt",
                        SENT.toString()),
                store.answers(UPLOAD, 1, 490).get(489).refusal().members().get("allocation"));
    }

    private static ProblemException isVoid(String key, int number) {
        String reason = "r".repeat(200);
        return new ProblemException(
                ProblemType.KEY_VOID,
                "The numbers of the key '" + key + "' of App1/order are void. Take another key. The reason: " + reason,
                Map.of(
                        "allocation",
                        Map.of(
                                "key",
                                key,
                                "first",
                                number,
                                "count",
                                1,
                                "texts",
                                List.of("t".repeat(255)),
                                "status",
                                "void",
                                "reason",
                                reason)));
    }

    private int unitsOf(String row) {
        return rows
                .rows("PartitionKey eq '" + PARTITION + "' and RowKey eq '" + AGE + ":" + row + "'")
                .get(0)
                .getProperties()
                .values()
                .stream()
                .mapToInt(value -> value.toString().length())
                .sum();
    }

    /**
     * A restored row of an upload can be older than the answers. The part must then be numbered again instead of
     * failing because its answers exist.
     */
    @Test
    void answersThatAreThereAreWrittenAgain() {
        store.insert(UPLOAD);
        TableEntity older = rows.rows("PartitionKey eq '" + PARTITION + "' and RowKey eq 'upload'")
                .get(0);
        Upload found = store.find(ID).orElseThrow();
        store.finish(withOneDone(found), List.of(numbered(1, null)));
        rows.put(older);

        assertInstanceOf(
                WriteResult.Won.class,
                store.finish(withOneDone(store.find(ID).orElseThrow()), List.of(numbered(2, null))));
        assertEquals(2, store.answers(UPLOAD, 1, 1).get(0).value().first());
    }

    @Test
    void oldUploadsAreFoundOldestFirst() {
        List<Instant> sent = List.of(SENT, SENT.minusSeconds(5), Instant.EPOCH, SENT.plusMillis(1));
        for (int i = 0; i < sent.size(); i++) {
            Upload.Id id = new Upload.Id(ID.sequence(), Upload.Kind.BATCH, ("" + i).repeat(32));
            store.insert(new Upload(id, "f", sent.get(i), LAYOUT, null, 1, 1, UPLOAD.progress(), SENT, null));
        }

        assertEquals(
                List.of(Instant.EPOCH, SENT.minusSeconds(5), SENT),
                store.sentBefore(SENT.plusMillis(1), 100).stream()
                        .map(UploadStore.OldUpload::sentAt)
                        .toList());
        assertEquals(
                List.of(new UploadStore.OldUpload(
                        new Upload.Id(ID.sequence(), Upload.Kind.BATCH, "2".repeat(32)), Instant.EPOCH)),
                store.sentBefore(SENT.plusMillis(1), 1));
        assertTrue(store.sentBefore(Instant.EPOCH, 100).isEmpty());
    }

    @Test
    void uploadChangedByAnotherProgramIsReported() {
        requireUnreadableUpload("its property separator must be a string of 1 character, not \"\"", "separator", "");
        requireUnreadableUpload(
                "its property separator must be a string of 1 character, not \";;\"", "separator", ";;");
        requireUnreadableUpload("its property columns[1] must be a string, not null", "columns0", "[\"day\",null]");
    }

    private void requireUnreadableUpload(String why, String property, String value) {
        store.insert(UPLOAD);
        TableEntity upload = rows.rows("PartitionKey eq '" + PARTITION + "' and RowKey eq 'upload'")
                .get(0);
        Object before = upload.getProperty(property);
        rows.put(upload.addProperty(property, value));

        StoreFailure failure = assertThrows(StoreFailure.class, () -> store.find(ID));

        assertEquals(unreadable("upload", PARTITION, why), failure.getMessage());
        rows.put(upload.addProperty(property, before));
    }

    @Test
    void partChangedByAnotherProgramIsReported() {
        requireUnreadablePart("rows is no JSON", "[[");
        requireUnreadablePart("rows[0] must be an array of 3 elements, not \"a\"", "[\"a\"]");
        requireUnreadablePart("rows[0][2] must be a string, not 1", "[[\"2026-11-24\",\"k\",1]]");
    }

    private void requireUnreadablePart(String why, String json) {
        rows.put(new TableEntity(PARTITION, AGE + ":part:000001").addProperty("rows0", json));

        StoreFailure failure = assertThrows(StoreFailure.class, () -> store.part(UPLOAD, 1));

        assertEquals(unreadable(AGE + ":part:000001", PARTITION, "its property " + why), failure.getMessage());
    }

    @Test
    void answersChangedByAnotherProgramAreReported() {
        requireUnreadableAnswers("answers is no JSON", "[{");
        requireUnreadableAnswers(
                "answers[0].first is missing: it must be an integer from -4000000000000000000 to 4000000000000000000",
                "[{}]");
    }

    private void requireUnreadableAnswers(String why, String json) {
        rows.put(new TableEntity(PARTITION, AGE + ":answers:000001").addProperty("answers0", json));

        StoreFailure failure = assertThrows(StoreFailure.class, () -> store.answers(UPLOAD, 1, 1));

        assertEquals(unreadable(AGE + ":answers:000001", PARTITION, "its property " + why), failure.getMessage());
    }

    /** An impossible id was once reported as an internal error, and an impossible name as the caller's mistake. */
    @Test
    void unreadableReferenceToAnOldUploadIsReported() {
        requireUnreadableByAge(
                "its property id must have 32 hexadecimal digits in lower case, not \"0123\"", "App1", "0123", SENT);
        requireUnreadableByAge(
                "its property scope or name is 'App 1/order', which is no name of a sequence", "App 1", ID.id(), SENT);
        requireUnreadableByAge(
                "its property kind, id or sentAt belongs to another row, 0000000000000000000:" + ID.id(),
                "App1",
                ID.id(),
                Instant.EPOCH);
    }

    private static void requireUnreadableByAge(String why, String scope, String id, Instant sentAt) {
        RowsInMemory altered = new RowsInMemory();
        altered.put(new TableEntity("~by-age", AGE + ":" + ID.id())
                .addProperty("scope", scope)
                .addProperty("name", "order")
                .addProperty("id", id)
                .addProperty("sentAt", sentAt.toString()));
        TableUploadStore ofIt = altered.uploads();

        StoreFailure failure = assertThrows(StoreFailure.class, () -> ofIt.sentBefore(SENT.plusMillis(1), 100));

        assertEquals(unreadable(AGE + ":" + ID.id(), "~by-age", why), failure.getMessage());
    }

    private static String unreadable(String row, String partition, String why) {
        return "The row " + row + " of " + partition + " in table table was written by another program and cannot be"
                + " read: " + why + ". See docs/tables.md.";
    }

    private static Upload withOneDone(Upload upload) {
        return new Upload(
                ID,
                upload.fingerprint(),
                SENT,
                LAYOUT,
                null,
                1_203,
                4,
                new Upload.Progress(1, 1, 1, 0),
                SENT,
                upload.version());
    }

    private static Upload unversioned(Upload upload) {
        return new Upload(
                upload.id(),
                upload.fingerprint(),
                upload.sentAt(),
                upload.columns(),
                upload.actor(),
                upload.items(),
                upload.parts(),
                upload.progress(),
                upload.movedAt(),
                null);
    }

    private Object property(String row, String name) {
        return rows.rows("PartitionKey eq '" + PARTITION + "' and RowKey eq '" + AGE + ":" + row + "'")
                .get(0)
                .getProperty(name);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Upload.Content part(List<String>... rows) {
        return new Upload.Content(LAYOUT, List.of(rows));
    }

    private static List<String> row(String... values) {
        return (List.of(values));
    }

    private static Result<PrintedAllocation> numbered(long number, String text) {
        return Result.of(PlainNumbers.of(null, number, number, 1, 1, text == null ? null : List.of(text), false));
    }
}
