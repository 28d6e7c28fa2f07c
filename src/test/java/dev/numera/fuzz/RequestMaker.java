package dev.numera.fuzz;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.model.SequenceName;
import dev.numera.sequences.lists.Upload;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Requests for one scope: valid ones, valid ones with one mutation, and any mixture of parts. The same random numbers
 * produce the same requests. Every request is well-formed HTTP, because a server refuses malformed HTTP before it
 * reaches the app.
 */
final class RequestMaker {
    static final List<String> NUMBERED = List.of("strict", "gapless", "cached", "yearly", "down", "few", "cycle");
    static final List<String> YEARS = List.of("2024", "2025", "2026");
    /** A sequence that is numbered in the background, so other requests must not number it. */
    static final String UPLOADED = "uploaded";

    /** Sequences that the requests define, change and retire, but never take numbers from. */
    static final List<String> UNUSED = List.of("own-a", "own-b", "own-c");

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS");
    private static final List<String> CALLS = List.of(
            "next",
            "state",
            "ledger",
            "check",
            "periods",
            "changes",
            "advance",
            "parse",
            "batches",
            "imports",
            "nonsense");
    private static final List<String> PARAMETERS = List.of(
            "count",
            "date",
            "limit",
            "from",
            "to",
            "key",
            "continuation",
            "scope",
            "code",
            "Count",
            "nonsense",
            "%zz",
            "");
    private static final List<String> WRONG_TEXTS = List.of(
            "",
            "0",
            "-1",
            "10001",
            "1e3",
            "1.5",
            "%2B1",
            "abc",
            "%00",
            "%0A",
            "%20",
            "%C3%A4",
            "%FF",
            "%zz",
            "%",
            "2026-02-30",
            "0000-01-01",
            "2026-1-1",
            "99999999999999999999",
            "-9223372036854775809",
            "%22",
            "%7B%7D",
            "null",
            "true",
            "x".repeat(256),
            "AAAAAA",
            "%F0%9F%98%80",
            "1,1",
            "1;1",
            "'");
    private static final List<String> WRONG_NAMES = List.of(
            "~x",
            ".x",
            "%20",
            "x%2Fy",
            "x%5Cy",
            "x%23",
            "x%3F",
            "%D0%B0",
            "%25",
            "x".repeat(64),
            "..",
            "'",
            "x:y",
            "%C2%85",
            "x%20",
            "%EF%BC%91");
    private static final List<String> WRONG_HEADERS = List.of(
            "",
            "\"",
            "\"a",
            "a\tb",
            "k".repeat(256),
            "\"\\x\"",
            "\u00e4",
            " ",
            "*",
            "W/",
            "a,b",
            "\"a\" \"b\"",
            "text/plain",
            "application/xml",
            "application/json; charset=utf-16",
            "multipart/form-data");
    private static final List<String> WRONG_BODIES = List.of(
            "[]",
            "null",
            "5",
            "\"x\"",
            "{",
            "{} {}",
            "{\"a\":1,\"a\":2}",
            "x",
            "\u0000",
            "\ufeff{}",
            "[[[[[[[[[[",
            "{\"count\": 1}",
            "{\"nextAtLeast\": 1e999999999}",
            "{\"text\": \"\\ud800\"}",
            "{\"start\": 1}",
            "x".repeat(70_000),
            "{\"\": {}}",
            "{\"start\": 01}",
            "'",
            "\t\n ",
            "a\na",
            "a\n\nb",
            "order\r\n\"x",
            "{\"keys\": []}",
            "{\"keys\": [1]}",
            "{\"keys\": \"a\"}",
            "customer,order\r\n1\r\n",
            "order,order\r\n1,2\r\n");
    private static final List<String> TEMPLATES = List.of(
            "{n}",
            "{n:6}",
            "INV-{yyyy}-{n:6}",
            "{scope}{n}",
            "{name}-{n}{check:luhn}",
            "{n}{check:mod37-36}",
            "{r:19}",
            "{fy:2}/{n}",
            "{{{n}}}");
    private static final List<String> WRONG_TEMPLATES = List.of(
            "",
            "{",
            "}",
            "{n",
            "{x}",
            "{fy:3}{n}",
            "{n:0}",
            "{n:99}",
            "{n}{n}",
            "{r:2}",
            "{scope:3}{n}",
            "{ww}{n}{yyyy}",
            "{check:luhn}{n}",
            "{n}\u0007",
            "x".repeat(201) + "{n}");

    private final String scope;
    private final Random random;
    private int keys;
    private int uploads;

    RequestMaker(String scope, Random random) {
        this.scope = scope;
        this.random = random;
    }

    Draft valid() {
        return switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> next(pick(NUMBERED));
            case 4 -> sequence("GET", pick(NUMBERED), "state").query("date", pick(YEARS) + "-05-05");
            case 5 ->
                sequence("GET", pick(NUMBERED), "ledger")
                        .query("limit", 1 + random.nextInt(1000))
                        .query("from", random.nextInt(100))
                        .query("to", 100 + random.nextInt(100))
                        .query("date", pick(YEARS) + "-05-05");
            case 6 -> sequence("GET", pick(NUMBERED), "ledger").query("key", "key-" + random.nextInt(keys + 1));
            case 7 -> sequence("POST", pick(NUMBERED), "parse").json(object().put("text", "" + random.nextInt(100)));
            case 8 ->
                sequence("POST", pick(NUMBERED), "advance")
                        .query("date", pick(YEARS) + "-05-05")
                        .json(object().put("nextAtLeast", random.nextInt(1000) - 500));
            case 9, 10 -> put(pick(UNUSED));
            case 11 -> random.nextInt(3) > 0 ? upload() : takeOver();
            case 12 ->
                sequence("GET", UPLOADED, "batches", uploadId(random.nextInt(uploads + 1)))
                        .query("limit", 1 + random.nextInt(1000));
            default ->
                random.nextInt(3) > 0
                        ? new Draft("GET", "sequences").query("scope", scope).query("limit", 1 + random.nextInt(1000))
                        : sequence(pick(List.of("GET", "DELETE")), pick(UNUSED)).header("If-Match", "*");
        };
    }

    private Draft next(String name) {
        Draft next = sequence("POST", name, "next")
                .query("date", pick(YEARS) + "-0" + (1 + random.nextInt(9)) + "-1" + random.nextInt(10));
        if (name.equals("cached")) {
            return next;
        }
        next.query("count", 1 + random.nextInt(5));
        if (name.equals("cycle") || !name.equals("gapless") && random.nextBoolean()) {
            return next;
        }
        boolean isKnown = keys > 0 && random.nextInt(4) == 0;
        return next.header("Idempotency-Key", "key-" + (isKnown ? random.nextInt(keys) : keys++));
    }

    private Draft put(String name) {
        ObjectNode definition = object();
        maybe(() -> definition.put("guarantee", pick(List.of("strict", "gapless", "cached", "snowflake"))));
        maybe(() -> definition.put("increment", 1 + random.nextInt(10)));
        maybe(() -> definition
                .put("start", random.nextInt(100))
                .put("minValue", 0)
                .put("maxValue", 100 + random.nextInt(1000)));
        maybe(() -> definition.put("cacheSize", 1 + random.nextInt(1000)));
        maybe(() -> definition.put("format", pick(TEMPLATES)));
        maybe(() -> definition.put("maxLength", 10 + random.nextInt(40)));
        maybe(() -> definition.put("description", "for " + name).put("warnAtPercent", 1 + random.nextInt(100)));
        maybe(() -> definition.put("resetEvery", pick(List.of("never", "year", "quarter", "month", "day"))));
        maybe(() -> definition.put("timeZone", pick(List.of("UTC", "Europe/Berlin", "+01:00"))));
        maybe(() -> definition.put("fiscalYearStart", 1 + random.nextInt(12)));
        if (!definition.path("guarantee").asText().equals("cached")) {
            maybe(() -> definition.put("dateOrder", pick(List.of("none", "ascending"))));
            maybe(() -> definition.put("keys", pick(List.of("optional", "required"))));
        }
        if (random.nextInt(3) == 0) {
            return sequence("PATCH", name).json(definition).header("If-Match", "*");
        }
        Draft put = sequence("PUT", name).json(definition);
        return random.nextInt(3) == 0 ? put.header("If-None-Match", "*") : put.header("If-Match", "*");
    }

    private Draft upload() {
        boolean isKnown = uploads > 0 && random.nextInt(4) == 0;
        int number = isKnown ? random.nextInt(uploads) : uploads++;
        Draft upload = sequence("POST", UPLOADED, "batches").header("Idempotency-Key", "upload-" + number);
        String first = "a" + number;
        String second = "b" + number;
        switch (number % 3) {
            case 0 -> {
                ObjectNode body = object();
                body.putArray("keys").add(first).add(second);
                return upload.json(body);
            }
            case 1 -> upload.header("Content-Type", "text/plain").text = first + "\n" + second + "\n";
            default ->
                upload.header("Content-Type", "text/csv").query("keyColumn", "order").text =
                        "customer,order\r\n1," + first + "\r\n2," + second + "\r\n";
        }
        return upload;
    }

    /** Returns an import in which some numbers are taken and some keys repeat. */
    private Draft takeOver() {
        ObjectNode body = object();
        ArrayNode rows = body.putArray("rows");
        for (int row = random.nextInt(4); row >= 0; row--) {
            rows.addObject().put("key", "old-" + random.nextInt(200)).put("number", 1 + random.nextInt(2_000));
        }
        Draft imported = sequence("POST", UPLOADED, "imports").json(body);
        maybe(() -> imported.header("Idempotency-Key", "import-" + random.nextInt(1_000_000)));
        maybe(() -> imported.header("Numera-Actor", "Anna"));
        return imported;
    }

    private String uploadId(int number) {
        return Upload.Id.ofKey(new SequenceName(scope, UPLOADED), Upload.Kind.BATCH, "upload-" + number)
                .id();
    }

    /** Returns a valid request with one mistake. */
    Draft mutated() {
        Draft draft = valid();
        List<Runnable> mutations = new ArrayList<>(List.of(
                () -> draft.query(pick(PARAMETERS), pick(WRONG_TEXTS)),
                () -> draft.path.set(pickIndex(draft.path), pick(WRONG_NAMES)),
                () -> draft.path.add(pick(CALLS)),
                () -> draft.method = pick(METHODS),
                () -> draft.text = pick(WRONG_BODIES),
                () -> draft.isChunked = true));
        if (!draft.query.isEmpty()) {
            mutations.add(() -> spoilParameter(draft));
            mutations.add(() -> spoilParameter(draft));
            mutations.add(() -> draft.query.add(pick(draft.query)));
        }
        if (!draft.headers.isEmpty()) {
            mutations.add(() -> draft.headers.replace(pick(List.copyOf(draft.headers.keySet())), pick(WRONG_HEADERS)));
            mutations.add(() -> draft.headers.remove(pick(List.copyOf(draft.headers.keySet()))));
        }
        if (draft.json != null) {
            mutations.add(() -> spoilField(draft.json));
            mutations.add(() -> spoilField(draft.json));
            mutations.add(() -> spoilField(draft.json));
            mutations.add(() -> draft.text = draft.json
                    .toString()
                    .substring(0, random.nextInt(draft.json.toString().length())));
        }
        pick(mutations).run();
        return draft;
    }

    private void spoilParameter(Draft draft) {
        int at = pickIndex(draft.query);
        draft.query.set(at, draft.query.get(at).replaceFirst("=.*", "=" + pick(WRONG_TEXTS)));
    }

    private void spoilField(ObjectNode json) {
        List<String> fields = new ArrayList<>(
                List.of("nonsense", "format", "start", "minValue", "maxValue", "increment", "cycle", "cacheSize"));
        json.fieldNames().forEachRemaining(fields::add);
        String field = pick(fields);
        switch (random.nextInt(9)) {
            case 0 -> json.remove(field);
            case 1 -> json.putNull(field);
            case 2 -> json.put(field, random.nextLong());
            case 3 -> json.put(field, random.nextInt(5) - 2);
            case 4 -> json.put(field, random.nextDouble());
            case 5 -> json.put(field, pick(field.equals("format") ? WRONG_TEMPLATES : WRONG_HEADERS));
            case 6 -> json.put(field, random.nextBoolean());
            case 7 -> json.putArray(field).add(1);
            default -> json.put(field, BigInteger.ONE.shiftLeft(random.nextInt(200)));
        }
    }

    /** Returns a request with any mixture of parts. */
    Draft mixture() {
        Draft draft = new Draft(
                pick(METHODS), pick(List.of("sequences", "health", "openapi.json", "sequences", "sequences")));
        maybe(() -> draft.path.add(random.nextInt(4) == 0 ? pick(WRONG_NAMES) : scope));
        maybe(() -> draft.path.add(random.nextInt(4) == 0 ? pick(WRONG_NAMES) : pick(NUMBERED)));
        maybe(() -> draft.path.add(pick(CALLS)));
        if (draft.path.contains("batches") || draft.path.contains("imports")) {
            draft.path.replaceAll(part -> NUMBERED.contains(part) ? UPLOADED : part);
        }
        maybe(() -> draft.query(pick(PARAMETERS), pick(WRONG_TEXTS)));
        maybe(() -> draft.query(pick(PARAMETERS), random.nextInt(2000)));
        maybe(() -> draft.header(
                pick(List.of("Idempotency-Key", "If-Match", "If-None-Match", "Content-Type")), pick(WRONG_HEADERS)));
        maybe(() -> draft.text = pick(WRONG_BODIES));
        return draft;
    }

    private Draft sequence(String method, String name, String... call) {
        Draft draft = new Draft(method, "sequences", scope, name);
        draft.path.addAll(List.of(call));
        return draft;
    }

    private void maybe(Runnable part) {
        if (random.nextBoolean()) {
            part.run();
        }
    }

    private int pickIndex(List<?> list) {
        return random.nextInt(list.size());
    }

    private <T> T pick(List<T> list) {
        return list.get(pickIndex(list));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
