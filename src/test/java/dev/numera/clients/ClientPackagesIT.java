package dev.numera.clients;

import static dev.numera.clients.ClientLanguage.CLIENTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.Program;
import dev.numera.functions.App;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Packs each client library as its registry requires, checks that the package contains only the needed files, installs
 * it, and compares its size with {@code docs/clients.md}.
 */
@Timeout(900)
@Tag("long")
class ClientPackagesIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BYTES_OF_A_KB = 1000;
    /** The errors of pip when the network or the package index is unreachable. */
    private static final Pattern NO_INDEX = Pattern.compile("(NewConnection|NameResolution|ConnectTimeout|ReadTimeout|"
            + "Proxy|ConnectionReset)Error|Network is unreachable|Connection refused|name resolution");

    @TempDir
    Path folder;

    @Test
    void npmPackageIsInstalledAndImported() throws Exception {
        Path client = CLIENTS.resolve("javascript");
        JsonNode packed = JSON.readTree(run("npm", "pack", client.toString(), "--dry-run", "--json"))
                .get(0);
        Set<String> files = new TreeSet<>();
        packed.get("files").forEach(file -> files.add(file.get("path").asText()));

        assertEquals(Set.of("LICENSE", "README.md", "numera.d.ts", "numera.js", "package.json"), files);
        hasStatedSize("npm", packed.get("size").asLong());
        run("npm", "pack", client.toString(), "--pack-destination", folder.toString());
        Path archive = folder.resolve(packed.get("filename").asText());
        run("npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", folder + "/app", archive.toString());
        Path use = Files.writeString(
                folder.resolve("app/use.mjs"), "import { Numera } from '@numera/client'; console.log(Numera.name);");
        assertEquals("Numera", run("node", use.toString()));
    }

    @Test
    void wheelIsInstalledAndImported() throws Exception {
        assumeTrue(Program.isOnPath("python3"), "Python is not installed, so no wheel is built");
        assumeTrue(Program.run("python3", "-m", "pip", "--version").exit() == 0, "pip is not installed");
        // pip writes its build files to the folder of the sources, so it gets a copy.
        Path sources = copyOf(CLIENTS.resolve("python"));
        Program build = Program.run(
                "python3", "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder.toString(), sources.toString());
        assumeFalse(
                build.exit() != 0 && NO_INDEX.matcher(build.output()).find(),
                () -> "pip cannot reach its index: " + build.output());
        assertEquals(0, build.exit(), build.output());
        Path wheel = only(".whl");

        hasStatedSize("wheel", Files.size(wheel));
        try (JarFile files = new JarFile(wheel.toFile(), false)) {
            assertTrue(files.getEntry("numera_client/__init__.py") != null, "the module");
            assertTrue(files.getEntry("numera_client/py.typed") != null, "the mark of a typed package");
            assertEquals(7, files.size(), "and five files about the package");
        }
        run("python3", "-m", "venv", folder.resolve("venv").toString());
        String python = folder.resolve("venv/bin/python").toString();
        run(python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", wheel.toString());
        assertEquals(
                "Numera " + ClientLanguage.PYTHON.version(),
                run(
                        python,
                        "-I",
                        "-c",
                        "import numera_client, importlib.metadata as m;"
                                + " print(numera_client.Numera.__name__, m.version('numera-client'))"));
    }

    @Test
    void artifactIsPackedWithSourcesAndJavadoc() throws Exception {
        Path sources = copyOf(CLIENTS.resolve("java"));
        run("mvn", "-B", "-ntp", "-q", "-f", sources.toString(), "-Prelease", "verify");
        String name = "target/numera-client-" + App.VERSION;
        Path jar = sources.resolve(name + ".jar");

        hasStatedSize("jar", Files.size(jar));
        for (String of : List.of("-sources.jar", "-javadoc.jar")) {
            assertTrue(Files.size(sources.resolve(name + of)) > 0, of);
        }
        JsonNode bom = JSON.readTree(sources.resolve("target/bom.json").toFile());
        assertEquals("numera-client", bom.at("/metadata/component/name").asText());
        assertEquals("MIT", bom.at("/metadata/component/licenses/0/license/id").asText());
        try (JarFile classes = new JarFile(jar.toFile())) {
            assertEquals(
                    "dev.numera.client",
                    classes.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
            assertEquals(
                    Set.of(),
                    classes.stream()
                            .map(Object::toString)
                            .filter(file -> file.endsWith(".class") && !file.startsWith("dev/numera/client/"))
                            .collect(Collectors.toSet()));
        }
        Path use = Files.writeString(
                folder.resolve("Use.java"),
                "class Use { public static void main(String[] a) {"
                        + " System.out.println(dev.numera.client.Numera.class.getSimpleName()); } }");
        assertEquals("Numera", run(Program.jdk("java"), "-cp", jar.toString(), use.toString()));
    }

    @Test
    void goModuleIsAFewFilesWithoutDependencies() throws IOException {
        Path module = CLIENTS.resolve("go");
        long bytes = 0;
        try (Stream<Path> files = Files.list(module)) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }

        hasStatedSize("Go", bytes);
        assertTrue(!Files.readString(module.resolve("go.mod")).contains("require"), "the standard library is enough");
    }

    private static void hasStatedSize(String what, long bytes) throws IOException {
        System.out.println("The client as " + what + ": " + bytes + " bytes");
        String page = Files.readString(Path.of("docs", "clients.md"));
        Matcher stated = Pattern.compile("(\\d+) kB \\(" + what + "\\)").matcher(page);
        assertTrue(stated.find(), what + " has no size in docs/clients.md");
        long kilobytes = Math.round((double) bytes / BYTES_OF_A_KB);
        long difference = Math.abs(Long.parseLong(stated.group(1)) - kilobytes);
        assertTrue(difference <= 1, () -> "docs/clients.md: " + kilobytes + " kB (" + what + ")");
    }

    private Path copyOf(Path client) throws IOException {
        Path copy = folder.resolve("sources");
        try (Stream<Path> files = Files.walk(client)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path inside = client.relativize(file);
                if (!inside.startsWith("target") && !inside.startsWith("build")) {
                    Files.createDirectories(copy.resolve(inside).getParent());
                    Files.copy(file, copy.resolve(inside));
                }
            }
        }
        return copy;
    }

    private Path only(String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = new ArrayList<>(
                    files.filter(file -> file.toString().endsWith(ending)).toList());
            assertEquals(1, found.size(), found::toString);
            return found.get(0);
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Program program = Program.run(command);
        assertEquals(0, program.exit(), program.output());
        return program.output();
    }
}
