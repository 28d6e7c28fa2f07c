package dev.numera.localhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppSettingsTest {
    @TempDir
    private Path packaged;

    @TempDir
    private Path project;

    @Test
    void theEnvironmentGoesBeforeTheProjectsFileAndThatBeforeThePackage() throws IOException {
        Files.writeString(
                packaged.resolve("local.settings.json"),
                """
                {"Values": {"A": "package", "B": "package", "C": "package"}}""");
        Files.writeString(
                project.resolve("local.settings.json"),
                """
                {"IsEncrypted": false, "Values": {"B": "project", "C": 1}}""");
        AppSettings settings = AppSettings.ofFiles(packaged, project, Map.of("C", "environment"));
        assertEquals(Map.of("A", "package", "B", "project"), settings.values());
    }

    @Test
    void namesAreReadInAnyCase() throws IOException {
        Files.writeString(
                packaged.resolve("local.settings.json"),
                """
                {"Values": {"Kept": "package", "replaced": "package", "Numera_Console": "package"}}""");
        Files.writeString(project.resolve("local.settings.json"), "{\"Values\": {\"REPLACED\": \"project\"}}");

        AppSettings settings = AppSettings.ofFiles(packaged, project, Map.of("NUMERA_CONSOLE", "environment"));

        assertEquals(2, settings.values().size(), settings::toString);
        assertEquals(Optional.of("project"), settings.get("Replaced"));
        assertEquals("package-project", settings.resolve("%KEPT%-%replaced%"));
        assertEquals("a", new AppSettings(Map.of("azurewebjobsX", "a")).connectionString("x"));
    }

    @Test
    void filesMayBeAbsent() {
        assertEquals(Map.of(), AppSettings.ofFiles(packaged, project, Map.of()).values());
    }

    @Test
    void aFileThatCannotBeReadIsNamed() throws IOException {
        Path file = Files.writeString(project.resolve("local.settings.json"), "{\"IsEncrypted\": true}");
        assertTrue(refused(file).contains("is encrypted"));
        Files.writeString(file, "{");
        assertTrue(refused(file).contains("is not JSON"));
        Files.writeString(file, "[]");
        assertTrue(refused(file).contains("does not contain a JSON object"));
        Files.writeString(file, "{\"Values\": {\"A\": {}}}");
        assertTrue(refused(file).contains("'A'"));
    }

    @Test
    void namesInPercentSignsAreReplaced() {
        AppSettings settings = new AppSettings(Map.of("QUEUE", "$orders", "STAGE", "test"));
        assertEquals("$orders-test", settings.resolve("%QUEUE%-%STAGE%"));
        assertEquals("50 %", settings.resolve("50 %"));
        StartRefused refused = assertThrows(StartRefused.class, () -> settings.resolve("%NONE%"));
        assertTrue(refused.getMessage().contains("there is no app setting 'NONE'"), refused.getMessage());
    }

    @Test
    void aConnectionIsLookedUpWithThePrefixFirst() {
        Map<String, String> both = Map.of("AzureWebJobsX", "prefixed", "X", "plain", "AzureWebJobsStorage", "default");
        assertEquals("prefixed", new AppSettings(both).connectionString("X"));
        assertEquals("plain", new AppSettings(Map.of("X", "plain")).connectionString("X"));
        assertEquals("default", new AppSettings(both).connectionString(""));
        assertEquals("default", new AppSettings(both).connectionString("AzureWebJobsStorage"));
        assertThrows(StartRefused.class, () -> new AppSettings(both).connectionString("Y"));
        assertThrows(StartRefused.class, () -> new AppSettings(Map.of("Y", "")).connectionString("Y"));
    }

    private String refused(Path file) {
        StartRefused refused = assertThrows(StartRefused.class, () -> AppSettings.ofFiles(packaged, project, Map.of()));
        assertTrue(refused.getMessage().contains(file.toString()), refused.getMessage());
        return refused.getMessage();
    }
}
