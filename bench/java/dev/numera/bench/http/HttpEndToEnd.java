package dev.numera.bench.http;

import dev.numera.bench.report.Figures;
import dev.numera.bench.report.Table;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.localhost.Azurite;
import dev.numera.localhost.FixtureApp;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures calls over HTTP to the whole app, to a function that does nothing, and to the bare server. Each server is a
 * process with the flags of the Java worker. The servers take turns, and the best turn of each counts. Also measures
 * the processor time of each server's process alone, because the load and storage run on the same machine.
 */
public final class HttpEndToEnd {
    private static final int CONNECTIONS = 64;
    private static final int TURNS = 3;
    private static final String CACHED = "http-cached";
    private static final String STRICT = "http-strict";
    private static final String SNOWFLAKE = "http-snowflake";

    /** One of the servers or sequences to compare, and the result of its best turn. */
    private static final class Contender {
        private final String title;
        private final Process process;
        private final HttpLoad load;
        private HttpLoad.Result best;
        private Duration processorTime = Duration.ZERO;
        private long answers;
        private long failures;

        Contender(String title, Process process, URI server, String path) {
            this.title = title;
            this.process = process;
            this.load = new HttpLoad(server, path, CONNECTIONS);
        }

        Contender(String title, HostProcess app, String path) {
            this(title, app.process(), app.baseUri(), path);
        }

        void warmUp(long millis) {
            load.run(millis);
        }

        void takeTurn(long millis) {
            Duration before = processorTimeOfAll();
            HttpLoad.Result result = load.run(millis);
            processorTime = processorTime.plus(processorTimeOfAll().minus(before));
            answers += result.answers();
            failures += result.failures();
            best = best == null || result.perSecond() > best.perSecond() ? result : best;
        }

        /** The time in user and system mode of all threads of the server's process, since its start. */
        private Duration processorTimeOfAll() {
            return process.info().totalCpuDuration().orElseThrow();
        }

        double processorMicrosEach() {
            return processorTime.toNanos() / 1e3 / answers;
        }
    }

    private final long turnMillis;
    private final long warmUpMillis;

    private HttpEndToEnd(boolean isQuick) {
        this.turnMillis = isQuick ? 400 : 4_000;
        this.warmUpMillis = isQuick ? 400 : 5_000;
    }

    /** @param folder an existing folder for the function app */
    public static String run(Azurite azurite, Path folder, boolean isQuick) throws IOException {
        return new HttpEndToEnd(isQuick).compare(azurite, folder);
    }

    private String compare(Azurite azurite, Path folder) throws IOException {
        Path app = Files.createDirectories(folder.resolve("empty-function"));
        try (ServerProcess bare = ServerProcess.start(BareServer.class);
                HostProcess empty = HostProcess.start(
                        FixtureApp.in(app, EmptyFunction.class).write(),
                        azurite.connectionString(),
                        Map.of(),
                        Optional.empty());
                HostProcess numera = HostProcess.start(azurite.connectionString(), Map.of())) {
            define(numera, CACHED, "{\"guarantee\": \"cached\", \"cacheSize\": 1000}");
            define(numera, SNOWFLAKE, "{\"guarantee\": \"snowflake\"}");
            List<Contender> contenders = List.of(
                    new Contender("bare handler", bare.process(), bare.uri(), "/"),
                    new Contender("empty function", empty, "/api/empty"),
                    new Contender("next on cached, cacheSize 1,000", numera, next(CACHED)),
                    new Contender("next on strict", numera, next(STRICT)),
                    new Contender("next on snowflake", numera, next(SNOWFLAKE)));
            contenders.forEach(contender -> contender.warmUp(warmUpMillis));
            for (int turn = 0; turn < TURNS; turn++) {
                contenders.forEach(contender -> contender.takeTurn(turnMillis));
            }
            return table(contenders) + "\n" + numbersPerWrite(azurite);
        }
    }

    private static Table table(List<Contender> contenders) {
        Contender bare = contenders.get(0);
        Contender empty = contenders.get(1);
        Table table =
                new Table("called", "answers/s", "p50 ms", "p99 ms", "failures", "CPU µs each", "beside", "ratio");
        addRow(table, bare, null);
        addRow(table, empty, bare);
        contenders.subList(2, contenders.size()).forEach(next -> addRow(table, next, empty));
        return table;
    }

    /** @param beside is compared by processor time; null for none */
    private static void addRow(Table table, Contender contender, Contender beside) {
        HttpLoad.Result best = contender.best;
        double ratio = beside == null ? 1 : contender.processorMicrosEach() / beside.processorMicrosEach();
        table.add(List.of(
                contender.title,
                Figures.of(best.perSecond()),
                Figures.of(best.p50Millis()),
                Figures.of(best.p99Millis()),
                Figures.of(contender.failures),
                Figures.of(contender.processorMicrosEach()),
                beside == null ? "" : beside.title,
                beside == null ? "" : Figures.ratio(ratio)));
    }

    /** Counts the writes in a separate window, because the proxy that counts them slows the machine down. */
    private String numbersPerWrite(Azurite azurite) {
        try (FaultProxy proxy = FaultProxy.before(azurite.ports());
                HostProcess numera = HostProcess.start(proxy.connectionString(), Map.of())) {
            HttpLoad load = new HttpLoad(numera.baseUri(), next("http-counted"), CONNECTIONS);
            load.run(warmUpMillis);
            proxy.traffic().forget();
            HttpLoad.Result result = load.run(turnMillis);
            double each = (double) result.answers() / proxy.traffic().forwarded(RequestKind.CONDITIONAL_WRITE);
            HttpLoad ids = new HttpLoad(numera.baseUri(), next(SNOWFLAKE), CONNECTIONS);
            ids.run(warmUpMillis);
            proxy.traffic().forget();
            HttpLoad.Result idResult = ids.run(2 * turnMillis);
            double millions = idResult.answers() / 1e6;
            int idRequests = proxy.traffic().forwarded().size();
            return strictNumbersAWrite(each) + "\nStorage requests for each million snowflake ids: "
                    + Figures.of(idRequests / millions) + " (" + idRequests + " for " + Figures.of(idResult.answers())
                    + " ids, those of the queue trigger included).\n";
        }
    }

    private static String strictNumbersAWrite(double each) {
        return "Strict numbers a write: " + Figures.of(each) + " (wanted: at least 16; "
                + (each >= 16 ? "reached" : "NOT reached")
                + "). Counted in a window of its own, through a proxy.\n";
    }

    private static void define(HostProcess numera, String sequence, String definition) {
        NumeraClient.ofAnyVersion(numera.baseUri())
                .send("PUT", "/api/sequences/bench/" + sequence, definition, "If-None-Match", "*")
                .expect(201);
    }

    private static String next(String sequence) {
        return "/api/sequences/bench/" + sequence + "/next";
    }
}
