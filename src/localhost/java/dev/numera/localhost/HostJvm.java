package dev.numera.localhost;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The process of a packaged app. The app needs a process of its own because it reads its settings from the environment,
 * which a running JVM cannot change.
 */
public final class HostJvm {
    /** Prints each log message on one line; the JDK's default takes two. */
    private static final String LOG_FORMAT = "%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n";

    private HostJvm() {}

    /**
     * Returns the process, which the caller must start.
     *
     * @param main the class to run, with the arguments of {@link LocalHost#main}
     * @param packageFolder must not change while the process runs: see {@link PackageCopy}
     * @param settings variables to add to the environment; an empty value removes the variable
     */
    public static ProcessBuilder of(
            Class<?> main, Path packageFolder, int port, Optional<String> key, Map<String, String> settings) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // The Java worker starts with this flag too: it starts sooner, at a lower peak speed.
                "-XX:TieredStopAtLevel=1",
                // The same flag as on Azure. A process that keeps running after it ran out of memory lacks the threads
                // that ended.
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.util.logging.SimpleFormatter.format=" + LOG_FORMAT,
                "-cp",
                classPath(),
                main.getName(),
                packageFolder.toString(),
                Integer.toString(port)));
        key.ifPresent(command::add);
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().putAll(settings);
        process.environment().values().removeIf(String::isEmpty);
        return process;
    }

    /**
     * Runs the start of a process. If the start is refused, prints the reason and ends the process with exit code 1.
     */
    static void runMain(Runnable start) {
        try {
            start.run();
        } catch (StartRefused e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /**
     * Returns the class path of these classes. Inside Maven they come from the plugin's class loader, because the JVM's
     * class path is Maven's own.
     */
    static String classPath() {
        if (HostJvm.class.getClassLoader() instanceof URLClassLoader loader) {
            return Arrays.stream(loader.getURLs()).map(HostJvm::file).collect(Collectors.joining(File.pathSeparator));
        }
        return System.getProperty("java.class.path");
    }

    private static String file(URL url) {
        return Path.of(URI.create(url.toString())).toString();
    }
}
