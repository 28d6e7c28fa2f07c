package dev.numera.bench;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import dev.numera.bench.report.Figures;
import dev.numera.bench.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The stress test of the partitioning article. Inserts entities with more and more writers, first into one partition
 * and then into one partition per writer, and reports at which rate and with which errors the growth stops. Runs
 * against any account, in a table of its own that it creates and removes. The account charges for at most
 * {@link #MAX_SECONDS_IN_ALL} s of inserts.
 */
final class PartitionStress {
    /** The rate that Azure's documentation states for one partition. */
    private static final double PARTITION_ENTITIES_A_SECOND = 2_000;

    private static final int[] WRITERS = {1, 2, 4, 8, 16, 32, 64, 128};
    /** A step with less growth than this factor counts as no growth. */
    private static final double LEAST_GROWTH = 1.1;

    private static final int STEPS_WITHOUT_GROWTH = 2;
    private static final int STEP_SECONDS = 10;
    private static final int QUICK_STEP_SECONDS = 1;
    private static final int MAX_SECONDS_IN_ALL = 2 * WRITERS.length * STEP_SECONDS;
    private static final RetryOptions NO_RETRIES = new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1)));

    /** The result of one load. */
    private record Step(int writers, double entitiesPerSecond, Map<String, LongAdder> errors) {}

    private final TableClient table;
    private final int stepSeconds;

    private PartitionStress(TableClient table, int stepSeconds) {
        this.table = table;
        this.stepSeconds = stepSeconds;
    }

    /** @param connection the connection string of the account */
    static String run(String connection, boolean isQuick) {
        TableClient table = new TableClientBuilder()
                .connectionString(connection)
                .tableName("numerastress" + UUID.randomUUID().toString().replace("-", ""))
                .httpClient(new JdkHttpClientBuilder().build())
                .retryOptions(NO_RETRIES)
                .buildClient();
        PartitionStress stress = new PartitionStress(table, isQuick ? QUICK_STEP_SECONDS : STEP_SECONDS);
        table.createTable();
        try {
            return stress.report("One partition", true) + "\n" + stress.report("A partition for each writer", false);
        } finally {
            table.deleteTable();
        }
    }

    private String report(String title, boolean isOnePartition) {
        Table report = new Table("writers", "entities/s", "of 2,000/s", "errors");
        List<Step> steps = raise(isOnePartition);
        for (Step step : steps) {
            report.add(List.of(
                    "" + step.writers(),
                    Figures.of(step.entitiesPerSecond()),
                    Figures.ratio(step.entitiesPerSecond() / PARTITION_ENTITIES_A_SECOND),
                    step.errors().isEmpty() ? "none" : step.errors().toString()));
        }
        Step best = steps.stream()
                .max(Comparator.comparingDouble(Step::entitiesPerSecond))
                .orElseThrow();
        return "### " + title + "\n\n" + report + "\nThe highest rate came with " + best.writers() + " writers: "
                + Figures.of(best.entitiesPerSecond()) + " entities/s, "
                + Figures.ratio(best.entitiesPerSecond() / PARTITION_ENTITIES_A_SECOND)
                + " of the 2,000 that a partition is said to serve.\n";
    }

    private List<Step> raise(boolean isOnePartition) {
        List<Step> steps = new ArrayList<>();
        double best = 0;
        int withoutGrowth = 0;
        for (int writers : WRITERS) {
            Step step = step(writers, isOnePartition);
            Progress.say((isOnePartition ? "one partition, " : "many partitions, ") + writers + " writers: "
                    + Figures.of(step.entitiesPerSecond()) + " entities/s, errors " + step.errors());
            steps.add(step);
            withoutGrowth = step.entitiesPerSecond() < LEAST_GROWTH * best ? withoutGrowth + 1 : 0;
            best = Math.max(best, step.entitiesPerSecond());
            if (withoutGrowth == STEPS_WITHOUT_GROWTH) {
                break;
            }
        }
        return steps;
    }

    private Step step(int writers, boolean isOnePartition) {
        LongAdder inserted = new LongAdder();
        Map<String, LongAdder> errors = new ConcurrentHashMap<>();
        long closes = System.nanoTime() + TimeUnit.SECONDS.toNanos(stepSeconds);
        List<Thread> threads = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            // Each step has its own partitions, so that no step meets the rows of another.
            String partition = (isOnePartition ? "one" : "many" + writer) + "-" + writers;
            threads.add(new Thread(() -> insert(partition, closes, inserted, errors), "writer-" + writer));
        }
        threads.forEach(Thread::start);
        threads.forEach(PartitionStress::join);
        return new Step(writers, (double) inserted.sum() / stepSeconds, new TreeMap<>(errors));
    }

    private void insert(String partition, long closes, LongAdder inserted, Map<String, LongAdder> errors) {
        while (System.nanoTime() < closes) {
            try {
                table.createEntity(new TableEntity(partition, UUID.randomUUID().toString()).addProperty("number", 1L));
                inserted.increment();
            } catch (HttpResponseException e) {
                String status = e.getResponse() == null
                        ? "no answer"
                        : "" + e.getResponse().getStatusCode();
                errors.computeIfAbsent(status, first -> new LongAdder()).increment();
            } catch (RuntimeException e) {
                // The client wraps network errors in many types. This test reports which of them occurred.
                errors.computeIfAbsent(e.getClass().getSimpleName(), first -> new LongAdder())
                        .increment();
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
