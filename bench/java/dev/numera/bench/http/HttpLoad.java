package dev.numera.bench.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Sends the same POST without a body over many connections, each as soon as its previous answer has arrived. Implements
 * only the necessary part of HTTP, to leave most of the machine to the server.
 */
final class HttpLoad {
    private static final long LONGEST_NANOS = 120_000_000_000L;
    private static final int DIGITS = 3;
    private static final String OK = "HTTP/1.1 200 ";
    private static final String LENGTH = "\r\nContent-Length: ";
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final int MAX_ANSWER_BYTES = 8_192;

    private final URI server;
    private final byte[] request;
    private final int connections;

    HttpLoad(URI server, String path, int connections) {
        this.server = server;
        this.request = ("POST " + path + " HTTP/1.1\r\nHost: " + server.getAuthority()
                        + "\r\nContent-Length: 0\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        this.connections = connections;
    }

    /** @param latency the time of a call, in nanoseconds */
    record Result(double perSecond, long answers, long failures, Histogram latency) {
        double p50Millis() {
            return latency.getValueAtPercentile(50) / 1e6;
        }

        double p99Millis() {
            return latency.getValueAtPercentile(99) / 1e6;
        }
    }

    /** Sends requests for this time, and blocks until it is over. */
    Result run(long millis) {
        long closes = System.nanoTime() + millis * 1_000_000;
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        try {
            List<Callable<Result>> all = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                all.add(() -> take(closes));
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

    private Result take(long closes) throws IOException {
        Histogram latency = new Histogram(LONGEST_NANOS, DIGITS);
        long failures = 0;
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            byte[] answer = new byte[MAX_ANSWER_BYTES];
            long began = System.nanoTime();
            while (began < closes) {
                out.write(request);
                if (!readAnswer(in, answer).startsWith(OK)) {
                    failures++;
                }
                long ended = System.nanoTime();
                latency.recordValue(Math.min(ended - began, LONGEST_NANOS));
                began = ended;
            }
        }
        return new Result(0, latency.getTotalCount() - failures, failures, latency);
    }

    /** Reads an answer with a Content-Length to its end and returns its head. */
    private static String readAnswer(InputStream in, byte[] answer) throws IOException {
        int filled = 0;
        while (true) {
            int read = in.read(answer, filled, answer.length - filled);
            if (read <= 0) {
                throw new IOException("The server closed the connection, or its answer has more than "
                        + MAX_ANSWER_BYTES + " bytes.");
            }
            filled += read;
            String soFar = new String(answer, 0, filled, StandardCharsets.ISO_8859_1);
            int end = soFar.indexOf(END_OF_HEAD);
            if (end >= 0 && filled >= end + END_OF_HEAD.length() + contentLength(soFar)) {
                return soFar;
            }
        }
    }

    private static int contentLength(String head) throws IOException {
        int at = head.indexOf(LENGTH);
        if (at < 0) {
            throw new IOException("An answer without Content-Length: " + head);
        }
        int digits = at + LENGTH.length();
        return Integer.parseInt(head, digits, head.indexOf('\r', digits), 10);
    }
}
