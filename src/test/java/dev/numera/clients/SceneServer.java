package dev.numera.clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Answers and records the calls of scenes. The address of a scene ends with its index. A call beyond a scene's last
 * answer gets 418, which no client retries. Thread-safe.
 */
final class SceneServer implements AutoCloseable {
    private static final int NO_ANSWER_LEFT = 418;
    private static final int CLOSED = -1;
    private static final int TRICKLE_MILLIS = 100;
    /** The path below a scene's address that issues the scene's tokens in turn, and answers 500 after the last one. */
    private static final String TOKENS = "/tokens";

    /** A call from a client, with its path relative to the scene and its query decoded. */
    record ReceivedCall(
            String method, String path, Map<String, String> query, Map<String, String> headers, String body) {}

    private final JsonNode scenes;
    private final List<List<ReceivedCall>> calls = new ArrayList<>();
    private final AtomicInteger[] tokensIssued;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);

    SceneServer(JsonNode scenes) throws IOException {
        this.scenes = scenes;
        scenes.forEach(scene -> calls.add(new ArrayList<>()));
        tokensIssued = Stream.generate(AtomicInteger::new).limit(scenes.size()).toArray(AtomicInteger[]::new);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized List<ReceivedCall> calls(int scene) {
        return List.copyOf(calls.get(scene));
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getRawPath().split("/", 3);
        int scene = Integer.parseInt(path[1]);
        if (("/" + path[2]).equals(TOKENS)) {
            issueToken(exchange, scene);
            return;
        }
        JsonNode answer = scenes.get(scene).get("answers").get(record(scene, callOf(exchange, "/" + path[2])));
        try (exchange) {
            if (answer == null) {
                exchange.sendResponseHeaders(NO_ANSWER_LEFT, CLOSED);
            } else {
                answer(exchange, answer);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void issueToken(HttpExchange exchange, int scene) throws IOException {
        int issued = tokensIssued[scene].getAndIncrement();
        JsonNode token = scenes.get(scene).path("tokens").path(issued);
        try (exchange) {
            if (token.isMissingNode()) {
                exchange.sendResponseHeaders(500, CLOSED);
            } else {
                byte[] body = JsonNodeFactory.instance
                        .objectNode()
                        .put("access_token", token.asText())
                        .put("token_type", "Bearer")
                        .toString()
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    /** Records a call and returns how many calls the scene received before. */
    private synchronized int record(int scene, ReceivedCall call) {
        calls.get(scene).add(call);
        return calls.get(scene).size() - 1;
    }

    private void answer(HttpExchange exchange, JsonNode answer) throws IOException, InterruptedException {
        String fault = answer.path("fault").asText();
        if (fault.equals("silence")) {
            closed.await();
        }
        if (fault.equals("closed") || fault.equals("silence")) {
            return;
        }
        byte[] body = body(exchange, answer);
        answer.path("headers").fields().forEachRemaining(header -> exchange.getResponseHeaders()
                .set(header.getKey(), header.getValue().asText()));
        exchange.sendResponseHeaders(answer.get("status").asInt(), body.length == 0 ? CLOSED : body.length);
        OutputStream out = exchange.getResponseBody();
        if (fault.isEmpty()) {
            out.write(body);
            return;
        }
        if (fault.equals("trickle")) {
            for (byte one : body) {
                out.write(one);
                out.flush();
                closed.await(TRICKLE_MILLIS, TimeUnit.MILLISECONDS);
            }
            return;
        }
        out.write(body, 0, body.length / 2);
        out.flush();
        if (fault.equals("half")) {
            closed.await();
        }
    }

    private static byte[] body(HttpExchange exchange, JsonNode answer) {
        String type = "application/json; charset=utf-8";
        String body =
                answer.path("body").isMissingNode() ? "" : answer.get("body").toString();
        if (answer.has("html")) {
            type = "text/html";
            body = answer.get("html").asText();
        } else if (answer.has("problem")) {
            type = "application/problem+json";
            body = problem(answer).toString();
        }
        if (!body.isEmpty()) {
            exchange.getResponseHeaders().set("Content-Type", type);
        }
        return body.getBytes(StandardCharsets.UTF_8);
    }

    private static ObjectNode problem(JsonNode answer) {
        ObjectNode problem = JsonNodeFactory.instance.objectNode();
        answer.path("fields").fields().forEachRemaining(field -> problem.set(field.getKey(), field.getValue()));
        return problem.put(
                        "type",
                        "urn:problem-type:numera:" + answer.get("problem").asText())
                .put("title", "The title")
                .put("status", answer.get("status").asInt())
                .put("detail", "The detail.");
    }

    private static ReceivedCall callOf(HttpExchange exchange, String path) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join(",", values)));
        Map<String, String> query = new TreeMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String parameter : raw == null ? new String[0] : raw.split("&")) {
            String[] pair = parameter.split("=", 2);
            // A plus sign stays a plus sign, because clients must send a blank as %20.
            query.put(pair[0], URLDecoder.decode(pair[1].replace("+", "%2B"), StandardCharsets.UTF_8));
        }
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        return new ReceivedCall(exchange.getRequestMethod(), path, query, headers, body);
    }
}
