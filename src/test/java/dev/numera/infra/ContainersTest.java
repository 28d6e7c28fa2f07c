package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.localhost.Start;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The container files agree with the build, the app and {@code infra/}. No test runs them in a container engine. */
class ContainersTest {
    private static final DeploymentFile APP = DeploymentFile.read("Dockerfile");
    private static final DeploymentFile LOCAL_HOST = DeploymentFile.read("src/localhost/Dockerfile");
    private static final DeploymentFile IGNORE = DeploymentFile.read(".dockerignore");
    private static final DeploymentFile COMPOSE = DeploymentFile.read("compose.yaml");
    private static final DeploymentFile POM = DeploymentFile.read("pom.xml");
    private static final DeploymentFile FIRST_PROCESS = DeploymentFile.read("src/localhost/container.mjs");
    private static final DeploymentFile PAGE = DeploymentFile.read("docs/containers.md");

    /** The outputs of {@code mvn package}. */
    private static final Set<String> BUILT =
            Set.of("target/azure-functions/numera", "target/localhost", "target/test-classes/dev/numera/localhost");

    @Test
    void whatIsCopiedExistsOrIsBuilt() {
        Set<String> copied = copied();

        copied.stream()
                .filter(source -> !BUILT.contains(source))
                .forEach(source -> assertTrue(Files.isRegularFile(Path.of(source)), source));
        assertTrue(copied.containsAll(BUILT), copied::toString);
    }

    @Test
    void theBuildMakesItWhereItIsCopiedFrom() {
        String name = only(POM.all("<functionAppName>(.*)</functionAppName>"));
        String folder = only(POM.all("<package.directory>(.*)</package.directory>"));

        assertEquals(
                "target/azure-functions/numera",
                folder.replace("${project.build.directory}", "target").replace("${functionAppName}", name));
        assertEquals(
                Set.of("localhost"),
                DeploymentFile.read("tools/build/pom.xml")
                        .all("<outputDirectory>\\$\\{project.build.directory}/(localhost)</output"));
        assertTrue(Files.isDirectory(Path.of("target/test-classes/dev/numera/localhost")));
    }

    @Test
    void nothingElseIsSentToTheEngine() {
        assertTrue(IGNORE.all("(?m)^(\\*)$").contains("*"), IGNORE.text());
        assertEquals(copied(), IGNORE.all("(?m)^!(.*)$"));
    }

    /** Local settings use an emulator and let the app create its tables. */
    @Test
    void noImageOfTheAppHasTheSettingsOfADevelopersMachine() {
        assertEquals(Set.of("target/azure-functions/numera/local.settings.json"), IGNORE.all("(?m)^([^#!*].*)$"));
    }

    /**
     * Without these settings, the app in a container would use the defaults of a developer's machine, because it
     * detects Azure only in a function app.
     */
    @Test
    void theAppHasTheSettingsOfADeploymentToAzure() {
        Map<String, String> deployed = Snapshot.of("production").settings();
        Map<String, String> set =
                new TreeMap<>(APP.pairs("((?:Numera_|languageWorkers__)\\w+)=\"?(.*?)\"?(?: \\\\)?\\n"));

        assertEquals(
                Set.of(
                        "Numera_AutoCreate",
                        "Numera_BackupSchedule",
                        "Numera_Console",
                        "Numera_CreateTables",
                        "languageWorkers__java__arguments"),
                set.keySet());
        set.forEach((name, value) -> assertEquals(deployed.get(name), value, name));
    }

    @Test
    void theAppRunsOnTheJavaOfTheDeployment() {
        String java = only(POM.all("<javaVersion>(\\d+)</javaVersion>"));

        assertEquals(Set.of("mcr.microsoft.com/azure-functions/java:4-java" + java), APP.all("(?m)^FROM (.*)$"));
        assertTrue(LOCAL_HOST.text().contains("FROM eclipse-temurin:" + java + "-jre"), LOCAL_HOST.text());
        assertEquals(
                Set.of("AzureWebJobsScriptRoot=" + only(APP.all("COPY \\S+ (\\S+)"))),
                APP.all("(AzureWebJobsScriptRoot=\\S+)"));
    }

    @Test
    void theLocalHostsPortsAreThoseOfMaven() {
        Set<String> ports = new TreeSet<>(
                Set.of(only(POM.all("<azuritePorts>(.*)</azuritePorts>")).split(",")));
        ports.add(only(POM.all("<port>(\\d+)</port>")));

        assertEquals(ports, Set.of(only(LOCAL_HOST.all("EXPOSE (.*)")).split(" ")));
        assertEquals(ports, FIRST_PROCESS.all("= '(\\d{4,})'"));
        assertEquals(ports, COMPOSE.all("\"127\\.0\\.0\\.1:(\\d+):\\d+\""));
        assertEquals(ports, COMPOSE.all("\"127\\.0\\.0\\.1:\\d+:(\\d+)\""));
        assertEquals(4, COMPOSE.all("- \"(.*:.*)\"").size());
    }

    @Test
    void theLocalHostStartsWhatMavenStarts() {
        assertEquals(Set.of(Start.class.getName()), FIRST_PROCESS.all("'(dev\\.numera\\.\\S+)'"));
        assertEquals(
                Set.of(Start.class.getName()), POM.all("<mainClass>(dev\\.numera\\.localhost\\.\\w+)</mainClass>"));
        assertEquals(Set.of("[\"node\", \"container.mjs\"]"), LOCAL_HOST.all("ENTRYPOINT (.*)"));
    }

    @Test
    void composeBuildsTheLocalHost() {
        assertEquals(Set.of(LOCAL_HOST.name()), COMPOSE.all("dockerfile: (.*)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"src/localhost/Dockerfile", "docs/containers.md"})
    void healthIsAskedWhereTheAppAnswers(String file) {
        Set<String> paths = DeploymentFile.read(file).all("(/api/\\w+)['\")]");

        assertEquals(Set.of("/api/health"), paths);
        assertTrue(DeploymentFile.read("src/main/resources/dev/numera/functions/openapi.json")
                .text()
                .contains("\"/health\""));
    }

    @Test
    void thePageNamesTheFilesAndThePort() {
        assertTrue(PAGE.text().contains("docker build -f src/localhost/Dockerfile -t numera-local ."), PAGE.text());
        assertTrue(PAGE.text().contains("No container engine"), PAGE.text());
        assertEquals(Set.of("FUNCTION_KEY"), FIRST_PROCESS.all("process\\.env\\.(FUNCTION_\\w+)"));
        assertTrue(PAGE.text().contains("FUNCTION_KEY"), PAGE.text());
    }

    private static Set<String> copied() {
        Set<String> sources = new TreeSet<>();
        for (DeploymentFile file : Set.of(APP, LOCAL_HOST)) {
            for (String copy : file.all("(?m)^COPY (?!--from)(.*) \\S+$")) {
                sources.addAll(Set.of(copy.split(" ")));
            }
        }
        return sources;
    }

    private static String only(Set<String> found) {
        assertEquals(1, found.size(), found::toString);
        return found.iterator().next();
    }
}
