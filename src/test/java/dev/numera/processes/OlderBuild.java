package dev.numera.processes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The packaged app of an earlier commit, built once from its sources into {@code target/older}. */
final class OlderBuild {
    private static final Path FOLDER = Path.of("target", "older");
    private static final String MAVEN = File.separatorChar == '\\' ? "mvn.cmd" : "mvn";

    private OlderBuild() {}

    /**
     * Returns the folder of the build. The test is skipped if the history lacks the commit, as in a shallow clone.
     *
     * @throws IllegalStateException if the build fails; the log in the same folder states the reason
     */
    static Path of(String commit) throws IOException, InterruptedException {
        Path sources = Files.createDirectories(FOLDER.resolve(commit));
        Path built = sources.resolve("target/azure-functions/numera");
        if (!Files.exists(built.resolve("host.json"))) {
            Assumptions.assumeTrue(
                    run(Path.of("."), "git", "cat-file", "-e", commit + "^{commit}"),
                    "The history of this clone has no " + commit + ": fetch it whole to test upgrades.");
            require(run(Path.of("."), "git", "archive", "--output", sources + ".tar", commit));
            require(run(sources, "tar", "-xf", "../" + commit + ".tar"));
            require(run(sources, MAVEN, "-B", "-ntp", "-Dmaven.test.skip", "-Dcyclonedx.skip", "package"));
        }
        return built;
    }

    private static void require(boolean isDone) {
        if (!isDone) {
            throw new IllegalStateException("The older app could not be built: see " + FOLDER.resolve("build.log"));
        }
    }

    private static boolean run(Path folder, String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(List.of(command))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                FOLDER.resolve("build.log").toFile()))
                        .start()
                        .waitFor()
                == 0;
    }
}
