package dev.numera.localhost;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The main class of {@code mvn -Pstart}: runs Azurite and this project's app on one machine until Ctrl-C. It runs
 * inside Maven, starts a process for each of the two, and ends when the app's process ends.
 */
public final class Start {
    private static final String DATA_FOLDER = ".azurite";
    private static final String DEVELOPMENT_STORAGE = "UseDevelopmentStorage=true";
    /** The exit code after SIGKILL, the only signal that leaves a process no time to say why it ended. */
    private static final int KILLED = 128 + 9;

    /** The user's options. An empty key means no key; Maven passes it as null. */
    private record Options(
            Path projectFolder,
            Path packageFolder,
            int port,
            Optional<String> key,
            boolean fresh,
            Azurite.Ports azuritePorts) {
        static Options parse(String... arguments) {
            try {
                int[] azurite = Arrays.stream(arguments[5].split(","))
                        .mapToInt(Options::port)
                        .toArray();
                return new Options(
                        Path.of(arguments[0]),
                        Path.of(arguments[1]),
                        port(arguments[2]),
                        Optional.ofNullable(arguments[3]).filter(key -> !key.isEmpty()),
                        !arguments[4].equals("false"),
                        new Azurite.Ports(azurite[0], azurite[1], azurite[2]));
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw new StartRefused(
                        "-Dport=" + arguments[2] + " must be a port from 0 to 65535, and -DazuritePorts=" + arguments[5]
                                + " three of them, for blobs, queues and tables; 0 means any free one.",
                        e);
            }
        }

        private static int port(String text) {
            int port = Integer.parseInt(text);
            return Objects.checkIndex(port, 0x10000);
        }
    }

    /** Keeps the lock of Azurite's data until this process ends. */
    private static @Nullable Azurite started;

    private Start() {}

    /**
     * Takes six arguments: the project's folder, the package's folder, the port, the key (may be empty), true for fresh
     * data, and Azurite's three ports.
     */
    public static void main(String... arguments) {
        HostJvm.runMain(() -> {
            Options options = Options.parse(arguments);
            PackageCopy copy = PackageCopy.of(options.packageFolder);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(copy), "start-stop"));
            System.exit(run(options, copy));
        });
    }

    private static int run(Options options, PackageCopy copy) {
        AppSettings fromFiles = AppSettings.ofFiles(copy.folder(), options.projectFolder, System.getenv());
        Azurite.Ports azurite = azurite(options);
        Map<String, String> settings = new HashMap<>(fromFiles.values());
        if (!azurite.equals(Azurite.Ports.WELL_KNOWN)) {
            settings.replaceAll(
                    (name, value) -> value.equals(DEVELOPMENT_STORAGE) ? Azurite.connectionString(azurite) : value);
        }
        try {
            int exitCode = HostJvm.of(NumeraHost.class, copy.folder(), options.port, options.key, settings)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exitCode == KILLED) {
                System.err.println(
                        "The process of the app was killed, perhaps because the machine ran out of memory. Start it again.");
            }
            return exitCode;
        } catch (IOException e) {
            throw new StartRefused("Cannot start the JVM of this Maven again for the app (" + e.getMessage() + ").", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefused("The start was interrupted.", e);
        }
    }

    private static Azurite.Ports azurite(Options options) {
        if (Azurite.isListening(options.azuritePorts)) {
            System.out.println("Using the Azurite that already listens on port " + options.azuritePorts.table()
                    + ", with its data. If that is not the data of this folder, add -DazuritePorts=0,0,0."
                    + (options.fresh ? " -Dfresh has no effect on it: stop it first." : ""));
            return options.azuritePorts;
        }
        Path data = options.projectFolder.resolve(DATA_FOLDER);
        started = Azurite.withData(data, options.azuritePorts, options.fresh);
        return started.ports();
    }

    /**
     * Ends the app before Azurite, so that the app's last calls still reach their storage. This works if only this
     * process receives the signal ({@code kill -INT}); Ctrl-C sends it to all three at once. Azurite may be just
     * starting.
     */
    private static void stop(PackageCopy copy) {
        ProcessHandle.current().children().filter(Start::isJava).forEach(EndSignal::sendTo);
        ProcessHandle.current().children().forEach(EndSignal::sendTo);
        copy.close();
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().map(command -> command.endsWith("java")).orElse(false);
    }
}
