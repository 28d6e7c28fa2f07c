package dev.numera.maintain;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Measures how fast {@code recover} advances daily counters against Azurite. Run it by hand. The arguments are the
 * number of sequences, the counters of each, and the megabytes of heap that the command gets. Prints the seconds that
 * each step took, the counters advanced in a second, and in a second of Azurite's processor time: Azurite uses one
 * core, so the second figure is the limit of an otherwise idle machine. It falls with the number of rows, since Azurite
 * scans its index of the whole table for each update, which Azure does not do. The last figure is the largest heap that
 * a collection left over, in megabytes.
 */
public final class RecoveryFigures {
    private static final String FIRST = "shop:daily-0";
    private static final LocalDate DAY = LocalDate.of(2026, 11, 21);

    /** The heap after a collection, such as 12M of {@code Pause Young (Normal) 40M->12M(64M) 3.1ms}. */
    private static final Pattern LEFT_OVER = Pattern.compile("->(\\d+)M\\(");

    private RecoveryFigures() {}

    public static void main(String... arguments) throws Exception {
        int sequences = Integer.parseInt(arguments[0]);
        int days = Integer.parseInt(arguments[1]);
        Path folder = Files.createTempDirectory("figures");
        Path backup = multiplied(exportOfOne(folder.resolve("one.jsonl.gz")), sequences, days, folder);
        recover(backup, (long) sequences * days, arguments[2], folder.resolve("gc.log"));
    }

    private static List<String> exportOfOne(Path file) throws IOException {
        String storage = SharedAzurite.emptyAccount();
        Sequences instance = TestSequences.over(storage).start();
        SequenceName name = new SequenceName("shop", "daily-0");
        DefinitionDraft daily = DefinitionDraft.EMPTY
                .with(DefinitionField.RESET_EVERY, ResetEvery.DAY)
                .with(DefinitionField.TIME_ZONE, "UTC");
        instance.editor().put(name, daily, Precondition.ABSENT, ChangeNote.NONE);
        instance.allocator().next(name, List.of(new NumberRequest(null, 5, DAY)));
        Maintain.run(Map.of("NumeraStorage", storage), "export", file.toString());
        return BackupLines.of(file);
    }

    /** Returns a backup with many sequences like the exported one, each with many counters like its only one. */
    private static Path multiplied(List<String> one, int sequences, int days, Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : one.subList(0, one.size() - 1)) {
            if (!line.contains(FIRST)) {
                lines.add(line);
                continue;
            }
            for (int sequence = 0; sequence < sequences; sequence++) {
                String name = "daily-" + sequence;
                String renamed = line.replace("daily-0", name);
                int copies = line.contains("\"counter:") ? days : 1;
                for (int day = 0; day < copies; day++) {
                    lines.add(renamed.replace("counter:" + DAY, "counter:" + DAY.minusDays(day)));
                }
            }
        }
        lines.add(one.get(one.size() - 1));
        return BackupLines.closed(lines, folder.resolve("many.jsonl.gz"));
    }

    private static void recover(Path backup, long counters, String megabytes, Path collections) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + megabytes + "m",
                        "-Xlog:gc:file=" + collections,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Maintain.class.getName(),
                        "recover",
                        backup.toString(),
                        "--margin",
                        "1000",
                        "--from-account",
                        "empty1")
                .redirectErrorStream(true);
        builder.environment().put("NumeraStorage", SharedAzurite.emptyAccount());
        Process process = builder.start();
        long began = System.nanoTime();
        long advancing = began;
        long resuming = began;
        Duration before = Duration.ZERO;
        Duration after = Duration.ZERO;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.printf(Locale.ROOT, "%.1f s: %s%n", (System.nanoTime() - began) / 1e9, line);
                if (line.startsWith("Advancing")) {
                    advancing = System.nanoTime();
                    before = processorTimeOfAzurite();
                } else if (line.startsWith("Resuming")) {
                    resuming = System.nanoTime();
                    after = processorTimeOfAzurite();
                }
            }
        }
        int exitCode = process.waitFor();
        System.out.printf(
                Locale.ROOT,
                "exit code %d; %,d counters in %.1f s: %.0f a second, %.0f a second of Azurite; -Xmx%sm, %d MB live%n",
                exitCode,
                counters,
                (resuming - advancing) / 1e9,
                counters / ((resuming - advancing) / 1e9),
                counters / (after.minus(before).toMillis() / 1e3),
                megabytes,
                mostLiveMegabytes(collections));
        System.exit(0);
    }

    private static int mostLiveMegabytes(Path collections) throws IOException {
        return LEFT_OVER
                .matcher(Files.readString(collections))
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .max()
                .orElse(0);
    }

    private static Duration processorTimeOfAzurite() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("node"))
                .map(child -> child.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
