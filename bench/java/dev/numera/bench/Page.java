package dev.numera.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page of results. People write its prose; each run replaces the figures between two marks. */
final class Page {
    private static final long BYTES_A_GIB = 1L << 30;
    private static final Path DOCS = Path.of("docs");
    private static final String FILE = "benchmarks.md";
    private static final String END = "<!-- end of figures -->";
    private static final Pattern FIGURES =
            Pattern.compile("(<!-- figures: (\\w+) -->).*?" + Pattern.quote(END), Pattern.DOTALL);

    private final Path folder;
    /** The commit at the start of the run. The charts that the run writes change the work tree. */
    private final String commit;

    private final String where;

    private String text;

    private Page(Path folder, String text) throws IOException {
        this.folder = folder;
        this.text = text;
        this.commit = commitNow();
        this.where = where(commit);
    }

    /** Opens the page of the docs. The run replaces only the figures that it measures. */
    static Page ofTheDocs() throws IOException {
        return new Page(DOCS, Files.readString(DOCS.resolve(FILE)));
    }

    /** Copies the page to another folder, without the figures of earlier runs. */
    static Page copyIn(Path folder) throws IOException {
        String text = FIGURES.matcher(Files.readString(DOCS.resolve(FILE)))
                .replaceAll("$1\n\nNot measured in this run.\n\n" + END);
        return new Page(folder, text);
    }

    /** Returns the folder for charts and CSV files. Creates it if it is missing. */
    Path figures() throws IOException {
        return Files.createDirectories(folder.resolve("benchmarks"));
    }

    /** Returns a sentence with the date, the commit and the machine of this run. */
    String run() {
        return where;
    }

    /** Replaces the figures of this name, and prints them. */
    void fill(String name, String figures) {
        System.out.println("\n" + name + "\n\n" + figures);
        Matcher marked = FIGURES.matcher(text);
        while (marked.find()) {
            if (marked.group(2).equals(name)) {
                text = text.substring(0, marked.end(1)) + "\n\n" + figures.strip() + "\n\n" + END
                        + text.substring(marked.end());
                return;
            }
        }
        throw new IllegalArgumentException(DOCS.resolve(FILE) + " has no mark <!-- figures: " + name + " -->");
    }

    void write() throws IOException {
        Path written = folder.resolve(FILE);
        Files.writeString(written, text);
        Progress.say("Written: " + written);
    }

    private static String where(String commit) throws IOException {
        return "Measured on " + LocalDate.now(ZoneOffset.UTC) + " at commit " + commit + ": " + processor() + ", "
                + Runtime.getRuntime().availableProcessors() + " cores, " + memoryGib() + " GiB, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + ".";
    }

    /** The commit of the work tree at the start of the run. */
    String commit() {
        return commit;
    }

    private static String commitNow() throws IOException {
        return firstLine("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*");
    }

    private static String processor() throws IOException {
        Path file = Path.of("/proc/cpuinfo");
        if (!Files.exists(file)) {
            return System.getProperty("os.arch");
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.replaceFirst(".*: *", ""))
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }

    private static long memoryGib() {
        return ((com.sun.management.OperatingSystemMXBean)
                                java.lang.management.ManagementFactory.getOperatingSystemMXBean())
                        .getTotalMemorySize()
                / BYTES_A_GIB;
    }

    private static String firstLine(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output = process.inputReader()) {
            String line = output.readLine();
            return line == null ? "unknown" : line;
        }
    }
}
