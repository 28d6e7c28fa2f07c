package dev.numera.azure;

import static org.mockito.Mockito.mock;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.Definition;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadStore;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** Rows of every kind as the app writes them, and values that the app never writes to their columns. */
final class WrongValues {
    static final SequenceName NAME = new SequenceName("App1", "order");
    static final CounterId ID = new CounterId(NAME, "");
    static final String PARTITION = "App1:order";
    static final String AT = "2026-11-24T09:30:00.123456Z";
    private static final String HUGE = "x".repeat(30_000);
    private static final Upload.Id UPLOAD = new Upload.Id(NAME, Upload.Kind.IMPORT, "0123456789abcdef0123456789abcdef");
    private static final String UPLOAD_PARTITION = PARTITION + ":import:" + UPLOAD.id();
    private static final String AGE = "0000001795512600123";
    private static final String FORMATS = "[[\"INV-{n}\",1,9007199254740991,9007199254740991]]";

    /**
     * A column and the values that its reader must refuse.
     *
     * @param name the name in messages
     * @param property the name in the row
     * @param wrong the values to refuse, with null for a missing column
     */
    record Column(String name, String property, List<Object> wrong) {
        /** Adds further wrong values. */
        Column or(Object... more) {
            List<Object> all = new ArrayList<>(wrong);
            all.addAll(Arrays.asList(more));
            return new Column(name, property, all);
        }

        /** Accepts a missing column. */
        Column optional() {
            List<Object> present = new ArrayList<>(wrong);
            present.removeAll(Collections.singleton(null));
            return new Column(name, property, present);
        }
    }

    static Column string(String name) {
        return new Column(name, name, Arrays.asList(null, 7, 7L, 7.5, true, new byte[] {7}));
    }

    static Column int64(String name) {
        return new Column(name, name, Arrays.asList(null, "7", 7, 7.0, true, "")).or(Long.MAX_VALUE, Long.MIN_VALUE);
    }

    static Column int32(String name) {
        return new Column(name, name, Arrays.asList(null, "7", 7L, 7.0, true, ""))
                .or(Integer.MAX_VALUE, Integer.MIN_VALUE);
    }

    static Column bool(String name) {
        return new Column(name, name, Arrays.asList(null, "true", 1, 1L, 1.0));
    }

    static Column date(String name) {
        return string(name).or("20261124", "2026-02-30", "+999999999-12-31", "-0001-01-01", HUGE, AT);
    }

    static Column instant(String name) {
        return string(name)
                .or("yesterday", "2026-11-24", "+1000000000-12-31T23:59:59Z", "-1000000000-01-01T00:00:00Z", HUGE);
    }

    /** A column that holds a JSON array of arrays. */
    static Column json(String name, String property, String... wrong) {
        return new Column(name, property, string(name).wrong())
                .or("", "[", "null", "{}", "7", "\"[]\"", "[null]", "[7]", "[\"x\"]", "[{}]", "[[]]", "NaN", HUGE)
                .or("[".repeat(2_000) + "]".repeat(2_000))
                .or((Object[]) wrong);
    }

    /** A row with any properties, as another program may have written it. */
    static TableEntity row(String partition, String row, Object... properties) {
        TableEntity entity = new TableEntity(partition, row)
                .addProperty("Timestamp", OffsetDateTime.of(2026, 11, 24, 9, 30, 0, 0, ZoneOffset.UTC))
                .addProperty("odata.etag", "W/\"1\"");
        for (int i = 0; i < properties.length; i += 2) {
            entity.addProperty((String) properties[i], properties[i + 1]);
        }
        return entity;
    }

    /** Copies a row with another value in one property, or without the property if the value is null. */
    static TableEntity spoilt(TableEntity row, String property, Object value) {
        TableEntity spoilt = new TableEntity(row.getPartitionKey(), row.getRowKey());
        row.getProperties().forEach((name, present) -> {
            if (!name.equals(property)) {
                spoilt.addProperty(name, present);
            }
        });
        return value == null ? spoilt : spoilt.addProperty(property, value);
    }

    static TableEntity counter(String row) {
        return row(
                PARTITION,
                row,
                "next",
                8L,
                "allocated",
                7L,
                "epoch",
                1L,
                "round",
                2L,
                "operationId",
                "op,before,",
                "changedAt",
                AT,
                "lastDate",
                "2026-11-24",
                "firstGiven",
                1L,
                "firstGivenAt",
                AT,
                "importedFrom",
                -5L);
    }

    static TableEntity key(String key, long first) {
        return row(
                PARTITION,
                RowKeys.key(key),
                "key",
                key,
                "first",
                first,
                "last",
                first + 4,
                "count",
                3,
                "period",
                "",
                "date",
                "2026-11-24",
                "text",
                "INV-" + first,
                "formatRevision",
                1,
                "allocatedAt",
                AT,
                "status",
                "void",
                "reason",
                "torn",
                "actor",
                "anna",
                "statusAt",
                AT,
                "reservedAt",
                AT,
                "reservedBy",
                "ben",
                "issuedAt",
                AT,
                "issuedBy",
                "eve",
                "import",
                "i1",
                "operationId",
                "op");
    }

    static TableEntity mark(String key, long first) {
        TableEntity mark = row(PARTITION, RowKeys.number("", first + 4).replace("number:", "mark:"));
        key(key, first).getProperties().forEach((name, value) -> {
            if (!name.equals("PartitionKey") && !name.equals("RowKey")) {
                mark.addProperty(name, value);
            }
        });
        return mark;
    }

    static TableEntity number(long first, String entries) {
        return row(
                PARTITION,
                RowKeys.number("", first + 5),
                "kind",
                "allocation",
                "first",
                first,
                "last",
                first + 5,
                "period",
                "",
                "formatRevision",
                1,
                "entries",
                entries,
                "allocatedAt",
                AT,
                "import",
                "i1");
    }

    static TableEntity entries(long first) {
        return number(
                first,
                "[[\"a" + first + "\"," + first + "," + (first + 3) + ",4,\"2026-11-24\"],[\"b" + first + "\","
                        + (first + 5) + "," + (first + 5) + ",1,\"2026-11-24\"]]");
    }

    static TableEntity advance(long first) {
        return row(
                PARTITION,
                RowKeys.number("", first + 9),
                "kind",
                "advance",
                "first",
                first,
                "last",
                first + 9,
                "period",
                "",
                "allocatedAt",
                AT,
                "reason",
                "moved",
                "import",
                "i1");
    }

    static TableEntity change(String at, String kind) {
        return row(
                PARTITION,
                "change:" + at.replace("123456Z", "123456000Z") + ":id",
                "kind",
                kind,
                "at",
                at,
                "actor",
                "anna",
                "reason",
                "moved",
                "fields",
                "[[\"maxValue\",5,9],[\"format\",null,\"{n}\"]]",
                "period",
                "",
                "previousNext",
                5L,
                "next",
                9L);
    }

    static TableEntity peer(String process, String state) {
        return row(
                PARTITION,
                RowKeys.peer(ID, process),
                "request",
                "request-1",
                "state",
                state,
                "requests0",
                "[[\"a\",3,\"2026-11-24\"],[null,2,\"2026-11-24\"],[\"c\",1,\"2026-11-24\",\"reserved\"]]",
                "requests1",
                "",
                "numbers0",
                "[[1,5,\"INV-1\",1],[7,9,\"INV-7\",1],[11,11,\"INV-11\",1]]",
                "numbers1",
                "",
                "next",
                13L,
                "allocated",
                6L,
                "epoch",
                1L,
                "round",
                2L,
                "operationId",
                "op",
                "changedAt",
                AT);
    }

    static TableEntity worker(int number) {
        return row(
                "~workers",
                RowKeys.worker(number),
                "worker",
                number,
                "owner",
                "o",
                "bound",
                9_000L,
                "renewedAt",
                6_000L);
    }

    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);

    static TableEntity index(String name) {
        return row("App1", name, "id", "d1");
    }

    static TableEntity definition(String name) {
        TableEntity written =
                DefinitionRows.write(Sequence.first(new SequenceName("App1", name), Definition.DEFAULT, TODAY));
        TableEntity definition = row("App1:" + name, "definition");
        written.getProperties().forEach(definition::addProperty);
        return definition
                .addProperty("format", "INV-{n}")
                .addProperty("formats0", FORMATS)
                .addProperty("formats1", "")
                .addProperty("formatRevision", 1)
                .addProperty("maxLength", 30)
                .addProperty("description", "Orders")
                .addProperty("contact", "anna")
                .addProperty("retiredAt", AT)
                .addProperty("suspendedAt", AT)
                .addProperty("suspendedBy", "anna")
                .addProperty("suspendedReason", "stocktaking")
                .addProperty("maintenanceAt", AT)
                .addProperty("restoreMargin", 1_000L)
                .addProperty("latestMargin", 1_000L)
                .addProperty("widenedFrom", 9L);
    }

    static TableEntity upload(String partition) {
        return row(
                partition,
                "upload",
                "fingerprint",
                "f",
                "sentAt",
                AT,
                "columns0",
                "[\"key\",\"number\",\"text\",\"date\",\"status\",\"reason\"]",
                "columns1",
                "",
                "keyColumn",
                0,
                "dateColumn",
                3,
                "date",
                "2026-11-24",
                "count",
                1,
                "reserve",
                false,
                "separator",
                ";",
                "numberColumn",
                1,
                "textColumn",
                2,
                "statusColumn",
                4,
                "reasonColumn",
                5,
                "actor",
                "anna",
                "items",
                5,
                "parts",
                2,
                "partsDone",
                1,
                "itemsDone",
                3,
                "itemsNumbered",
                2,
                "itemsAlreadyThere",
                1,
                "movedAt",
                AT);
    }

    static TableEntity part(int part) {
        return row(
                UPLOAD_PARTITION,
                AGE + ":part:00000" + part,
                "rows0",
                "[[\"a\",\"1\",\"\",\"2026-11-24\",\"\",\"\"],[\"b\",\"2\",\"\",\"2026-11-24\",\"\",\"\"]]",
                "rows1",
                "",
                "lines0",
                "[2,3]",
                "lines1",
                "",
                "repetitions0",
                "[[0,\"same-key\",3],[1,\"same-key\",2]]",
                "repetitions1",
                "");
    }

    static TableEntity answers(int part) {
        return row(
                UPLOAD_PARTITION,
                AGE + ":answers:00000" + part,
                "answers0",
                "[{\"first\":1,\"last\":1,\"count\":1,\"increment\":5,\"text\":\"INV-1\",\"date\":\"2026-11-24\","
                        + "\"period\":\"2026\",\"replayed\":true,\"status\":\"void\",\"reason\":\"torn\",\"statusAt\":\""
                        + AT + "\"},{\"problem\":\"urn:problem-type:numera:exhausted\",\"detail\":\"None left.\","
                        + "\"members\":{\"left\":0}}]",
                "answers1",
                "");
    }

    static TableEntity byAge(String id) {
        return row(
                "~by-age",
                AGE + ":import:" + id,
                "scope",
                "App1",
                "name",
                "order",
                "kind",
                "import",
                "id",
                id,
                "sentAt",
                AT);
    }

    private static TableCounterStore counters(Table table) {
        return new TableCounterStore(
                table, new ParallelReads(Executors.newCachedThreadPool(StorageClients.threads("test"))));
    }

    private static dev.numera.core.model.Change firstChange(Table table, dev.numera.core.model.Change.Position first) {
        return new TableDefinitionStore(table, table, mock())
                .changesFrom(NAME, first, 1)
                .items()
                .get(0)
                .orThrow();
    }

    private static UploadStore uploads(Table table) {
        return new TableUploadStore(table, new ParallelReads(RowsInMemory.THREADS));
    }

    private static Upload found(Table table) {
        return uploads(withUpload(table)).find(UPLOAD).orElseThrow();
    }

    private static Table withUpload(Table table) {
        RowsInMemory rows = new RowsInMemory();
        rows.put(upload(UPLOAD_PARTITION));
        return rows.table();
    }

    /** The kinds of rows, each with a readable row, a neighbor of the same kind, and its reader. */
    enum RowKind {
        COUNTER(
                counter("counter"),
                counter("counter:2026"),
                table -> counters(table).read(ID),
                table -> counters(table).read(new CounterId(NAME, "2026")),
                Stream.concat(
                        counterColumns(),
                        Stream.of(
                                date("lastDate").optional(),
                                int64("firstGiven").optional(),
                                instant("firstGivenAt").optional(),
                                int64("importedFrom").optional()))),
        KEY(
                key("key", 7),
                key("other", 17),
                table -> counters(table).findKey(NAME, "key"),
                table -> counters(table).findKey(NAME, "other"),
                keyColumns("other")),
        MARK(
                mark("key", 7),
                mark("other", 17),
                table -> counters(table).marked(ID, 11, 11),
                table -> counters(table).marked(ID, 21, 21),
                keyColumns()),
        NUMBER(
                entries(1),
                entries(11),
                table -> counters(table).rowsFrom(ID, 1, 1),
                table -> counters(table).rowsFrom(ID, 11, 1),
                Stream.of(
                        string("kind").or("", HUGE),
                        int64("first").or(2L, 0L),
                        int64("last").or(7L, 5L),
                        string("period").or("2026", "26", "x", HUGE),
                        int32("formatRevision").or(-1, 501),
                        entriesColumn(),
                        instant("allocatedAt").or(""),
                        string("import").optional().or(HUGE))),
        ADVANCE(
                advance(1),
                advance(11),
                table -> counters(table).rowsFrom(ID, 1, 1),
                table -> counters(table).rowsFrom(ID, 11, 1),
                Stream.of(
                        string("kind").or(""),
                        int64("first"),
                        int64("last").or(9L, 11L),
                        string("period").or("2026", "x", HUGE),
                        instant("allocatedAt").or(""),
                        string("reason").optional().or(HUGE),
                        string("import").optional().or(HUGE))),
        CHANGE(
                change(AT, "advanced"),
                change("2026-11-25T09:30:00.123456Z", "created"),
                table -> firstChange(table, null),
                table -> firstChange(
                        table,
                        new dev.numera.core.model.Change.Position(Instant.parse("2026-11-25T09:30:00.123456Z"), "id")),
                Stream.of(
                        string("kind").or("", "moved", "Advanced", HUGE),
                        instant("at").or("", "2026-11-25T09:30:00Z"),
                        string("actor").optional().or(HUGE),
                        string("reason").optional().or(HUGE),
                        json(
                                        "fields",
                                        "fields",
                                        "[[\"maxValue\",5,9]] 1",
                                        "[[\"maxValue\",5]]",
                                        "[[\"maxValue\",5,9,9]]",
                                        "[[5,5,9]]",
                                        "[[\"\",5,9]]",
                                        "[[null,5,9]]",
                                        "[[\"maxValue\",1.9,9]]",
                                        "[[\"maxValue\",5,99999999999999999999]]",
                                        "[[\"maxValue\",5,[9]]]",
                                        "[[\"maxValue\",{\"a\":1},9]]")
                                .optional(),
                        string("period").or("x", "2026-13", HUGE),
                        int64("previousNext"),
                        int64("next"))),
        PEER(
                peer("p1", "answered"),
                peer("p2", "answered"),
                table -> new TablePeerRequests(table).find(ID, "p1"),
                table -> new TablePeerRequests(table).find(ID, "p2"),
                Stream.concat(
                        Stream.of(
                                string("request").or("", HUGE),
                                string("state").or("", "Open", "won", HUGE),
                                requestsColumn(),
                                json(
                                        "numbers",
                                        "numbers0",
                                        numbers("[1,5,\"INV-1\",1]", "[7,9,\"INV-7\",1]"),
                                        numbers("[1,5,\"INV-1\",1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]") + "x",
                                        numbers("[1,5,\"INV-1\"]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1,5,\"INV-1\",1,1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1,6,\"INV-1\",1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1,1,\"INV-1\",1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1,5,\"INV-1\",1]", "[7,9,\"INV-7\",1]", "[11,12,\"INV-11\",1]"),
                                        numbers("[\"1\",5,\"INV-1\",1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1.0,5,\"INV-1\",1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[null,5,\"INV-1\",1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers(
                                                "[9223372036854775807,-9223372036854775808,\"INV-1\",1]",
                                                "[7,9,\"INV-7\",1]",
                                                "[11,11,\"INV-11\",1]"),
                                        numbers("[1,5,1,1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1,5,null,1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1,5,\"INV-1\",0]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1,5,\"INV-1\",-1]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1,5,\"INV-1\",501]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers("[1,5,\"INV-1\",\"1\"]", "[7,9,\"INV-7\",1]", "[11,11,\"INV-11\",1]"),
                                        numbers(
                                                "[1,5,\"" + "x".repeat(256) + "\",1]",
                                                "[7,9,\"INV-7\",1]",
                                                "[11,11,\"INV-11\",1]"))),
                        counterColumns())),
        WORKER(
                worker(3),
                worker(4),
                table -> new TableWorkerStore(table).find(3),
                table -> new TableWorkerStore(table).find(4),
                Stream.of(
                        int32("worker").or(-1, 128, 4),
                        string("owner").or("", HUGE),
                        int64("bound").or(-1L, 1L << 38),
                        int64("renewedAt").or(1L << 38))),
        INDEX(
                index("order"),
                index("other"),
                table -> new TableDefinitionStore(table, table, mock()).indexed(NAME),
                table -> new TableDefinitionStore(table, table, mock()).indexed(new SequenceName("App1", "other")),
                Stream.of(string("id").or("", HUGE))),
        DEFINITION(
                definition("order"),
                definition("other"),
                table -> new TableDefinitionStore(table, table, mock()).find(NAME),
                table -> new TableDefinitionStore(table, table, mock()).find(new SequenceName("App1", "other")),
                Stream.of(
                        string("scope").or("", "App 1", "App2", HUGE),
                        string("name").or("", "or der", "other", HUGE),
                        string("id").or("", HUGE),
                        new Column("needs", "needs", Arrays.asList(null, "1", 1L, 1.0, true, "", 0, -1)),
                        bool("inUse"),
                        string("guarantee").or("", "STRICT", "none", HUGE),
                        int64("start").or(0L),
                        int64("increment").or(0L),
                        int64("minValue").or(2L),
                        int64("maxValue").or(0L),
                        bool("cycle"),
                        int32("cacheSize").or(0, 1_000_001),
                        string("resetEvery").or("", "week", HUGE),
                        string("timeZone").or("", "Mars", HUGE),
                        bool("timeZoneUnset").optional(),
                        int32("twoDigitYearsUntil").or(99, 10_000).optional(),
                        int32("fiscalYearStart").or(0, 13),
                        int32("fiscalYearStartDay").or(0, 29).optional(),
                        string("dateOrder").or("", "descending", HUGE).optional(),
                        string("keys").or("", "forbidden", HUGE).optional(),
                        string("format").or("INV", "{n}{n}", HUGE).optional(),
                        json(
                                "formats",
                                "formats0",
                                FORMATS + "]",
                                "[[\"INV-{n}\",1,9]]",
                                "[[\"INV-{n}\",1,9,9,9]]",
                                "[[7,1,9,9]]",
                                "[[null,1,9,9]]",
                                "[[\"INV\",1,9,9]]",
                                "[[\"{scope:6}{n}\",1,9,9]]",
                                "[[\"INV-{n}\",\"1\",9,9]]",
                                "[[\"INV-{n}\",1.5,9,9]]",
                                "[[\"INV-{n}\",null,9,9]]",
                                "[[\"INV-{n}\",1,9,99999999999999999999]]",
                                "[[\"INV-{n}\",1,9,4000000000000000001]]",
                                "[[[\"INV-{n}\"],1,9,9]]"),
                        int32("formatRevision").or(-1, 2),
                        int32("maxLength").or(-1, 256).optional(),
                        string("description").or(HUGE).optional(),
                        string("contact").or(HUGE).optional(),
                        int32("warnAtPercent").or(0, 101).optional(),
                        instant("retiredAt").optional(),
                        instant("suspendedAt").optional(),
                        string("suspendedBy").or(HUGE).optional(),
                        string("suspendedReason").or(HUGE).optional(),
                        instant("maintenanceAt").optional(),
                        int64("restoreMargin")
                                .or(-1L, 4_000_000_000_000_000_001L)
                                .optional(),
                        int64("latestMargin")
                                .or(-1L, 4_000_000_000_000_000_001L)
                                .optional(),
                        int64("widenedFrom")
                                .or(-4_000_000_000_000_000_001L, 4_000_000_000_000_000_001L)
                                .optional())),
        UPLOAD_HEADER(
                upload(UPLOAD_PARTITION),
                upload(PARTITION + ":import:f123456789abcdef0123456789abcdef"),
                table -> uploads(table).find(UPLOAD),
                table -> uploads(table)
                        .find(new Upload.Id(NAME, Upload.Kind.IMPORT, "f123456789abcdef0123456789abcdef")),
                Stream.of(
                        string("fingerprint").or("", HUGE),
                        instant("sentAt").or(""),
                        new Column("columns", "columns0", string("columns").wrong())
                                .or("", "[", "null", "{}", "[\"a\",null]", "[\"a\",1]", "[[\"a\"]]", "[\"a\"] 1")
                                .or("[]"),
                        int32("keyColumn").or(-1, 6),
                        int32("dateColumn").or(-2, 6),
                        date("date").optional(),
                        int32("count").or(-1, 10_001),
                        bool("reserve").optional(),
                        string("separator").or("", ";;").optional(),
                        int32("numberColumn").or(-2, 6),
                        int32("textColumn").or(-2, 6),
                        int32("statusColumn").or(-2, 6),
                        int32("reasonColumn").or(-2, 6),
                        string("actor").or(HUGE).optional(),
                        int32("items").or(0, -1, 2),
                        int32("parts").or(0, -1),
                        int32("partsDone").or(-1, 3),
                        int32("itemsDone").or(-1, 6),
                        int32("itemsNumbered").or(-1, 4),
                        int32("itemsAlreadyThere").or(-1, 3).optional(),
                        instant("movedAt").or(""))),
        UPLOAD_PART(
                part(1),
                part(2),
                table -> uploads(table).part(found(table), 1),
                table -> uploads(table).part(found(table), 2),
                // The reader checks only the form. The result of a row reports a field that the import refuses.
                Stream.of(
                        json(
                                        "repetitions",
                                        "repetitions0",
                                        "[]",
                                        "[[0,\"same-key\"]]",
                                        "[[2,\"same-key\",3]]",
                                        "[[0,\"other\",3]]",
                                        "[[0,\"same-key\",0]]")
                                .optional(),
                        json("lines", "lines0", "[1]", "[1,2,3]", "[0,1]", "[1,\"2\"]", "[1,2.5]", "[1,2147483648]")
                                .optional(),
                        json(
                                "rows",
                                "rows0",
                                "[]",
                                "[[\"a\",\"1\",\"\",\"2026-11-24\",\"\",\"\"]] x",
                                "[[\"a\",\"1\",\"\",\"2026-11-24\",\"\"]]",
                                "[[\"a\",\"1\",\"\",\"2026-11-24\",\"\",\"\",\"\"]]",
                                "[[\"a\",1,\"\",\"2026-11-24\",\"\",\"\"]]",
                                "[[\"a\",null,\"\",\"2026-11-24\",\"\",\"\"]]",
                                "[[\"a\",[\"1\"],\"\",\"2026-11-24\",\"\",\"\"]]"))),
        UPLOAD_ANSWERS(
                answers(1),
                answers(2),
                table -> uploads(table).answers(found(table), 1, 2),
                table -> uploads(table).answers(found(table), 2, 2),
                Stream.of(json("answers", "answers0", answersThatAreWrong()))),
        UPLOAD_BY_AGE(
                byAge(UPLOAD.id()),
                byAge("f123456789abcdef0123456789abcdef"),
                WrongValues::allByAge,
                table -> uploads(table).sentBefore(Instant.parse(AT).plusMillis(1), 100),
                Stream.of(
                        string("scope").or("", "App 1", "App2".repeat(20)),
                        string("name").or("", "or der", HUGE),
                        string("kind").or("", "moved"),
                        string("id").or("", "0123", HUGE, "f123456789abcdef0123456789abcdef"),
                        instant("sentAt").or("", "2026-11-25T09:30:00Z")));

        private final TableEntity row;
        private final TableEntity neighbor;
        private final java.util.function.Consumer<Table> read;
        private final java.util.function.Consumer<Table> readNeighbor;
        private final List<Column> columns;

        RowKind(
                TableEntity row,
                TableEntity neighbor,
                java.util.function.Consumer<Table> read,
                java.util.function.Consumer<Table> readNeighbor,
                Stream<Column> columns) {
            this.row = row;
            this.neighbor = neighbor;
            this.read = read;
            this.readNeighbor = readNeighbor;
            this.columns = columns.toList();
        }

        TableEntity row() {
            return row;
        }

        TableEntity neighbor() {
            return neighbor;
        }

        void read(Table table) {
            read.accept(table);
        }

        void readNeighbor(Table table) {
            readNeighbor.accept(table);
        }

        List<Column> columns() {
            return columns;
        }
    }

    private static Stream<Column> counterColumns() {
        return Stream.of(
                int64("next"),
                int64("allocated").or(-1L),
                int64("epoch").or(-1L),
                int64("round").or(-1L).optional(),
                string("operationId").or(HUGE),
                instant("changedAt").or(""));
    }

    private static Stream<Column> keyColumns(String... foreign) {
        return Stream.of(
                string("key")
                        .or("", " key", "key ", "k\u0000y", "\uD83D", "x".repeat(256))
                        .or((Object[]) foreign),
                int64("first").or(8L, 6L),
                int64("last").or(12L, 10L, 7L),
                int32("count").or(0, -1, -50, 1, 4, 10_001),
                string("period").or("26", "2026-13", "x", HUGE),
                date("date").or(""),
                string("text").or("", "x".repeat(256)),
                int32("formatRevision").or(-1, 0, 501),
                instant("allocatedAt").or(""),
                string("status").or("lost", "Void", HUGE).optional(),
                string("reason").or("", HUGE, " torn"),
                string("actor").optional().or(HUGE),
                instant("statusAt").or(""),
                instant("reservedAt").optional(),
                string("reservedBy").optional().or(HUGE),
                instant("issuedAt").optional(),
                string("issuedBy").optional().or(HUGE),
                string("import").optional().or(HUGE),
                string("operationId").optional().or(HUGE));
    }

    private static Column entriesColumn() {
        String second = ",[\"b\",6,6,1,\"2026-11-24\"]]";
        String good = "[[\"a\",1,4,4,\"2026-11-24\"]" + second;
        return json(
                "entries",
                "entries",
                good + " x",
                good + good,
                "[]",
                "[[\"a\",1,4,4]" + second,
                "[[\"a\",1,4,4,\"2026-11-24\",0]" + second,
                "[[5,1,4,4,\"2026-11-24\"]" + second,
                "[[null,1,4,4,\"2026-11-24\"]" + second,
                "[[\"\",1,4,4,\"2026-11-24\"]" + second,
                "[[\"b\",1,4,4,\"2026-11-24\"]" + second,
                "[[\"a\",\"1\",4,4,\"2026-11-24\"]" + second,
                "[[\"a\",1.0,4,4,\"2026-11-24\"]" + second,
                "[[\"a\",null,4,4,\"2026-11-24\"]" + second,
                "[[\"a\",2,4,4,\"2026-11-24\"]" + second,
                "[[\"a\",1,5,4,\"2026-11-24\"]" + second,
                "[[\"a\",1,99999999999999999999,4,\"2026-11-24\"]" + second,
                "[[\"a\",1,9223372036854775807,4,\"2026-11-24\"]" + second,
                "[[\"a\",1,4,99999999999,\"2026-11-24\"]" + second,
                "[[\"a\",1,4,4294967300,\"2026-11-24\"]" + second,
                "[[\"a\",1,4,-50,\"2026-11-24\"]" + second,
                "[[\"a\",1,4,0,\"2026-11-24\"]" + second,
                "[[\"a\",1,4,1.9,\"2026-11-24\"]" + second,
                "[[\"a\",1,4,\"4\",\"2026-11-24\"]" + second,
                "[[\"a\",1,4,[4],\"2026-11-24\"]" + second,
                "[[\"a\",1,4,4,null]" + second,
                "[[\"a\",1,4,4,20261124]" + second,
                "[[\"a\",1,4,4,\"20261124\"]" + second,
                "[[\"a\",1,4,4,\"+999999999-12-31\"]" + second,
                "[[\"a\",1,7,4,\"2026-11-24\"]" + second);
    }

    private static Column requestsColumn() {
        String others = ",[null,2,\"2026-11-24\"],[\"c\",1,\"2026-11-24\",\"reserved\"]]";
        return json(
                "requests",
                "requests0",
                "[[\"a\",3,\"2026-11-24\"]" + others + "1",
                "[[\"a\",3]" + others,
                "[[\"a\",3,\"2026-11-24\",\"reserved\",1]" + others,
                "[[\"a\",3,\"2026-11-24\",\"void\"]" + others,
                "[[\"a\",3,\"2026-11-24\",null]" + others,
                "[[\"a\",3,\"2026-11-24\",1]" + others,
                "[[null,3,\"2026-11-24\",\"reserved\"]" + others,
                "[[\"\",3,\"2026-11-24\"]" + others,
                "[[\"c\",3,\"2026-11-24\"]" + others,
                "[[7,3,\"2026-11-24\"]" + others,
                "[[[\"a\"],3,\"2026-11-24\"]" + others,
                "[[\"" + "x".repeat(256) + "\",3,\"2026-11-24\"]" + others,
                "[[\"a\",-50,\"2026-11-24\"]" + others,
                "[[\"a\",0,\"2026-11-24\"]" + others,
                "[[\"a\",10001,\"2026-11-24\"]" + others,
                "[[\"a\",4294967290,\"2026-11-24\"]" + others,
                "[[\"a\",99999999999,\"2026-11-24\"]" + others,
                "[[\"a\",\"x\",\"2026-11-24\"]" + others,
                "[[\"a\",\"3\",\"2026-11-24\"]" + others,
                "[[\"a\",1.9,\"2026-11-24\"]" + others,
                "[[\"a\",3.0,\"2026-11-24\"]" + others,
                "[[\"a\",null,\"2026-11-24\"]" + others,
                "[[\"a\",3,null]" + others,
                "[[\"a\",3,20261124]" + others,
                "[[\"a\",3,\"20261124\"]" + others,
                "[[null,10001,\"2026-11-24\"]" + others,
                "[[null,1000001,\"1970-01-01\"]" + others,
                "[" + "[null,1,\"2026-11-24\"],".repeat(97) + others.substring(1));
    }

    private static String numbers(String... numbers) {
        return "[" + String.join(",", numbers) + "]";
    }

    private static String[] answersThatAreWrong() {
        String second =
                ",{\"problem\":\"urn:problem-type:numera:exhausted\",\"detail\":\"None left.\",\"members\":{}}]";
        String number = "[{\"first\":1,\"last\":1,\"count\":1,\"increment\":5";
        String several = "[{\"first\":1,\"last\":11,\"count\":3,\"increment\":5";
        return new String[] {
            "[{}" + second,
            number + "}" + second + " x",
            number + ",\"first\":1}" + second,
            number.replace("\"first\":1", "\"first\":\"1\"") + "}" + second,
            number.replace("\"first\":1", "\"first\":1.0") + "}" + second,
            number.replace("\"first\":1", "\"first\":9223372036854775807") + "}" + second,
            number.replace("\"count\":1", "\"count\":0") + "}" + second,
            number.replace("\"count\":1", "\"count\":-50") + "}" + second,
            number.replace("\"count\":1", "\"count\":99999999999") + "}" + second,
            number.replace("\"increment\":5", "\"increment\":0") + "}" + second,
            number.replace("\"increment\":5", "\"increment\":null") + "}" + second,
            several.replace("\"last\":11", "\"last\":12") + "}" + second,
            several.replace("\"increment\":5", "\"increment\":4") + "}" + second,
            number + ",\"text\":null}" + second,
            number + ",\"text\":1}" + second,
            number + ",\"text\":\"\"}" + second,
            number + ",\"text\":\"" + "x".repeat(256) + "\"}" + second,
            number + ",\"date\":20261124}" + second,
            number + ",\"date\":\"20261124\"}" + second,
            number + ",\"period\":\"x\"}" + second,
            number + ",\"period\":\"\"}" + second,
            number + ",\"replayed\":\"true\"}" + second,
            number + ",\"replayed\":null}" + second,
            number + ",\"status\":\"lost\"}" + second,
            number + ",\"status\":\"reserved\"}" + second,
            number + ",\"status\":\"reserved\",\"statusAt\":\"now\"}" + second,
            number + ",\"status\":\"void\",\"statusAt\":\"" + AT + "\"}" + second,
            number + ",\"status\":\"void\",\"reason\":7,\"statusAt\":\"" + AT + "\"}" + second,
            number + ",\"problem\":\"urn:problem-type:numera:moon\"}" + second,
            "[{\"problem\":1,\"detail\":\"x\",\"members\":{}}" + second,
            "[{\"problem\":\"urn:problem-type:numera:exhausted\",\"detail\":7,\"members\":{}}" + second,
            "[{\"problem\":\"urn:problem-type:numera:exhausted\",\"detail\":\"x\",\"members\":[]}" + second,
            "[{\"problem\":\"urn:problem-type:numera:exhausted\",\"detail\":\"x\"}" + second,
            "[{\"problem\":\"urn:problem-type:numera:exhausted\",\"members\":{}}" + second,
        };
    }

    /** Removes and reads on as long as rows are readable, as the nightly removal does. */
    private static void allByAge(Table table) {
        UploadStore uploads = uploads(table);
        uploads.sentBefore(Instant.parse(AT).plusMillis(1), 100).forEach(uploads::remove);
        uploads.sentBefore(Instant.parse(AT).plusMillis(1), 100);
    }

    private WrongValues() {}
}
