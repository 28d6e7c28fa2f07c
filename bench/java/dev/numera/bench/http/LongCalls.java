package dev.numera.bench.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.bench.report.Figures;
import dev.numera.bench.report.Table;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.localhost.Azurite;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures the processor time of the app's process alone for calls that take long: a page of the ledger, a month's
 * check, a search over all sequences, an import. Compares it with another packaged app, if there is one; the two take
 * turns, each with storage of its own.
 */
public final class LongCalls {
    private static final int TURNS = 5;
    private static final int PAGE = 1_000;
    private static final int PAGES = 200;
    private static final String NUMBERED = "/api/sequences/bench/numbered";
    private static final String CSV = "text/csv";
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain";
    private static final Duration LONGEST_UPLOAD = Duration.ofMinutes(5);

    /** @param times how often a turn repeats the call, because the system counts processor time in ticks of 10 ms */
    private record Call(String title, int times, Act act) {}

    /** One call of a turn. */
    private interface Act {
        /** @param turn differs in each repetition */
        void on(App app, int turn);
    }

    /** One packaged app that runs with its own storage. */
    private record App(Azurite azurite, HostProcess host, NumeraClient client) implements AutoCloseable {
        static App start(Path packageFolder) {
            Azurite azurite = Azurite.inMemory();
            HostProcess host = HostProcess.start(packageFolder, azurite.connectionString(), Map.of(), Optional.empty());
            return new App(azurite, host, NumeraClient.ofAnyVersion(host.baseUri()));
        }

        void define(String sequence) {
            client.send("PUT", sequence, "{}", "If-None-Match", "*").expect(201);
        }

        void get(String path, String type) {
            client.send("GET", path, null, "Accept", type).expect(200);
        }

        /** Gets all pages of an answer. */
        void getAll(String path) {
            String more = "";
            do {
                JsonNode next = client.get(path + more).expect(200).body().path("continuation");
                more = next.isTextual() ? "&continuation=" + URLEncoder.encode(next.textValue(), UTF_8) : "";
            } while (!more.isEmpty());
        }

        /** Uploads a list and blocks until all of its lines have a result. */
        void upload(String path, String type, String list) {
            String location = client.send("POST", path, list, "Content-Type", type)
                    .expect(202)
                    .location();
            client.awaitUpload(location, LONGEST_UPLOAD, host::output);
        }

        /** Returns the processor time of the process for one call, in milliseconds. */
        double millisFor(Call call, int turn) {
            Duration before = processorTime();
            for (int time = 0; time < call.times(); time++) {
                call.act().on(this, turn * call.times() + time);
            }
            return processorTime().minus(before).toNanos() / 1e6 / call.times();
        }

        private Duration processorTime() {
            return host.process().info().totalCpuDuration().orElseThrow();
        }

        @Override
        public void close() {
            host.close();
            azurite.close();
        }
    }

    private final int numbers;
    private final int sequences;
    private final int rows;

    private LongCalls(boolean isQuick) {
        this.numbers = isQuick ? 200 : 20_000;
        this.sequences = isQuick ? 20 : 2_000;
        this.rows = isQuick ? 100 : 1_000;
    }

    /**
     * Blocks for several minutes.
     *
     * @param beside the folder of another packaged app to compare with
     */
    public static String run(Path packageFolder, Optional<Path> beside, boolean isQuick) {
        return new LongCalls(isQuick).compare(packageFolder, beside);
    }

    private String compare(Path packageFolder, Optional<Path> beside) {
        List<App> apps = new ArrayList<>();
        try {
            apps.add(App.start(packageFolder));
            beside.ifPresent(other -> apps.add(App.start(other)));
            apps.forEach(this::fill);
            Table table = new Table("called", "CPU ms each", "beside", "ratio");
            calls().forEach(call -> addRow(table, call, apps));
            return table.toString();
        } finally {
            apps.forEach(App::close);
        }
    }

    private void fill(App app) {
        app.define(NUMBERED);
        app.upload(NUMBERED + "/batches", TEXT, lines(numbers, row -> "order-" + row));
        for (int sequence = 0; sequence < sequences; sequence++) {
            app.define("/api/sequences/tenant-" + sequence + "/order");
        }
    }

    private List<Call> calls() {
        return List.of(
                new Call("a page of 1,000 ledger entries, JSON", PAGES, page(JSON)),
                new Call("the same as CSV", PAGES, page(CSV)),
                new Call(
                        "a month's check of " + whole(numbers) + " numbers",
                        5,
                        (app, turn) -> app.get(NUMBERED + "/check", JSON)),
                new Call(
                        "a search over " + whole(sequences) + " sequences",
                        1,
                        (app, turn) -> app.getAll("/api/find?q=order-7")),
                new Call("an import of " + whole(rows) + " rows", 1, this::importRows));
    }

    private static String whole(int count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private static Act page(String type) {
        return (app, turn) -> app.get(NUMBERED + "/ledger?limit=" + PAGE, type);
    }

    private void importRows(App app, int turn) {
        String sequence = "/api/sequences/old-" + turn + "/invoice";
        app.define(sequence);
        app.upload(
                sequence + "/imports",
                CSV,
                "key,number,date\n" + lines(rows, row -> "old-" + row + "," + (row + 1) + ",2026-11-02"));
    }

    private static String lines(int count, IntFunction<String> line) {
        return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n", "", "\n"));
    }

    /** The first turn of each call warms up and does not count. */
    private static void addRow(Table table, Call call, List<App> apps) {
        double[][] millis = new double[apps.size()][TURNS];
        for (int turn = 0; turn <= TURNS; turn++) {
            for (int app = 0; app < apps.size(); app++) {
                double one = apps.get(app).millisFor(call, turn);
                if (turn > 0) {
                    millis[app][turn - 1] = one;
                }
            }
        }
        double own = median(millis[0]);
        boolean isAlone = apps.size() == 1;
        double other = isAlone ? own : median(millis[1]);
        table.add(List.of(
                call.title(),
                Figures.of(own),
                isAlone ? "" : Figures.of(other),
                isAlone ? "" : Figures.ratio(own / other)));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
