package dev.numera.bench.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.numera.bench.strategy.Connections;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The coordinator's connection to a {@link Worker} in another JVM. */
final class WorkerProcess implements AutoCloseable {
    /**
     * The longest wait for an answer. A call ends after 10 s, or after 50 attempts that may each queue behind 255
     * others. On a slow machine, calls of the queue strategy took up to two minutes.
     */
    private static final int ANSWER_SECONDS = 300;

    private static final String MAX_HEAP = "-Xmx1g";

    private final Process process;
    private final PrintWriter orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    WorkerProcess(Connections.Addresses addresses) {
        try {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            MAX_HEAP,
                            "-cp",
                            System.getProperty("java.class.path"),
                            Worker.class.getName(),
                            Worker.JSON.writeValueAsString(addresses))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reader = new Thread(this::readAnswers, "worker-answers");
        reader.setDaemon(true);
        reader.start();
    }

    void send(Order order) {
        try {
            orders.println(Worker.JSON.writerFor(Order.class).writeValueAsString(order));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the answer to the latest order, without its mark. */
    String answer() {
        try {
            String answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (answer == null || !answer.startsWith(Worker.ANSWER)) {
                throw new IllegalStateException(
                        answer == null
                                ? "A worker process did not answer within " + ANSWER_SECONDS + " s."
                                : "A worker process failed: " + answer);
            }
            return answer.substring(Worker.ANSWER.length());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    Report report() {
        try {
            return Worker.JSON.readValue(answer(), Report.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        orders.close();
        process.destroy();
    }

    private void readAnswers() {
        try {
            process.inputReader()
                    .lines()
                    .filter(line -> line.startsWith(Worker.ANSWER) || line.startsWith(Worker.FAILED))
                    .forEach(answers::add);
        } catch (UncheckedIOException ended) {
            // The pipe closes when the process ends.
        }
        answers.add(Worker.FAILED + "the process ended");
    }
}
