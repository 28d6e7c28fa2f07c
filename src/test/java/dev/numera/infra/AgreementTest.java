package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.functions.Settings;
import dev.numera.functions.batch.Queues;
import dev.numera.sequence.Telemetry;
import dev.numera.storage.StorageConnection;
import dev.numera.storage.TableNames;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What is said in more than one place is said alike: the code, Bicep, azd's files, the local settings and the pages.
 */
class AgreementTest {
    private static final DeploymentFile FUNCTION_APP = DeploymentFile.read("infra/app/function-app.bicep");
    private static final DeploymentFile PARAMETERS = DeploymentFile.read("infra/main.parameters.json");
    private static final DeploymentFile STORAGE = DeploymentFile.read("infra/app/storage.bicep");
    private static final DeploymentFile WORKBOOK = DeploymentFile.read("infra/app/workbook.json");

    private static final Set<String> TABLES = Set.copyOf(TableNames.ALL);
    private static final Set<String> QUEUES = Set.of(Queues.REQUESTS, Queues.POISON, Queues.RESULTS);
    private static final Set<String> SETTINGS = settings();

    @Test
    void bicepMakesTheTablesThatTheAppUses() {
        assertEquals(TABLES, STORAGE.stringsOf("tableNames"));
    }

    @Test
    void bicepMakesTheQueuesThatTheAppUses() {
        assertEquals(QUEUES, STORAGE.stringsOf("queueNames"));
    }

    @Test
    void bicepSetsWhatTheCodeReads() {
        assertEquals(SETTINGS, ownSettings(FUNCTION_APP.keysOf("appSettings")));
    }

    @Test
    void bicepWritesNoOtherValueThanTheDefaultUnlessAParameterSaysSo() {
        Map<String, String> written = FUNCTION_APP.pairs("(?m)^  (Numera_\\w+): '([^'$]*)'$");

        assertEquals(
                "false",
                written.remove("Numera_CreateTables"),
                "an app that makes a lost table again begins to count anew");
        assertFalse(written.isEmpty());
        assertTrue(Settings.defaults().entrySet().containsAll(written.entrySet()), written::toString);
    }

    @Test
    void thePageOfSettingsListsWhatTheCodeReadsWithItsBounds() {
        DeploymentFile page = DeploymentFile.read("docs/settings.md");

        assertEquals(SETTINGS, page.all("(?m)^\\| `(\\w+)` \\|"));
        Settings.bounds()
                .forEach((setting, bounds) -> assertTrue(
                        page.text().contains("| `" + setting + "` | " + bounds + " |"),
                        () -> setting + " stands with other bounds than " + bounds));
    }

    private static Set<String> settings() {
        Set<String> all = new TreeSet<>(Settings.defaults().keySet());
        all.add(StorageConnection.NAME);
        return all;
    }

    @Test
    void localSettingsShowEverySettingWithItsDefault() {
        DeploymentFile local = DeploymentFile.read("local.settings.json.example");

        assertEquals(SETTINGS, ownSettings(local.all("\"(\\w+)\":")));
        assertEquals(Settings.defaults(), local.pairs("\"(Numera_\\w+)\": \"(.*)\""));
    }

    @Test
    void theReadmeNamesEverySetting() {
        assertEquals(SETTINGS, DeploymentFile.read("README.md").all("`(Numera[A-Z_]\\w+)`"));
    }

    @Test
    void hostAndAppUseTheSameAccountInTheSameForm() {
        assertEquals(formOf("AzureWebJobsStorage"), formOf("NumeraStorage"));
    }

    @Test
    void azdFillsNoParameterThatIsNotThere() {
        Set<String> filled = PARAMETERS.all("\"(\\w+)\": \\{ \"value\"");

        assertEquals(DeploymentFile.read("infra/main.bicep").parameters(), filled);
    }

    @Test
    void azdFillsInTheDefaultsThatBicepHas() {
        Map<String, String> filledIn = PARAMETERS.pairs("\"(\\w+)\": \\{ \"value\": \"\\$\\{\\w+=([^}]*)}\"");

        assertFalse(filledIn.isEmpty());
        assertEquals(
                DeploymentFile.read("infra/main.bicep").pairs("(?m)^param (\\w+) \\w+ = '?([^'\\n]*)'?$"), filledIn);
    }

    @Test
    void thePageOfOperationsListsWhatAzdReadsWithItsDefaults() {
        Map<String, String> listed =
                DeploymentFile.read("docs/operations.md").pairs("(?m)^\\| `(NUMERA_\\w+)` \\| (.*?) \\|");
        Map<String, String> read = PARAMETERS.pairs("\\$\\{(NUMERA_\\w+)=([^}]*)}");
        read.replaceAll((name, value) -> value.isEmpty() ? "none" : "`" + value + "`");

        assertFalse(read.isEmpty());
        assertEquals(read, listed);
    }

    @Test
    void azdDeploysThePackagedFolderToTheTaggedApp() {
        DeploymentFile azd = DeploymentFile.read("azure.yaml");
        String appName = only(DeploymentFile.read("pom.xml").all("<functionAppName>(\\w+)</functionAppName>"));

        assertEquals(Set.of("target/azure-functions/" + appName), azd.all("dist: (\\S+)"));
        assertEquals(azd.all("(?m)^  (\\w+):\\R    project:"), FUNCTION_APP.all("'azd-service-name': '(\\w+)'"));
    }

    @Test
    void alertAndWorkbookLookForTheTextThatTheAppLogs() {
        assertEquals(
                Set.of(Telemetry.RANGE_WARNING),
                DeploymentFile.read("infra/app/alerts.bicep").all("var rangeWarning = '(.*)'"));
        assertEquals(Set.of(Telemetry.RANGE_WARNING), WORKBOOK.all("Message contains \\\\\"(.*?)\\\\\""));
    }

    @Test
    void theWorkbookDrawsTheMetricThatTheAppCounts() {
        assertEquals(Set.of(Telemetry.ASKS), WORKBOOK.all("Name == \\\\\"(.*?)\\\\\""));
    }

    @Test
    void theAlertWatchesThePoisonQueue() {
        assertEquals(Set.of("1"), STORAGE.all("output poisonQueueName string = queueNames\\[(\\d+)]"));
        assertEquals(Set.of(Queues.POISON), STORAGE.all("var queueNames = \\[\\R.*\\R  '(.*)'"));
    }

    @Test
    void theWorkbookCountsTheMessagesOfThePoisonQueue() {
        assertEquals(Set.of(Queues.POISON), WORKBOOK.all("/([\\w-]+)/messages"));
    }

    /**
     * Settings of this project, each by the name that the code asks for: {@code NumeraStorage__clientId} is
     * {@code NumeraStorage}.
     */
    private static Set<String> ownSettings(Set<String> names) {
        return names.stream()
                .filter(name -> name.startsWith("Numera"))
                .map(name -> name.replaceFirst("__.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> formOf(String connection) {
        Predicate<String> belongs = name -> name.startsWith(connection + "__");
        return FUNCTION_APP.keysOf("appSettings").stream()
                .filter(belongs)
                .map(name -> name.substring(connection.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String only(Set<String> values) {
        assertEquals(1, values.size(), values::toString);
        return values.iterator().next();
    }
}
