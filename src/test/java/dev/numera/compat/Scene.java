package dev.numera.compat;

import dev.numera.fixtures.NumeraClient;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Creates sequences over HTTP that together have every kind of row. */
final class Scene {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final NumeraClient client;
    private final Supplier<String> log;

    Scene(NumeraClient client, Supplier<String> log) {
        this.client = client;
        this.log = log;
    }

    void play() {
        define("compat/invoice", "{\"guarantee\": \"gapless\", \"format\": \"INV-{n:4}\"}");
        client.next("compat/invoice", "?date=2026-03-01", "a").expect(200);
        client.next("compat/invoice", "?date=2026-03-01&count=3", "b").expect(200);
        client.send("POST", "/api/sequences/compat/invoice/advance", "{\"nextAtLeast\": 1042}")
                .expect(200);
        client.next("compat/invoice", "?date=2026-03-02", "c").expect(200);
        client.send(
                        "PUT",
                        "/api/sequences/compat/invoice",
                        "{\"guarantee\": \"gapless\", \"format\": \"{yyyy}/{n:6}\", \"timeZone\": \"UTC\"}",
                        "If-Match",
                        "*")
                .expect(200);
        client.next("compat/invoice", "?date=2026-03-03", "d").expect(200);

        define("compat/yearly", "{\"resetEvery\": \"year\", \"timeZone\": \"Europe/Berlin\"}");
        client.next("compat/yearly", "?date=2025-12-31", "x").expect(200);
        client.next("compat/yearly", "?date=2026-01-01", "y").expect(200);
        define("compat/down", "{\"guarantee\": \"gapless\", \"start\": 3, \"increment\": -7}");
        client.next("compat/down", "?count=2", "p").expect(200);
        define("compat/blocks", "{\"guarantee\": \"cached\", \"cacheSize\": 10}");
        client.next("compat/blocks").expect(200);
        define("compat/retired", "{}");
        client.next("compat/retired", "", "r").expect(200);
        client.send("DELETE", "/api/sequences/compat/retired", "", "If-Match", "*")
                .expect(204);
        define("compat/unused", "{\"start\": 100}");
        define("~/compat", "{\"format\": \"{scope}-{n:3}\"}");

        define("compat/said", "{\"format\": \"S-{n:3}\"}");
        for (String key : List.of("held", "kept", "spoilt")) {
            client.next("compat/said", "?reserve=true&date=2026-03-01", key).expect(200);
        }
        setStatus("{\"key\": \"kept\", \"status\": \"issued\"}");
        setStatus("{\"key\": \"spoilt\", \"status\": \"void\", \"reason\": \"printed twice\"}");

        define("compat/dated", "{\"guarantee\": \"gapless\", \"dateOrder\": \"ascending\"}");
        client.next("compat/dated", "?date=2026-03-05", "in order").expect(200);
        client.send(
                        "POST",
                        "/api/sequences/compat/dated/advance?date=2026-03-05",
                        "{\"nextAtLeast\": 10, \"reason\": \"written by hand\"}",
                        "Numera-Actor",
                        "anna")
                .expect(200);
        client.send(
                        "PATCH",
                        "/api/sequences/compat/dated",
                        "{\"warnAtPercent\": 80}",
                        "If-Match",
                        "*",
                        "Numera-Actor",
                        "ben")
                .expect(200);

        define("compat/flakes", "{\"guarantee\": \"snowflake\", \"format\": \"F{n:16}\"}");
        client.next("compat/flakes").expect(200);

        define("compat/upload", "{\"format\": \"ORD-{n:6}\"}");
        upload("text/csv", "order,day\na,2026-03-01\nb,2026-03-02\n", "list");
        upload("application/json", "{\"keys\": [\"c\", \"d\"], \"date\": \"2026-03-03\"}", "json");

        define("compat/brought", "{\"guarantee\": \"gapless\", \"format\": \"B-{n:3}\"}");
        client.next("compat/brought", "?date=2026-03-01", "own").expect(200);
        importNumbers("key,number,day,status,reason\nold-4,4,2026-02-01,,\nold-5,5,2026-02-02,void,never sent\n");
        client.next("compat/brought", "?date=2026-03-02", "after").expect(200);
        client.send("DELETE", "/api/sequences/compat/brought", "", "If-Match", "*")
                .expect(204);
        define("compat/brought", "{\"guarantee\": \"gapless\", \"format\": \"B-{n:3}\"}");
    }

    private void importNumbers(String file) {
        String query = "?dateColumn=day&statusColumn=status&reasonColumn=reason";
        String location = client.send(
                        "POST",
                        "/api/sequences/compat/brought/imports" + query,
                        file,
                        "Content-Type",
                        "text/csv",
                        "Idempotency-Key",
                        "old",
                        "Numera-Actor",
                        "anna")
                .expect(202)
                .location();
        client.awaitUpload(location, PATIENCE, log);
    }

    private void setStatus(String status) {
        client.send("POST", "/api/sequences/compat/said/status", status, "Numera-Actor", "anna")
                .expect(200);
    }

    private void define(String sequence, String definition) {
        client.send("PUT", "/api/sequences/" + sequence, definition, CREATE).expect(201);
    }

    private void upload(String type, String body, String key) {
        String query = type.equals("text/csv") ? "?keyColumn=order&dateColumn=day" : "";
        String location = client.send(
                        "POST",
                        "/api/sequences/compat/upload/batches" + query,
                        body,
                        "Content-Type",
                        type,
                        "Idempotency-Key",
                        key)
                .expect(202)
                .location();
        client.awaitUpload(location, PATIENCE, log);
    }
}
