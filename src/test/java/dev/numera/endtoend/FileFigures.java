package dev.numera.endtoend;

import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedAzurite;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures the inspection, the dry run, the import and the result of a file. Run it by hand, with the number of rows,
 * with {@code -Dnumera.host.options="-XX:+UseSerialGC -Xmx512m -Xlog:gc"} and, for the app of another commit, with
 * {@code -Dnumera.package}. Prints for each step the seconds, the seconds of the host's processor time, and the most
 * megabytes of heap that were left after a garbage collection.
 */
public final class FileFigures {
    private static final String PATH = "/api/sequences/figures/invoice";
    private static final Pattern LEFT = Pattern.compile("->(\\d+)M\\(");

    private final HostProcess host;
    private final NumeraClient client;
    private final String file;

    private FileFigures(HostProcess host, int rows) {
        this.host = host;
        this.client = NumeraClient.ofAnyVersion(host.baseUri());
        this.file = "key;number;date\n"
                + IntStream.rangeClosed(1, rows)
                        .mapToObj(number -> "A-" + number + ";" + number + ";" + date(number, rows) + "\n")
                        .collect(Collectors.joining());
    }

    /** Returns the dates of a year, in the order of the numbers as in most files. */
    private static LocalDate date(int number, int rows) {
        return LocalDate.of(2025, 1, 1).plusDays(365L * (number - 1) / rows);
    }

    public static void main(String... arguments) {
        try (HostProcess host = HostProcess.start(SharedAzurite.emptyAccount(), Map.of())) {
            new FileFigures(host, Integer.parseInt(arguments[0])).measure();
        }
        System.exit(0);
    }

    private void measure() {
        client.send("PUT", PATH, "{\"guarantee\": \"gapless\"}", "If-None-Match", "*")
                .expect(201);
        step("inspect", () -> sent("/imports/inspect"));
        step("dry run", () -> done(sent("/imports?dryRun=true")));
        Reply imported = step("import", () -> done(sent("/imports")));
        step("result as CSV", () -> result(imported, "text/csv"));
        step("import again", () -> done(sent("/imports")));
    }

    private Reply sent(String call) {
        return client.send("POST", PATH + call, file, "Content-Type", "text/csv");
    }

    /** Waits as a client does: as long as each answer says. */
    private Reply done(Reply sent) {
        String location = sent.expect(202).location();
        Reply reply = client.get(location);
        while (reply.status() == 202) {
            LockSupport.parkNanos(Duration.ofSeconds(reply.raw()
                            .headers()
                            .firstValueAsLong("Retry-After")
                            .orElse(1))
                    .toNanos());
            reply = client.get(location);
        }
        return reply.expect(200);
    }

    private Reply result(Reply imported, String type) {
        return client.send("GET", PATH + "/imports/" + imported.body().get("id").textValue(), null, "Accept", type);
    }

    private Reply step(String name, Supplier<Reply> call) {
        int logged = host.output().length();
        Duration before = processorTime();
        long began = System.nanoTime();
        Reply reply = call.get();
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%-14s %3d %7.1f s %7.1f s of processor time %5d MB of heap%n",
                name,
                reply.status(),
                seconds,
                processorTime().minus(before).toMillis() / 1e3,
                heapLeft(host.output().substring(logged)));
        return reply;
    }

    private Duration processorTime() {
        return host.process().toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static long heapLeft(String log) {
        Matcher left = LEFT.matcher(log);
        return left.results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .max()
                .orElse(0);
    }
}
