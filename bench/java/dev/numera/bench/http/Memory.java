package dev.numera.bench.http;

import dev.numera.bench.report.Table;
import dev.numera.fixtures.HostProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the memory of the app's process, the local host included, after a garbage collection: after its start, and
 * after one call for each of many sequences.
 */
public final class Memory {
    private static final int AT_ONCE = 50;
    private static final int FIRST_ERROR = 300;
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern USED = Pattern.compile("(?<=used )(\\d+)K");

    private final HostProcess host;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Table table = new Table("sequences called", "heap in use, MiB", "resident, MiB");

    private Memory(HostProcess host) {
        this.host = host;
    }

    /** Blocks until all calls are answered. */
    public static String run(String connection, boolean isQuick) throws IOException {
        int sequences = isQuick ? 100 : 10_000;
        try (HostProcess host = HostProcess.start(connection, Map.of())) {
            Memory memory = new Memory(host);
            memory.addRow(0);
            memory.callEachOf(sequences);
            memory.addRow(sequences);
            return memory.table.toString();
        }
    }

    private void callEachOf(int sequences) {
        for (int first = 0; first < sequences; first += AT_ONCE) {
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            for (int sequence = first; sequence < first + AT_ONCE; sequence++) {
                calls.add(next("tenant-" + sequence));
            }
            calls.forEach(call -> requireOk(call.join()));
        }
    }

    private CompletableFuture<HttpResponse<String>> next(String scope) {
        URI path = host.baseUri().resolve("/api/sequences/" + scope + "/memory/next");
        HttpRequest post =
                HttpRequest.newBuilder(path).POST(BodyPublishers.noBody()).build();
        return client.sendAsync(post, BodyHandlers.ofString());
    }

    private static void requireOk(HttpResponse<String> answer) {
        if (answer.statusCode() >= FIRST_ERROR) {
            throw new IllegalStateException(answer.request() + ": " + answer.body());
        }
    }

    private void addRow(int sequences) throws IOException {
        diagnose("GC.run");
        Path status = Path.of("/proc", Long.toString(host.process().pid()), "status");
        table.add(List.of(
                String.format(Locale.ROOT, "%,d", sequences),
                mebibytes(USED, diagnose("GC.heap_info")),
                mebibytes(RESIDENT, Files.readString(status))));
    }

    /** Returns what the process says to a command of the JDK's jcmd. */
    private String diagnose(String command) throws IOException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(host.process().pid()),
                        command)
                .redirectErrorStream(true)
                .start();
        return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String mebibytes(Pattern kibibytes, String text) {
        Matcher found = kibibytes.matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("No match of " + kibibytes + " in: " + text);
        }
        return String.format(Locale.ROOT, "%,d", Long.parseLong(found.group(1)) / 1_024);
    }
}
