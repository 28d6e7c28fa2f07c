package dev.numera.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.numera.fixtures.Program;
import dev.numera.functions.App;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The languages of the client libraries, each with a program that plays scenes. */
enum ClientLanguage {
    JAVASCRIPT {
        @Override
        List<String> player(Path folder) {
            return List.of("node", SCENES + "/scenes.mjs");
        }
    },
    PYTHON {
        @Override
        String version() {
            return super.version().replace("-SNAPSHOT", ".dev0");
        }

        @Override
        List<String> player(Path folder) {
            assumeTrue(Program.isOnPath("python3"), "Python is not installed, so its client is not tried");
            return List.of("env", "PYTHONPATH=" + CLIENTS + "/python/src", "python3", "-B", SCENES + "/scenes.py");
        }
    },
    JAVA {
        @Override
        List<String> player(Path folder) throws IOException, InterruptedException {
            Program.compileJava(folder, CLIENTS.resolve("java/src/main/java"), SCENES.resolve("Scenes.java"));
            return List.of(Program.jdk("java"), "-cp", folder.toString(), "dev.numera.client.Scenes");
        }
    },
    GO {
        @Override
        List<String> player(Path folder) throws IOException, InterruptedException {
            assumeTrue(Program.isOnPath("go"), "Go is not installed, so its client is not tried");
            String program = folder.resolve("scenes").toString();
            Map<String, String> environment = Map.of("GOTOOLCHAIN", "local", "GOFLAGS", "-buildvcs=false");
            Program build =
                    Program.run(environment, "go", "-C", SCENES.resolve("go").toString(), "build", "-o", program, ".");
            assumeFalse(build.output().contains("requires go >="), build.output());
            assertEquals(0, build.exit(), build.output());
            return List.of(program);
        }
    };

    static final Path SCENES = Path.of("src", "test", "scenes").toAbsolutePath();
    static final Path CLIENTS = Path.of("clients").toAbsolutePath();

    /** Returns the app's version as packages of the language write it. */
    String version() {
        return App.VERSION;
    }

    /** Returns the {@code User-Agent} of the client. */
    String userAgent() {
        return "numera-" + name().toLowerCase(Locale.ROOT) + "/" + version();
    }

    /** Returns the command that plays scenes, and writes compiled files to the folder. */
    abstract List<String> player(Path folder) throws IOException, InterruptedException;

    /**
     * Plays each scene of a table with the client and returns one line per scene: the result or the error of the
     * client.
     *
     * @param url the address of the API, in which {@code {scene}} is replaced by the scene's index
     */
    List<String> play(String url, Path table, Path folder) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(player(folder));
        command.addAll(List.of(url, table.toString()));
        Program run = Program.run(command.toArray(String[]::new));
        assertEquals(0, run.exit(), run.output());
        return run.output().lines().toList();
    }
}
