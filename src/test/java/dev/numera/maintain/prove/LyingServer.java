package dev.numera.maintain.prove;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A deployment in memory with only the routes that a proof calls. Now and then it breaks one promise, with the effect
 * of a bug. Thread-safe.
 */
public final class LyingServer implements AutoCloseable {
    /** The promise that is broken. */
    public enum Lie {
        NONE,
        NUMBER_TWICE,
        ORDER_BROKEN,
        GAP,
        KEY_WITH_TWO_NUMBERS,
        REFUSAL_CONSUMED,
        REFUSED_KEY_HAS_NUMBERS,
        LEDGER_FORGETS_A_KEY,
        VOID_THEN_CONFIRMED,
        CONFIRMATION_FORGOTTEN,
        RESERVATION_ISSUED,
        ADVANCE_FORGOTTEN,
        COUNT_IGNORED
    }

    private static final int EVERY = 40;
    private static final int FORGETS_EVERY = 10;
    private static final String LEDGER_ORDER = "first";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private final Lie lie;
    private final Map<String, LyingSeries> sequences = new HashMap<>();
    private final ObjectMapper json = new ObjectMapper();
    private String numbersKey = "";
    private String definitionsKey = "";

    private static final class LyingSeries {
        final boolean isGapless;
        final Map<String, Map<String, Object>> byKey = new LinkedHashMap<>();
        final List<Map<String, Object>> advances = new ArrayList<>();
        final ArrayDeque<Long> heldBack = new ArrayDeque<>();
        long next = 1;
        long allocations;
        long replays;
        boolean isRetired;
        /** Whether the lie waits for a call for a single number, because only such a call can be held back. */
        boolean isLieDue;

        LyingSeries(boolean isGapless) {
            this.isGapless = isGapless;
        }
    }

    /**
     * An answer.
     *
     * @param status the HTTP status
     * @param body null for an empty body
     */
    private record Said(int status, Object body) {}

    public LyingServer(Lie lie) {
        this.lie = lie;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/api/", this::handle);
        server.start();
    }

    LyingServer requiring(String ofNumbers, String ofDefinitions) {
        numbersKey = ofNumbers;
        definitionsKey = ofDefinitions;
        return this;
    }

    /** Returns the address including the prefix of the routes. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/api";
    }

    synchronized long retired() {
        return sequences.values().stream().filter(series -> series.isRetired).count();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        Said said = isAllowed(exchange) ? answer(exchange, body) : new Said(401, null);
        exchange.getResponseHeaders().add("Numera-Version", "0.0.0");
        exchange.getResponseHeaders().add("Server-Timing", "storage;dur=1.5, attempts;desc=\"1\"");
        byte[] text = said.body == null ? new byte[0] : json.writeValueAsBytes(said.body);
        exchange.sendResponseHeaders(said.status, text.length == 0 ? -1 : text.length);
        exchange.getResponseBody().write(text);
        exchange.close();
    }

    private boolean isAllowed(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        boolean isDefinition =
                List.of("PUT", "DELETE").contains(exchange.getRequestMethod()) || path.endsWith("/advance");
        String needed = path.endsWith("/health") ? "" : isDefinition ? definitionsKey : numbersKey;
        return needed.isEmpty() || needed.equals(exchange.getRequestHeaders().getFirst("x-functions-key"));
    }

    private synchronized Said answer(HttpExchange exchange, String body) throws IOException {
        URI uri = exchange.getRequestURI();
        String[] parts = uri.getPath().split("/");
        String method = exchange.getRequestMethod();
        if (uri.getPath().equals("/api/health")) {
            return new Said(200, Map.of("status", "healthy", "version", "0.0.0"));
        }
        String name = parts[3] + "/" + parts[4];
        if (method.equals("PUT")) {
            sequences.put(name, new LyingSeries(body.contains("gapless")));
            return new Said(201, Map.of());
        }
        LyingSeries series = sequences.get(name);
        if (series == null) {
            return problem(404, "unknown-sequence");
        }
        if (method.equals("DELETE")) {
            series.isRetired = true;
            return new Said(204, null);
        }
        String call = parts.length > 5 ? parts[5] : "definition";
        return switch (call) {
            case "next" -> next(series, exchange.getRequestHeaders().getFirst("Idempotency-Key"), uri.getQuery());
            case "status" -> status(series, json.readTree(body));
            case "advance" ->
                advance(series, json.readTree(body).get("nextAtLeast").longValue());
            case "ledger" -> new Said(200, Map.of("entries", ledger(series)));
            default -> new Said(200, Map.of());
        };
    }

    private Said next(LyingSeries series, String key, String query) {
        int count = Integer.parseInt(query.replaceAll(".*count=(\\d+).*", "$1"));
        Map<String, Object> known = key == null ? null : series.byKey.get(key);
        boolean forgets = known != null && lie == Lie.KEY_WITH_TWO_NUMBERS && ++series.replays % FORGETS_EVERY == 0;
        if (known != null && !forgets) {
            Map<String, Object> replay = new HashMap<>(known);
            replay.put("replayed", true);
            return known.get("status").equals("void")
                    ? new Said(409, Map.of("type", type("key-void"), "status", 409, "allocation", replay))
                    : new Said(200, replay);
        }
        boolean lies = ++series.allocations % EVERY == 0;
        boolean reserves = query.contains("reserve=true");
        long first = series.next;
        series.next += count;
        Map<String, Object> numbers = numbers(first, count);
        numbers.put("status", reserves ? "reserved" : "issued");
        if (lies && lie == Lie.REFUSAL_CONSUMED) {
            return problem(503, "overloaded");
        }
        if (lies && lie == Lie.GAP) {
            series.next += 1;
        }
        if (lies && lie == Lie.NUMBER_TWICE) {
            series.next -= 1;
        }
        if (lies && lie == Lie.COUNT_IGNORED) {
            numbers = numbers(first, count + 1);
            series.next += 1;
        }
        series.isLieDue |= lies;
        if (lie == Lie.ORDER_BROKEN && count == 1) {
            numbers = inAnotherOrder(series, first);
            numbers.put("status", reserves ? "reserved" : "issued");
        }
        if (key != null) {
            numbers.put("key", key);
            series.byKey.put(key, numbers);
        }
        if (lies && lie == Lie.REFUSED_KEY_HAS_NUMBERS && key != null) {
            return problem(503, "contention");
        }
        Map<String, Object> told = new HashMap<>(numbers);
        if (lie == Lie.RESERVATION_ISSUED) {
            told.put("status", "issued");
        }
        return new Said(200, told);
    }

    /** Holds a number back and allocates it to a later caller. */
    private static Map<String, Object> inAnotherOrder(LyingSeries series, long first) {
        if (series.isLieDue && series.heldBack.isEmpty()) {
            series.isLieDue = false;
            series.heldBack.add(first);
            return numbers(series.next++, 1);
        }
        if (!series.heldBack.isEmpty() && first > series.heldBack.peek() + EVERY / 2) {
            series.next--;
            return numbers(series.heldBack.poll(), 1);
        }
        return numbers(first, 1);
    }

    private static Map<String, Object> numbers(long first, int count) {
        Map<String, Object> numbers = new HashMap<>(
                Map.of("kind", "allocation", LEDGER_ORDER, first, "last", first + count - 1, "count", count));
        numbers.put("increment", 1);
        return numbers;
    }

    private Said status(LyingSeries series, JsonNode wanted) {
        Map<String, Object> known = series.byKey.get(wanted.get("key").textValue());
        String status = wanted.get("status").textValue();
        if (known == null) {
            return problem(404, "unknown-key");
        }
        boolean isVoid = known.get("status").equals("void");
        boolean isSame = isVoid
                && status.equals("void")
                && known.get("reason").equals(wanted.get("reason").textValue());
        if (isVoid && !isSame && lie != Lie.VOID_THEN_CONFIRMED) {
            return problem(409, "status-final");
        }
        Map<String, Object> changed = new HashMap<>(known);
        changed.put("status", status);
        changed.remove("reason");
        if (status.equals("void")) {
            changed.put("reason", wanted.get("reason").textValue());
        }
        if (!(lie == Lie.CONFIRMATION_FORGOTTEN && status.equals("issued"))) {
            known.keySet().retainAll(List.of("kind", "key", LEDGER_ORDER, "last", "count", "increment"));
            known.putAll(changed);
        }
        return new Said(200, changed);
    }

    private Said advance(LyingSeries series, long atLeast) {
        long before = series.next;
        if (atLeast > before) {
            Map<String, Object> skipped = numbers(before, (int) (atLeast - before));
            skipped.put("kind", "advance");
            series.advances.add(skipped);
            series.next = lie == Lie.ADVANCE_FORGOTTEN ? before : atLeast;
        }
        return new Said(200, Map.of("previousNext", before, "next", Math.max(before, atLeast)));
    }

    private List<Map<String, Object>> ledger(LyingSeries series) {
        List<Map<String, Object>> entries = new ArrayList<>(series.byKey.values());
        if (lie == Lie.LEDGER_FORGETS_A_KEY) {
            entries.remove(entries.size() / 2);
        }
        if (series.isGapless) {
            entries.addAll(series.advances);
        }
        entries.sort((one, other) -> Long.compare((Long) one.get(LEDGER_ORDER), (Long) other.get(LEDGER_ORDER)));
        return entries;
    }

    private static Said problem(int status, String name) {
        return new Said(status, Map.of("type", type(name), "status", status, "detail", "A lie, or not."));
    }

    private static String type(String name) {
        return "urn:problem-type:numera:" + name;
    }
}
