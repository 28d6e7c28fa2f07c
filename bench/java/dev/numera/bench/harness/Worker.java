package dev.numera.bench.harness;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.bench.strategy.Connections;
import dev.numera.bench.strategy.Strategy;
import dev.numera.bench.strategy.Traffic;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * A process that runs callers. It reads {@link Order}s from its standard input and answers each with one line that
 * starts with {@link #ANSWER}; after a run, the line contains a {@link Report}. It ends with its input.
 */
final class Worker {
    static final String ANSWER = "@";
    static final String FAILED = "!";
    static final ObjectMapper JSON = new ObjectMapper();

    private final Connections connections;
    private List<Strategy> strategies = List.of();

    private Worker(Connections connections) {
        this.connections = connections;
    }

    /** Takes a {@link Connections.Addresses} in JSON as its argument. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Worker worker = new Worker(new Connections(JSON.readValue(arguments[0], Connections.Addresses.class)));
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = orders.readLine();
        while (line != null) {
            System.out.println(worker.answer(JSON.readValue(line, Order.class)));
            line = orders.readLine();
        }
        System.exit(0);
    }

    private String answer(Order order) throws IOException, InterruptedException {
        try {
            if (order instanceof Order.Run run) {
                return ANSWER + JSON.writeValueAsString(run(run));
            }
            if (order instanceof Order.Open open) {
                open(open);
            } else {
                strategies.forEach(Strategy::close);
            }
            return ANSWER;
        } catch (RuntimeException e) {
            // The coordinator decides how to react.
            e.printStackTrace();
            return FAILED + e;
        }
    }

    private void open(Order.Open order) {
        strategies = IntStream.range(0, order.graphs())
                .map(graph -> order.process() * order.graphs() + graph)
                .mapToObj(instance -> order.strategy().open(connections, order.sequence(), instance, order.backoff()))
                .toList();
        if (order.process() == 0) {
            strategies.get(0).prepare(order.numbersWanted());
        }
    }

    private Report run(Order.Run order) throws IOException, InterruptedException {
        Traffic.Counts before = connections.traffic().counts();
        AtomicInteger callsLeft = new AtomicInteger(order.maxCalls());
        Window window = Window.ofMillis(order.millis());
        List<Caller> callers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < order.callers() * strategies.size(); i++) {
            Strategy strategy = strategies.get(i % strategies.size());
            Caller caller = new Caller(strategy, window, callsLeft, order.pauseMillis());
            callers.add(caller);
            threads.add(new Thread(caller, "caller-" + i));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        if (order.historyFile() != null) {
            write(callers, Path.of(order.historyFile()));
        }
        return report(callers, window, connections.traffic().counts().minus(before));
    }

    private Report report(List<Caller> callers, Window window, Traffic.Counts traffic) {
        Histogram histogram = Caller.newHistogram();
        callers.forEach(caller -> histogram.add(caller.histogram()));
        long calls = callers.stream().mapToLong(Caller::calls).sum();
        long lastEnd = callers.stream().mapToLong(Caller::lastEndNanos).max().orElseThrow();
        long ended = window.isOver() ? window.closesNanos() : lastEnd;
        return new Report(
                calls,
                calls * strategies.get(0).numbersPerCall(),
                callers.stream().mapToLong(Caller::failures).sum(),
                callers.stream().mapToLong(Caller::unfinished).sum(),
                ended - window.opensNanos(),
                encode(histogram),
                callers.stream()
                        .map(Caller::firstFailure)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null),
                traffic);
    }

    private static String encode(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(bytes.array(), length));
    }

    private static void write(List<Caller> callers, Path file) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            for (Caller caller : callers) {
                for (long value : caller.history()) {
                    out.writeLong(value);
                }
            }
        }
    }
}
