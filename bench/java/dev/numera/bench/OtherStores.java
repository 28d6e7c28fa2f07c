package dev.numera.bench;

import dev.numera.bench.strategy.Catalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts PostgreSQL and Redis if they are installed, on free loopback ports, with their default durability and empty
 * data. Stops them at the end of the benchmark.
 */
final class OtherStores implements AutoCloseable {
    private static final Path DEBIAN_POSTGRES = Path.of("/usr/lib/postgresql");
    private static final String POSTGRES_USER = "postgres";
    private static final int START_SECONDS = 60;
    private static final int STOP_SECONDS = 20;
    private static final int POLL_MILLIS = 100;

    private final List<Process> processes = new ArrayList<>();
    private final Set<Catalogue.Store> started = EnumSet.noneOf(Catalogue.Store.class);
    private final StringBuilder skipped = new StringBuilder();
    private final Path folder;
    private String postgresUrl;
    private int redisPort;

    private OtherStores(Path folder) {
        this.folder = folder;
    }

    /** @param log the folder for the servers' output */
    static OtherStores start(Path log) {
        try {
            OtherStores stores = new OtherStores(Files.createTempDirectory("numera-bench"));
            stores.startPostgres(log.resolve("postgres.log"));
            stores.startRedis(log.resolve("redis.log"));
            return stores;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Set<Catalogue.Store> started() {
        return started;
    }

    /** Returns a sentence for each server that is not installed. */
    String skipped() {
        return skipped.toString();
    }

    /** The URL of PostgreSQL for JDBC; null if it did not start. */
    String postgresUrl() {
        return postgresUrl;
    }

    /** The port of Redis; 0 if it did not start. */
    int redisPort() {
        return redisPort;
    }

    @Override
    public void close() {
        processes.forEach(OtherStores::stop);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startPostgres(Path log) throws IOException {
        Optional<Path> programs = postgresPrograms();
        if (programs.isEmpty()) {
            skip("PostgreSQL", "postgresql");
            return;
        }
        Path data = folder.resolve("postgres");
        int port = freePort();
        giveToPostgres(folder);
        List<String> init = asPostgres(
                programs.get().resolve("initdb").toString(), "-D", data.toString(), "-A", "trust", "-U", POSTGRES_USER);
        await(run(init, log));
        processes.add(run(
                asPostgres(
                        programs.get().resolve("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-p",
                        "" + port,
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=" + folder),
                log));
        awaitPort(port, log);
        postgresUrl = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + POSTGRES_USER;
        started.add(Catalogue.Store.POSTGRES);
    }

    private void startRedis(Path log) throws IOException {
        Optional<Path> server = onPath("redis-server");
        if (server.isEmpty()) {
            skip("Redis", "redis-server");
            return;
        }
        redisPort = freePort();
        processes.add(run(
                List.of(
                        server.get().toString(),
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        "" + redisPort,
                        "--dir",
                        folder.toString()),
                log));
        awaitPort(redisPort, log);
        started.add(Catalogue.Store.REDIS);
    }

    private void skip(String store, String debianPackage) {
        String sentence =
                store + " was skipped: its server is not on this machine (Debian's package `" + debianPackage + "`).";
        Progress.say(sentence);
        skipped.append('\n').append(sentence).append('\n');
    }

    private static Optional<Path> postgresPrograms() throws IOException {
        if (!Files.exists(DEBIAN_POSTGRES)) {
            return onPath("initdb").map(Path::getParent);
        }
        try (Stream<Path> versions = Files.list(DEBIAN_POSTGRES)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.exists(bin.resolve("initdb")))
                    .max(Comparator.naturalOrder());
        }
    }

    private static Optional<Path> onPath(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs the command as the user postgres, because PostgreSQL refuses to run as root. */
    private static List<String> asPostgres(String... command) {
        List<String> whole = new ArrayList<>(
                isRoot()
                        ? List.of("setpriv", "--reuid", POSTGRES_USER, "--regid", POSTGRES_USER, "--clear-groups")
                        : List.of());
        whole.addAll(List.of(command));
        return whole;
    }

    private static void giveToPostgres(Path folder) throws IOException {
        if (isRoot()) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(POSTGRES_USER));
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static Process run(List<String> command, Path log) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static void await(Process process) {
        try {
            if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(
                        "It did not end well: " + process.info().commandLine().orElse("a server's preparation"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void awaitPort(int port, Path log) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < deadline) {
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException notYet) {
                // The server is still starting.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
        throw new IllegalStateException("Nothing listens on port " + port + ": see " + log);
    }

    private static void stop(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
