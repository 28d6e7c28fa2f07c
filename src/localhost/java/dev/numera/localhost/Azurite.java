package dev.numera.localhost;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process of Azurite, the storage emulator from npm, on loopback ports. Its data is in memory, or in a folder that
 * survives {@link #close()}: Azurite saves it every 5 s and when it ends, so only a kill loses the last seconds.
 *
 * <p>Starting blocks until all three services listen, at most {@value #START_SECONDS} s. The first start on a machine
 * also installs Azurite with npm, which needs the network. Thread-safe.
 */
public final class Azurite implements AutoCloseable {
    private static final int START_SECONDS = 60;
    private static final int PROBE_MILLIS = 2_000;
    static final String ACCOUNT = "devstoreaccount1";
    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    /** The installation in the folder of the project, which need not be the working directory. */
    private static final Path HOME = Path.of(System.getProperty("numera.project", ""), "src", "localhost", "azurite");

    private static final Path SCRIPT = HOME.resolve("node_modules/azurite/dist/src/azurite.js");
    /** The file that npm writes last, so its presence proves that an installation is complete. */
    private static final Path INSTALLED = HOME.resolve("node_modules/.package-lock.json");

    private static final Pattern LISTENING = Pattern.compile(
            "Azurite (Blob|Queue|Table) service is successfully listening at http://127\\.0\\.0\\.1:(\\d+)");

    /** The loopback ports of the three services; 0 means any free port. */
    public record Ports(int blob, int queue, int table) {
        public static final Ports ANY = new Ports(0, 0, 0);
        public static final Ports WELL_KNOWN = new Ports(10000, 10001, 10002);
    }

    private final Process process;
    private final Ports ports;
    private final @Nullable FileChannel dataLock;

    private Azurite(Process process, Ports ports, @Nullable FileChannel dataLock) {
        this.process = process;
        this.ports = ports;
        this.dataLock = dataLock;
    }

    /** Starts an Azurite on free ports that forgets its data when it ends. */
    public static Azurite inMemory() {
        return inMemory(List.of());
    }

    /** Starts an Azurite with additional storage accounts, all of them empty. */
    public static Azurite inMemory(List<String> accounts) {
        return start(Ports.ANY, List.of("--inMemoryPersistence"), accounts, null);
    }

    /** Like {@link #withData(Path, Ports, boolean)}, with earlier data if there is any. */
    public static Azurite withData(Path folder, Ports ports) {
        return withData(folder, ports, false);
    }

    /**
     * Starts an Azurite that keeps its data in a folder. Creates the folder if it is missing. The folder belongs to
     * this Azurite until {@link #close}, because two would each allocate the numbers of the other.
     *
     * @param isFresh whether to remove earlier data
     * @throws StartRefused another start uses the folder
     */
    static Azurite withData(Path folder, Ports ports, boolean isFresh) {
        FileChannel lock = lock(folder);
        if (isFresh) {
            PackageCopy.remove(folder);
        }
        return start(ports, List.of("--location", folder.toAbsolutePath().toString()), List.of(), lock);
    }

    /** Locks the data in a folder. The lock is a file outside the folder, because fresh data replaces the folder. */
    private static FileChannel lock(Path folder) {
        Path file = folder.resolveSibling(folder.getFileName() + ".lock");
        try {
            FileChannel channel = FileChannel.open(file, CREATE, WRITE);
            if (channel.tryLock() != null) {
                return channel;
            }
            channel.close();
        } catch (IOException e) {
            throw new StartRefused("The file " + file + " cannot be locked (" + e + ").", e);
        }
        throw new StartRefused("Another start uses the data in " + folder
                + ": stop it first, or start in another copy of the project.");
    }

    public Ports ports() {
        return ports;
    }

    public String connectionString() {
        return connectionString(ports);
    }

    /** Returns the connection string for an Azurite on these ports, even if another process started it. */
    public static String connectionString(Ports ports) {
        return connectionString(ports, ACCOUNT);
    }

    /** Returns the connection string of an additional account. */
    public String connectionString(String account) {
        return connectionString(ports, account);
    }

    private static String connectionString(Ports ports, String account) {
        return "DefaultEndpointsProtocol=http;AccountName=" + account + ";AccountKey=" + KEY
                + ";BlobEndpoint=http://127.0.0.1:" + ports.blob() + "/" + account
                + ";QueueEndpoint=http://127.0.0.1:" + ports.queue() + "/" + account
                + ";TableEndpoint=http://127.0.0.1:" + ports.table() + "/" + account + ";";
    }

    /**
     * Whether an Azurite, possibly of another process, listens on these ports.
     *
     * @throws StartRefused another program listens on one of them, or Azurite on only some of them
     */
    static boolean isListening(Ports ports) {
        Map<Integer, Boolean> isAzurite = new TreeMap<>();
        for (int port : List.of(ports.blob(), ports.queue(), ports.table())) {
            serverOn(port).ifPresent(server -> isAzurite.put(port, server.startsWith("Azurite")));
        }
        isAzurite.forEach((port, azurite) -> {
            if (!azurite || isAzurite.size() < 3) {
                throw new StartRefused("Port " + port + " is in use by "
                        + (azurite ? "an Azurite without its other services" : "a program that is not Azurite")
                        + ": stop it, or choose other ports for Azurite with -DazuritePorts=0,0,0.");
            }
        });
        return !isAzurite.isEmpty();
    }

    /** Returns the name that the server on a port sends; empty if nothing listens on the port. */
    private static Optional<String> serverOn(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
        } catch (IOException unanswered) {
            return Optional.empty();
        }
        try {
            URLConnection answer = URI.create("http://127.0.0.1:" + port + "/" + ACCOUNT)
                    .toURL()
                    .openConnection();
            answer.setReadTimeout(PROBE_MILLIS);
            return Optional.of(String.valueOf(answer.getHeaderField("Server")));
        } catch (IOException notHttp) {
            return Optional.of("");
        }
    }

    /** Asks Azurite to save its data and end, and waits until it has ended. */
    @Override
    public void close() {
        EndSignal.sendTo(process.toHandle());
        if (dataLock != null) {
            try {
                dataLock.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Azurite start(
            Ports wanted, List<String> persistence, List<String> accounts, @Nullable FileChannel dataLock) {
        install();
        List<String> command = new ArrayList<>(List.of(
                "node",
                SCRIPT.toString(),
                "--silent",
                "--skipApiVersionCheck",
                "--disableTelemetry",
                "--blobPort",
                "" + wanted.blob(),
                "--queuePort",
                "" + wanted.queue(),
                "--tablePort",
                "" + wanted.table()));
        command.addAll(persistence);
        String keys = Stream.concat(Stream.of(ACCOUNT), accounts.stream())
                .map(account -> account + ":" + KEY)
                .collect(Collectors.joining(";"));
        Process process = run(command, Map.of("AZURITE_ACCOUNTS", keys));
        Thread deadline = new DaemonThread(() -> killUnlessListening(process), "azurite-start-deadline");
        deadline.start();
        try {
            Ports ports = awaitListening(process);
            keepReading(process);
            return new Azurite(process, ports, dataLock);
        } catch (IOException e) {
            process.destroyForcibly();
            throw new StartRefused("Azurite did not start: " + e.getMessage(), e);
        } finally {
            deadline.interrupt();
        }
    }

    /** Installs Azurite unless it is installed. Waits if this or another process is just installing it. */
    private static synchronized void install() {
        if (Files.exists(INSTALLED)) {
            return;
        }
        try (FileChannel lock = FileChannel.open(HOME.resolve("install.lock"), CREATE, WRITE)) {
            lock.lock();
            if (!Files.exists(INSTALLED)) {
                runNpm();
            }
        } catch (IOException e) {
            throw new StartRefused("Azurite cannot be installed into " + HOME + ": " + e, e);
        }
    }

    private static void runNpm() throws IOException {
        System.err.println("Installing Azurite with npm, once ...");
        Process npm = run(
                List.of("npm", "ci", "--prefix", HOME.toString(), "--no-progress", "--no-fund", "--no-audit"),
                Map.of());
        try {
            String output = new String(npm.getInputStream().readAllBytes());
            if (npm.waitFor() != 0) {
                throw new StartRefused("npm could not install Azurite into " + HOME + ":\n" + output);
            }
        } catch (InterruptedException e) {
            npm.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new StartRefused("Interrupted while npm installed Azurite.", e);
        }
    }

    private static Process run(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new StartRefused(
                    "Cannot run '" + command.get(0) + "': install Node 22 or later and put it on the PATH ("
                            + e.getMessage() + ").",
                    e);
        }
    }

    private static Ports awaitListening(Process process) throws IOException {
        BufferedReader output = process.inputReader();
        int blob = 0;
        int queue = 0;
        int table = 0;
        StringBuilder said = new StringBuilder();
        while (blob == 0 || queue == 0 || table == 0) {
            String line = output.readLine();
            if (line == null) {
                throw new IOException("it ended and said: " + said.toString().strip());
            }
            said.append(line).append('\n');
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                int port = Integer.parseInt(listening.group(2));
                switch (listening.group(1)) {
                    case "Blob" -> blob = port;
                    case "Queue" -> queue = port;
                    default -> table = port;
                }
            }
        }
        return new Ports(blob, queue, table);
    }

    /** Reads and drops the output. Otherwise the pipe would fill up and block Azurite. */
    private static void keepReading(Process process) {
        Thread reader = new DaemonThread(
                () -> {
                    try {
                        process.inputReader().lines().forEach(line -> {});
                    } catch (UncheckedIOException ended) {
                        // The pipe closes when the process ends.
                    }
                },
                "azurite-output");
        reader.start();
    }

    private static void killUnlessListening(Process process) {
        try {
            TimeUnit.SECONDS.sleep(START_SECONDS);
            process.destroyForcibly();
        } catch (InterruptedException listening) {
            // The usual case: Azurite listens before the deadline.
        }
    }
}
