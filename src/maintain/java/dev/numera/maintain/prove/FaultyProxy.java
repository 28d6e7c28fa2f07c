package dev.numera.maintain.prove;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;

/**
 * A local proxy in front of a local app. It injects the fault that a request names in {@link ProofFault#HEADER} and
 * forwards all other requests unchanged. Thread-safe.
 */
final class FaultyProxy implements AutoCloseable {
    private static final Set<String> OF_ONE_CONNECTION = Set.of(
            "host",
            "connection",
            "content-length",
            "transfer-encoding",
            "upgrade",
            "http2-settings",
            "date",
            ProofFault.HEADER.toLowerCase(Locale.ROOT));
    private static final long LATE_MILLIS = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final URI app;
    private final HttpClient http;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Phaser late = new Phaser(1);

    private FaultyProxy(URI app, HttpClient http, HttpServer server) {
        this.app = app;
        this.http = http;
        this.server = server;
    }

    /**
     * Starts a proxy on the loopback interface.
     *
     * @param port 0 for any free port
     * @throws CannotProve the port is in use
     */
    static FaultyProxy before(URI app, HttpClient http, int port) {
        // Otherwise each answer would wait until the client acknowledges its headers.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            FaultyProxy proxy = new FaultyProxy(app, http, server);
            server.setExecutor(proxy.threads);
            server.createContext("/", proxy::handle);
            server.start();
            return proxy;
        } catch (IOException e) {
            throw new CannotProve(
                    "--faults cannot listen on port " + port + ": " + e.getMessage() + ". Name another port, or 0.");
        }
    }

    /** The URI of this proxy, for calls to the app. */
    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + app.getRawPath());
    }

    /** Blocks until the proxy has forwarded every request that it delayed. */
    void awaitLateCalls() {
        late.arriveAndAwaitAdvance();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String fault = exchange.getRequestHeaders().getFirst(ProofFault.HEADER);
        HttpRequest request = request(exchange);
        // Closing an exchange without an answer closes its connection.
        try (exchange) {
            if (fault == null) {
                answer(exchange, forward(request));
            } else if (fault.equals(ProofFault.ANSWER_LOST.word)) {
                forward(request);
            } else if (fault.equals(ProofFault.REPEATED.word)) {
                forward(request);
                answer(exchange, forward(request));
            } else if (fault.equals(ProofFault.SENT_LATE.word)) {
                late.register();
                threads.execute(() -> forwardLate(request));
            }
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(app.resolve(exchange.getRequestURI()))
                .timeout(TIMEOUT)
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!isOfOneConnection(name)) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    private HttpResponse<byte[]> forward(HttpRequest request) throws IOException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the proxy ends");
        }
    }

    private void forwardLate(HttpRequest request) {
        try {
            TimeUnit.MILLISECONDS.sleep(LATE_MILLIS);
            forward(request);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // No caller waits for this answer: the call is recorded as unanswered.
        } finally {
            late.arriveAndDeregister();
        }
    }

    private static void answer(HttpExchange exchange, HttpResponse<byte[]> answer) throws IOException {
        answer.headers().map().forEach((name, values) -> {
            if (!isOfOneConnection(name)) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        byte[] body = answer.body();
        exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static boolean isOfOneConnection(String name) {
        return name.startsWith(":") || OF_ONE_CONNECTION.contains(name.toLowerCase(Locale.ROOT));
    }
}
