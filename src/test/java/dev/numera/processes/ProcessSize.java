package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The memory, threads and sockets of a Java process on Linux.
 *
 * @param heapBytes the objects that a full collection leaves
 * @param threads the threads of the operating system
 * @param connections the sockets, including listening ones
 */
record ProcessSize(long heapBytes, long threads, long connections) {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
    private static final long MAX_HEAP_GROWTH_BYTES = 5_000_000;
    private static final long MAX_THREADS_GROWTH = 10;
    private static final long MAX_CONNECTIONS_GROWTH = 10;
    private static final double BYTES_OF_A_MB = 1e6;

    /** Measures an idle process, which stops for a full collection. */
    static ProcessSize of(Process process) throws IOException, InterruptedException {
        String pid = Long.toString(process.pid());
        Program histogram = Program.run(Program.jdk("jcmd"), pid, "GC.class_histogram");
        Matcher total = TOTAL.matcher(histogram.output());
        assertTrue(total.find() && histogram.exit() == 0, histogram::output);
        return new ProcessSize(Long.parseLong(total.group(1)), count(Path.of("/proc", pid, "task")), sockets(pid));
    }

    /** Requires about the same size as before. A leak would grow with every one of thousands of calls. */
    void requireNoGrowthSince(ProcessSize before) {
        String both = this + " after " + before;
        assertTrue(heapBytes - before.heapBytes <= MAX_HEAP_GROWTH_BYTES, () -> "heap: " + both);
        assertTrue(threads - before.threads <= MAX_THREADS_GROWTH, () -> "threads: " + both);
        assertTrue(connections - before.connections <= MAX_CONNECTIONS_GROWTH, () -> "connections: " + both);
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    private static long sockets(String pid) throws IOException, InterruptedException {
        Program list = Program.run("ls", "-l", "/proc/" + pid + "/fd");
        assertEquals(0, list.exit(), list.output());
        return list.output().lines().filter(line -> line.contains("socket:")).count();
    }

    @Override
    public String toString() {
        return "%.1f MB heap, %d threads, %d connections".formatted(heapBytes / BYTES_OF_A_MB, threads, connections);
    }
}
