package dev.numera.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** A page of results: what was measured where and when, and every table. Generated as a whole. */
final class Page {
    private static final long BYTES_A_GIB = 1L << 30;

    private final Path folder;
    private final String file;
    private final String head;
    /** Asked before charts are written, which make the work tree another one. */
    private final String where;

    private final StringBuilder sections = new StringBuilder();

    /** @param head the title, and what holds for every section */
    Page(Path folder, String file, String head) throws IOException {
        this.folder = folder;
        this.file = file;
        this.head = head;
        this.where = where();
    }

    /** Where charts go; created if need be. */
    Path chartFolder() throws IOException {
        return Files.createDirectories(folder.resolve("benchmarks"));
    }

    /** Adds a section, and prints it. */
    void add(String title, String introduction, String tables) {
        System.out.println("\n" + title + "\n\n" + tables);
        sections.append("## ")
                .append(title)
                .append("\n\n")
                .append(introduction.strip())
                .append("\n\n")
                .append(tables.strip())
                .append("\n\n");
    }

    void write() throws IOException {
        Path written = folder.resolve(file);
        Files.writeString(
                written,
                head.strip() + "\n\n" + where + "\n" + sections.toString().strip() + "\n");
        Progress.say("Written: " + written);
    }

    private static String where() throws IOException {
        return "| | |\n|---|---|\n"
                + "| date | " + LocalDate.now(ZoneOffset.UTC) + " |\n"
                + "| commit | " + commit() + " |\n"
                + "| processor | " + processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores |\n"
                + "| memory | " + memoryGib() + " GiB |\n"
                + "| system | " + System.getProperty("os.name") + " " + System.getProperty("os.version") + " |\n"
                + "| Java | " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version")
                + " |\n";
    }

    private static String commit() throws IOException {
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
