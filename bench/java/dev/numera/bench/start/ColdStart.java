package dev.numera.bench.start;

import dev.numera.bench.report.Figures;
import dev.numera.bench.report.Table;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures the time from starting a JVM to its first number, with the flags of the Java worker. Compares the jars that
 * the app ships with the same jars and Netty.
 */
public final class ColdStart {
    private static final List<String> NETTY =
            List.of("/io/netty/", "/io/projectreactor/netty/", "/azure-core-http-netty/");
    private static final String JDK_CLIENT = "azure-core-http-jdk-httpclient";
    private static final long BYTES_A_MEGABYTE = 1_000_000;

    private final Path packageFolder;
    private final String connection;
    private final Path errors;
    private final int starts;
    private final Table table = new Table("HTTP client", "median ms", "fastest ms", "slowest ms", "jars", "MB");

    private ColdStart(Path packageFolder, String connection, Path folder, boolean isQuick) {
        this.packageFolder = packageFolder;
        this.connection = connection;
        this.errors = folder.resolve("cold-start.log");
        this.starts = isQuick ? 3 : 15;
    }

    /**
     * Starts all processes, one after the other, and blocks until the last has ended.
     *
     * @param packageFolder the folder of the packaged app
     * @param folder an existing folder for the processes' log
     */
    public static String run(Path packageFolder, String connection, Path folder, boolean isQuick) throws IOException {
        ColdStart coldStart = new ColdStart(packageFolder, connection, folder, isQuick);
        List<Path> shipped = coldStart.shipped();
        List<Path> withNetty = Stream.concat(
                        shipped.stream()
                                .filter(jar -> !jar.getFileName().toString().startsWith(JDK_CLIENT)),
                        nettyJars().stream())
                .toList();
        coldStart.addRow("the JDK's, as shipped", FirstNumber.Client.JDK, shipped);
        coldStart.addRow("Netty, the SDK's default", FirstNumber.Client.NETTY, withNetty);
        return coldStart.table.toString();
    }

    private void addRow(String title, FirstNumber.Client client, List<Path> jars) throws IOException {
        start(client, jars);
        long[] millis = new long[starts];
        for (int i = 0; i < starts; i++) {
            millis[i] = start(client, jars);
        }
        Arrays.sort(millis);
        long bytes = 0;
        for (Path jar : jars) {
            bytes += Files.size(jar);
        }
        table.add(List.of(
                title,
                Figures.of(millis[starts / 2]),
                Figures.of(millis[0]),
                Figures.of(millis[starts - 1]),
                "" + jars.size(),
                Figures.of((double) bytes / BYTES_A_MEGABYTE)));
    }

    private long start(FirstNumber.Client client, List<Path> jars) throws IOException {
        String classPath = Stream.concat(jars.stream().map(Path::toString), Stream.of(ownClasses()))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        FirstNumber.class.getName(),
                        connection,
                        "cold-start",
                        client.name())
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        try (BufferedReader output = process.inputReader()) {
            String line = output.readLine();
            if (line == null) {
                throw new IOException("The process ended without a number: see " + errors);
            }
            return Long.parseLong(line);
        }
    }

    /** Returns the app's own jar and its dependencies. */
    private List<Path> shipped() throws IOException {
        try (Stream<Path> files = Files.walk(packageFolder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> nettyJars() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> NETTY.stream().anyMatch(entry.replace('\\', '/')::contains))
                .map(Path::of)
                .toList();
    }

    private static String ownClasses() {
        return FirstNumber.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
    }
}
