package dev.numera.bench.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Sends the same POST without a body over many connections, each as soon as the last was answered. It speaks just enough HTTP for that, so
 * that it takes little of the machine that the server runs on.
 */
final class HttpLoad {
    private static final long LONGEST_NANOS = 120_000_000_000L;
    private static final int DIGITS = 3;
    private static final int OK = 200;

    private final URI server;
    private final byte[] request;
    private final int connections;

    HttpLoad(URI server, String path, int connections) {
        this.server = server;
        this.request = ("POST " + path + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\nContent-Length: 0\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        this.connections = connections;
    }

    /** @param latency in nanoseconds */
    record Result(double perSecond, long answers, long failures, Histogram latency) {
        double p50Millis() {
            return latency.getValueAtPercentile(50) / 1e6;
        }

        double p99Millis() {
            return latency.getValueAtPercentile(99) / 1e6;
        }
    }

    /** Blocks for so long. */
    Result run(long millis) {
        long closes = System.nanoTime() + millis * 1_000_000;
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        try {
            List<Callable<Result>> all = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                all.add(() -> ask(closes));
            }
            Histogram latency = new Histogram(LONGEST_NANOS, DIGITS);
            long answers = 0;
            long failures = 0;
            for (Future<Result> one : threads.invokeAll(all)) {
                answers += one.get().answers();
                failures += one.get().failures();
                latency.add(one.get().latency());
            }
            return new Result(answers * 1_000.0 / millis, answers, failures, latency);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A connection to " + server + " broke.", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private Result ask(long closes) throws IOException {
        Histogram latency = new Histogram(LONGEST_NANOS, DIGITS);
        long failures = 0;
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            long began = System.nanoTime();
            while (began < closes) {
                out.write(request);
                if (readAnswer(in) != OK) {
                    failures++;
                }
                long ended = System.nanoTime();
                latency.recordValue(Math.min(ended - began, LONGEST_NANOS));
                began = ended;
            }
        }
        return new Result(0, latency.getTotalCount() - failures, failures, latency);
    }

    /** Reads an answer with a Content-Length to its end and returns its status. */
    private static int readAnswer(InputStream in) throws IOException {
        int status = Integer.parseInt(readLine(in).split(" ")[1]);
        Optional<Integer> length = Optional.empty();
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Optional.of(Integer.valueOf(line.substring(line.indexOf(':') + 1).strip()));
            }
        }
        in.skipNBytes(length.orElseThrow(() -> new IOException("An answer without Content-Length.")));
        return status;
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("The server closed the connection.");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
