package dev.numera.bench.http;

import dev.numera.bench.report.Table;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Measures the memory of the app's process, the local host included, after a garbage collection: after its start, and
 * after one call for each of many sequences.
 */
public final class Memory {
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern USED = Pattern.compile("(?<=used )(\\d+)K");

    private final HostProcess host;
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
        NumeraClient client = NumeraClient.ofAnyVersion(host.baseUri());
        IntStream.range(0, sequences).parallel().forEach(sequence -> client.next("tenant-" + sequence + "/memory")
                .expect(200));
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
