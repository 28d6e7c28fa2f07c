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
 * The process that a packaged app runs in. It is one of its own because an app reads its settings from the environment,
 * which a running JVM cannot change.
 */
public final class HostJvm {
    /** One line for each message; the JDK's default is two. */
    private static final String LOG_FORMAT = "%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n";

    private HostJvm() {}

    /**
     * The process, not yet started.
     *
     * @param main the class to run, which takes the arguments of {@link LocalHost#main}
     * @param packageFolder must stay as it is while the process runs: see {@link PackageCopy}
     * @param settings added to the environment of this process; an empty one takes it out
     */
    public static ProcessBuilder of(
            Class<?> main, Path packageFolder, int port, Optional<String> key, Map<String, String> settings) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // As the Java worker starts: a sooner start for a lower peak.
                "-XX:TieredStopAtLevel=1",
                // As on Azure: a process whose threads died of it would go on without them.
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
     * Runs the start of a process. If it is refused, prints the sentence that says why and ends the process with exit
     * code 1.
     */
    static void runMain(Runnable start) {
        try {
            start.run();
        } catch (StartRefused e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** Within Maven the class path is that of Maven itself, and these classes come from a loader of the plugin's. */
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
