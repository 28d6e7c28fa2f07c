package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.numera.fixtures.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks deployment files with tools: the schema of host.json, the parser of log queries, and the Bicep compiler if it
 * is installed.
 */
class InfraIT {
    private static final Path HOME = Path.of("src", "test", "infra");
    private static final Path PACKAGE = Path.of(System.getProperty("numera.package", "target/azure-functions/numera"));

    private static final Path BILL_OF_MATERIALS = Path.of("target", "bom.json");

    @BeforeAll
    static void installChecksOnce() throws Exception {
        Program.installPackages(HOME);
    }

    @Test
    void everyQueryOfTheLogParses() throws Exception {
        Set<Path> files = Set.of(
                Path.of("infra/app/alerts.json"), Path.of("infra/app/workbook.json"), Path.of("docs/operations.md"));

        assertEquals(new Program(0, ""), node("check-queries.mjs", files));
    }

    @Test
    @Tag("long")
    void parserFindsAWrongColumnAndAWrongWord(@TempDir Path folder) throws Exception {
        Path damaged = Files.writeString(
                folder.resolve("damaged.json"),
                """
                [{"query": "AppRequests | where Programcode == \\"503\\""}, {"query": "AppRequests | whre Success"}]""");

        Program result = node("check-queries.mjs", Set.of(damaged));

        assertEquals(1, result.exit());
        assertTrue(result.output().contains("'Programcode' does not refer to any known column"), result.output());
        assertTrue(result.output().contains("Query operator expected"), result.output());
    }

    @Test
    void hostJsonFitsItsSchema() throws Exception {
        assertEquals(new Program(0, ""), node("validate-host.mjs", Set.of(Path.of("host.json"))));
    }

    @Test
    void schemaFindsAMisspelledName(@TempDir Path folder) throws Exception {
        Path misspelled = folder.resolve("host.json");
        Files.writeString(misspelled, "{\"version\": \"2.0\", \"functionTimeOut\": \"00:05:00\"}");

        Program result = node("validate-host.mjs", Set.of(misspelled));

        assertEquals(1, result.exit());
        assertTrue(result.output().contains("functionTimeOut"), result.output());
    }

    /** A compiler of another version checks only that the files compile. */
    @Test
    @Tag("long")
    void compilerLinterFormatterAndSnapshotsFindNothing() throws Exception {
        Program checked = checkInfra(DeploymentFile.INFRA);

        assertEquals(new Program(0, ""), checked);
    }

    @Test
    @Tag("long")
    void compilerLinterFormatterAndSnapshotsReportDamagedFiles(@TempDir Path folder) throws Exception {
        copyInfra(folder);
        damage(folder.resolve("app/function-app.bicep"), "httpsOnly: true", "httpOnly: true");
        damage(folder.resolve("app/roles.bicep"), "param location string", "param location   string");
        damage(folder.resolve("app/account.bicep"), "allowSharedKeyAccess: false", "allowSharedKeyAccess: true");
        damage(folder.resolve("main.bicep"), "var tags = ", "var unused = 1\nvar tags = ");

        Program checked = checkInfra(folder);

        assertEquals(1, checked.exit(), checked::output);
        assertTrue(checked.output().contains("\n-param location   string\n"), checked::output);
        assertTrue(checked.output().contains("The property \"httpOnly\" is not allowed"), checked::output);
        assertTrue(checked.output().contains("Warning no-unused-vars"), checked::output);
        assertTrue(checked.output().contains("Snapshot validation failed."), checked::output);
        assertTrue(checked.output().contains("properties.allowSharedKeyAccess"), checked::output);
    }

    /** Azure would refuse them only after the storage accounts and their locks were made. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "zoneRedundant = true; alwaysReadyInstances = 1 | alwaysReadyInstances must be 0 or at least 2",
                "maximumInstanceCount = 1; alwaysReadyInstances = 2 | greater than maximumInstanceCount",
                "networkAddresses = '10.0.0.0/24' | networkAddresses must be a /16"
            })
    @Tag("long")
    void parametersThatExcludeOneAnotherAreRefused(String parameters, String why, @TempDir Path folder)
            throws Exception {
        copyInfra(folder);
        Path profile = folder.resolve("profiles/smallest.bicepparam");
        Files.writeString(profile, Files.readString(profile) + "param " + parameters.replace("; ", "\nparam ") + "\n");

        Program checked = checkInfra(folder);

        assertEquals(1, checked.exit(), checked::output);
        assertTrue(checked.output().contains(why), checked::output);
    }

    private static Program checkInfra(Path folder) throws Exception {
        Program checked = Program.run(
                "bash", "tools/check-infra.sh", folder.toAbsolutePath().toString());
        assumeFalse(checked.output().startsWith("Skipped: "), checked::output);
        return checked;
    }

    /** Copies the files with a single profile, which is enough to show that a difference is found. */
    private static void copyInfra(Path folder) throws IOException {
        List<Path> files = new ArrayList<>(DeploymentFile.bicepFiles());
        Stream.of(
                        "bicepconfig.json",
                        "app/alerts.json",
                        "app/workbook.json",
                        "profiles/smallest.bicepparam",
                        "profiles/smallest.snapshot.json")
                .map(DeploymentFile.INFRA::resolve)
                .forEach(files::add);
        for (Path file : files) {
            Path copy = folder.resolve(DeploymentFile.INFRA.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
    }

    private static void damage(Path file, String was, String becomes) throws IOException {
        String text = Files.readString(file);
        assertTrue(text.contains(was), () -> file + " has no " + was);
        Files.writeString(file, text.replace(was, becomes));
    }

    @Test
    void billOfMaterialsNamesEveryShippedLibrary() throws Exception {
        assumeTrue(Files.exists(BILL_OF_MATERIALS), "its plugin does nothing when Maven is offline");
        String bom = Files.readString(BILL_OF_MATERIALS);
        try (Stream<Path> jars = Files.list(PACKAGE.resolve("lib"))) {
            List<String> libraries = jars.map(
                            jar -> jar.getFileName().toString().replaceFirst("-(\\d[^/]*)\\.jar$", "@$1"))
                    .toList();

            assertNamed(libraries, library -> bom.contains("/" + library + "?"));
        }
    }

    @Test
    void securityPageSaysWhoMayCallEachFunction() throws Exception {
        String page = Files.readString(Path.of("docs", "security.md"));
        try (Stream<Path> folders = Files.list(PACKAGE)) {
            List<String> functions = folders.filter(folder -> Files.exists(folder.resolve("function.json")))
                    .map(folder -> folder.getFileName().toString())
                    .toList();

            assertNamed(functions, name -> page.contains("`" + name + "`"));
        }
    }

    private static void assertNamed(List<String> shipped, Predicate<String> isNamed) {
        assertFalse(shipped.isEmpty(), () -> "none of these is in " + PACKAGE);
        assertEquals(List.of(), shipped.stream().filter(isNamed.negate()).toList());
    }

    private static Program node(String script, Set<Path> files) throws IOException, InterruptedException {
        return Program.node(
                HOME.resolve(script), files.stream().map(Path::toString).toList());
    }
}
