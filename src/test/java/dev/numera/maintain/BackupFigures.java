package dev.numera.maintain;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long numera-maintain.jar takes to back up and restore a ledger in 64 MB of memory. Run it by hand after
 * {@code mvn package}. The arguments are the number of sequences, the ledger rows of each, and the milliseconds that
 * each storage request takes.
 *
 * <p>The table service is an imitation that invents rows and discards writes, because Azurite reads a whole table for
 * each page. The figures therefore cover the program and the distance to storage, not the work of the service.
 */
public final class BackupFigures {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PAGE_ROWS = 1_000;
    /** Boundaries in the only form that the client accepts. */
    private static final String BATCH = "batchresponse_0f8fad5b-d9cb-469f-a165-70867728950e";

    private static final String CHANGES = "changesetresponse_0f8fad5b-d9cb-469f-a165-70867728950e";
    private static final String PART =
            "--" + CHANGES + "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
                    + "HTTP/1.1 204 No Content\r\nDataServiceVersion: 3.0;\r\nETag: W/\"x\"\r\n\r\n\r\n";

    private final int sequences;
    private final int rowsEach;
    private final long millis;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private volatile boolean isEmpty;

    private BackupFigures(int sequences, int rowsEach, long millis) {
        this.sequences = sequences;
        this.rowsEach = rowsEach;
        this.millis = millis;
    }

    public static void main(String... arguments) throws Exception {
        new BackupFigures(
                        Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]))
                .measure();
    }

    private void measure() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        Path file = Files.createTempDirectory("figures").resolve("numera.jsonl.gz");
        try {
            run(server, "export", file);
            System.out.printf("%,d bytes%n", Files.size(file));
            run(server, "check", file);
            isEmpty = true;
            run(server, "restore", file);
            System.out.printf("%,d rows written%n", written.get());
        } finally {
            server.stop(0);
            Files.deleteIfExists(file);
        }
    }

    private void run(HttpServer server, String command, Path file) throws Exception {
        String place = "http://127.0.0.1:" + server.getAddress().getPort() + "/account";
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-jar",
                        "target/numera-maintain.jar",
                        command,
                        file.toString())
                .inheritIO();
        builder.environment()
                .put(
                        "NumeraStorage",
                        "DefaultEndpointsProtocol=http;AccountName=account;AccountKey=a2V5;TableEndpoint=" + place
                                + ";QueueEndpoint=" + place + ";BlobEndpoint=" + place);
        requests.set(0);
        long began = System.nanoTime();
        int exitCode = builder.start().waitFor();
        System.out.printf(
                Locale.ROOT,
                "%s: exit code %d, %.1f s, %,d requests%n",
                command,
                exitCode,
                (System.nanoTime() - began) / 1e9,
                requests.get());
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String path = exchange.getRequestURI().getPath();
        if (exchange.getRequestMethod().equals("GET")) {
            page(exchange, path);
        } else if (path.endsWith("/$batch")) {
            int rows = body.split("\r\nPUT http", -1).length - 1;
            written.addAndGet(rows);
            exchange.getResponseHeaders().set("Content-Type", "multipart/mixed; boundary=" + BATCH);
            send(
                    exchange,
                    202,
                    "--" + BATCH + "\r\nContent-Type: multipart/mixed; boundary=" + CHANGES + "\r\n\r\n"
                            + PART.repeat(rows) + "--" + CHANGES + "--\r\n--" + BATCH + "--\r\n");
        } else {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        }
    }

    private void page(HttpExchange exchange, String path) throws IOException {
        String query = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), UTF_8);
        boolean isLedger = query.contains("RowKey lt 'counter'");
        boolean isUploads = path.contains("numerabatches");
        long all = isEmpty || isUploads ? 0 : (long) sequences * (isLedger ? rowsEach : 1);
        int at = query.indexOf("NextRowKey=");
        long from = at < 0 ? 0 : Long.parseLong(query.substring(at + 11).split("&")[0]);
        long to = Math.min(all, from + PAGE_ROWS);
        ObjectNode answer = JSON.createObjectNode();
        ArrayNode rows = answer.putArray("value");
        for (long row = from; row < to; row++) {
            rows.add(row(row, isLedger));
        }
        if (to < all) {
            exchange.getResponseHeaders().set("x-ms-continuation-NextPartitionKey", "p");
            exchange.getResponseHeaders().set("x-ms-continuation-NextRowKey", "" + to);
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json;odata=minimalmetadata");
        send(exchange, 200, answer.toString());
    }

    private ObjectNode row(long row, boolean isLedger) {
        long number = row % rowsEach + 1;
        String sequence = "shop:sequence-" + (isLedger ? row / rowsEach : row);
        return JSON.createObjectNode()
                .put("odata.etag", "W/\"x\"")
                .put("PartitionKey", sequence)
                .put("RowKey", isLedger ? "number::" + (5_000_000_000_000_000_000L + number) : "counter")
                .put("Timestamp", "2026-11-23T02:00:00.1234567Z")
                .put("kind", "allocation")
                .put("first@odata.type", "Edm.Int64")
                .put("first", "" + number)
                .put("last@odata.type", "Edm.Int64")
                .put("last", "" + number)
                .put("date", "2026-11-23")
                .put("at", "2026-11-23T02:00:00.123456789Z")
                .put(
                        "entries0",
                        "[[\"order-" + number + "-of-a-customer\"," + number + "," + number + ",\"INV-" + number
                                + "\"]]")
                .put("entries1", "");
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
