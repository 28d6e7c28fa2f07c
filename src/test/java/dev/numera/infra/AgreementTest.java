package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.azure.StorageConnection;
import dev.numera.azure.TableNames;
import dev.numera.core.problem.ProblemException;
import dev.numera.fixtures.StatedBounds;
import dev.numera.functions.Queues;
import dev.numera.functions.Settings;
import dev.numera.functions.http.lists.PoisonFunctions;
import dev.numera.sequences.numbering.Telemetry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The code, the Bicep and azd files, the local settings and the docs agree on every fact that several of them state.
 */
class AgreementTest {
    private static final DeploymentFile MAIN = DeploymentFile.read("infra/main.bicep");
    private static final DeploymentFile SETTINGS_PAGE = DeploymentFile.read("docs/settings.md");
    private static final DeploymentFile PARAMETERS = DeploymentFile.read("infra/main.parameters.json");
    /** The profile that keeps every default of main.bicep that becomes an app setting. */
    private static final Snapshot PRODUCTION = Snapshot.of("production");

    private static final DeploymentFile WORKBOOK = DeploymentFile.read("infra/app/workbook.json");

    private static final Set<String> TABLES = Set.copyOf(TableNames.ALL);
    private static final Set<String> QUEUES = Set.of(Queues.REQUESTS, Queues.POISON, Queues.RESULTS);
    private static final Set<String> SETTINGS = settings();

    /** The only setting that is not a parameter. */
    private static final String FIXED_ON_AZURE = "Numera_CreateTables";

    static Stream<Snapshot> profiles() {
        return Snapshot.PROFILES.stream().map(Snapshot::of);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void bicepMakesTheTablesThatTheAppUses(Snapshot profile) {
        assertEquals(TABLES, profile.names("Microsoft.Storage/storageAccounts/tableServices/tables"));
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void bicepMakesTheQueuesThatTheAppUses(Snapshot profile) {
        assertEquals(QUEUES, profile.names("Microsoft.Storage/storageAccounts/queueServices/queues"));
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void bicepSetsEverySettingOfTheCode(Snapshot profile) {
        assertEquals(SETTINGS, ownSettings(profile.settings().keySet()));
    }

    static Stream<String> settingsWithAParameter() {
        return Settings.defaults().keySet().stream().filter(setting -> !setting.equals(FIXED_ON_AZURE));
    }

    @ParameterizedTest
    @MethodSource("settingsWithAParameter")
    void eachSettingIsAParameterWithTheDefaultAndTheBoundsThatTheCodeHas(String setting) {
        DeploymentFile.Parameter parameter = MAIN.parameter(inCamelCase(setting));

        assertEquals(defaultOnAzure(setting), parameter.byDefault());
        assertEquals(whatItMustBe(setting), parameter.bounds());
        assertTrue(
                MAIN.pairs("(?m)^  (Numera_\\w+): (.*)$").get(setting).matches(".*\\b" + parameter.name() + "\\b.*"),
                () -> setting + " is not set by the parameter " + parameter.name());
        assertEquals(defaultOnAzure(setting), PRODUCTION.settings().get(setting));
        assertEquals(
                inCapitals(setting),
                PARAMETERS.pairs("\"(\\w+)\": \\{ \"value\": \"\\$\\{(\\w+)=").get(parameter.name()));
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void onAzureTheAppNeverMakesTables(Snapshot profile) {
        assertEquals("false", defaultOnAzure(FIXED_ON_AZURE));
        assertEquals(
                "false",
                profile.settings().get(FIXED_ON_AZURE),
                "an app that recreates a lost table restarts its counters");
        assertFalse(MAIN.parameters().contains(inCamelCase(FIXED_ON_AZURE)), "a parameter could switch it on");
    }

    @Test
    void onAzureAnUnknownNameCreatesNoSequence() {
        assertEquals("template", defaultOnAzure("Numera_AutoCreate"));
    }

    @Test
    void settingsPageListsEverySettingWithItsBounds() {
        assertEquals(SETTINGS, SETTINGS_PAGE.all("(?m)^\\| `((?!NUMERA_)\\w+)` \\|"));
        assertEquals(6, StatedBounds.all().size(), "settings that are whole numbers");
        StatedBounds.all().forEach((setting, bounds) -> {
            String row = "| `" + setting + "` | " + Settings.defaults().get(setting) + " | " + bounds.least() + " | "
                    + bounds.greatest() + " |";
            assertTrue(SETTINGS_PAGE.text().contains(row), () -> "The page of settings has no row " + row);
        });
    }

    @ParameterizedTest
    @MethodSource("settingsWithAParameter")
    void settingsPageShowsTheDefaultsOfTheCode(String setting) {
        assertEquals(
                Settings.defaults().get(setting),
                documented(setting).replaceFirst(", on Azure .*", "").replace("`", ""));
    }

    private static String documented(String setting) {
        return SETTINGS_PAGE.pairs("(?m)^\\| `(\\w+)` \\| ([^|]*) \\|").get(setting);
    }

    /** Returns the default on Azure. The settings page writes "`a`, on Azure `b`" if it differs there. */
    private static String defaultOnAzure(String setting) {
        return documented(setting).replaceFirst(".*, on Azure ", "").replace("`", "");
    }

    /**
     * Returns "from 1 to 10" or "one of a, b" from the app's refusal of a wrong value, or an empty string for other
     * rules.
     */
    private static String whatItMustBe(String setting) {
        ProblemException refused = assertThrows(ProblemException.class, () -> Settings.of(Map.of(setting, "no value")));
        Matcher said = Pattern.compile("The setting " + setting + " must be (?:a whole number )?(from .*|one of .*)\\.")
                .matcher(refused.getMessage());
        return said.matches() ? said.group(1) : "";
    }

    /** Returns {@code maxDaysBack} for {@code Numera_MaxDaysBack}. */
    private static String inCamelCase(String setting) {
        String name = setting.substring(setting.indexOf('_') + 1);
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /** Returns {@code NUMERA_MAX_DAYS_BACK} for {@code Numera_MaxDaysBack}. */
    private static String inCapitals(String setting) {
        return setting.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
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
    void theReadmeLeadsToThePageOfEverySetting() {
        assertTrue(DeploymentFile.read("README.md").text().contains("](docs/settings.md)"));
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void hostAndAppUseTheirAccountsInTheSameForm(Snapshot profile) {
        Map<String, String> host = connection(profile, "AzureWebJobsStorage");
        Map<String, String> app = connection(profile, "NumeraStorage");

        assertNotEquals(host.remove("__accountName"), app.remove("__accountName"));
        assertEquals(Set.of("__clientId", "__credential"), app.keySet());
        assertEquals(host, app);
    }

    /**
     * An app with only part of its network configured, such as one subnet of two, would otherwise be public without a
     * warning.
     */
    @Test
    void partOfThePrivateNetworkRequiresAllOfIt() {
        assertEquals(
                Set.of("hasOwnSubnets || privateNetwork || privateInbound"), MAIN.all("(?m)^var isPrivate = (.*)$"));
        assertEquals(
                Set.of("!empty(appSubnetId)\n  : fail"),
                MAIN.all(
                        "(?m)^var hasOwnSubnets = empty\\(appSubnetId\\) == empty\\(privateEndpointSubnetId\\)\\R  \\? (.*\\R  : fail)\\("));
        assertEquals(
                2,
                MAIN.text().replaceAll("(?m)^(//|@description).*", "").split("\\bprivateNetwork\\b", -1).length - 1,
                "something goes by privateNetwork alone");
    }

    @Test
    void azdFillsNoParameterThatIsNotThere() {
        Set<String> filled = PARAMETERS.all("\"(\\w+)\": \\{ \"value\"");

        assertEquals(MAIN.parameters(), filled);
    }

    @Test
    void azdFillsInTheDefaultsThatBicepHas() {
        Map<String, String> filledIn = PARAMETERS.pairs("\"(\\w+)\": \\{ \"value\": \"\\$\\{\\w+=([^}]*)}\"");

        assertFalse(filledIn.isEmpty());
        assertEquals(MAIN.pairs("(?m)^param (\\w+) \\w+ = '?([^'\\n]*)'?$"), filledIn);
    }

    @Test
    void settingsPageListsEveryParameterWithItsDefault() {
        Map<String, String> listed = SETTINGS_PAGE.pairs("(?m)^\\| `(NUMERA_\\w+)` \\| (.*?) \\|");
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
        assertEquals(
                azd.all("(?m)^  (\\w+):\\R    project:"),
                Set.of(PRODUCTION
                        .only("Microsoft.Web/sites")
                        .at("/tags/azd-service-name")
                        .asText()));
    }

    @Test
    void theHooksOfAzdAreThere() {
        Set<String> hooks = DeploymentFile.read("azure.yaml").all("(?m)^      run: (\\S+)$");

        assertEquals(4, hooks.size(), hooks::toString);
        hooks.forEach(hook -> {
            assertTrue(Files.exists(Path.of(hook)), hook);
            assertTrue(hook.endsWith(".ps1") || Files.isExecutable(Path.of(hook)), hook);
        });
    }

    @Test
    void theWorkbookLooksForTheTextsThatTheAppLogs() {
        assertEquals(
                Set.of(Telemetry.RANGE_WARNING, PoisonFunctions.FOUND),
                WORKBOOK.all("Message contains \\\\\"(.*?)\\\\\""));
    }

    @Test
    void theWorkbookDrawsTheMetricThatTheAppCounts() {
        assertEquals(Set.of(Telemetry.PEER_REQUESTS), WORKBOOK.all("Name == \\\\\"(.*?)\\\\\""));
    }

    /**
     * Returns the names of this project's settings as the code reads them: {@code NumeraStorage} for
     * {@code NumeraStorage__clientId}.
     */
    private static Set<String> ownSettings(Set<String> names) {
        return names.stream()
                .filter(name -> name.startsWith("Numera"))
                .map(name -> name.replaceFirst("__.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, String> connection(Snapshot profile, String name) {
        Map<String, String> found = new TreeMap<>();
        profile.settings().forEach((setting, value) -> {
            if (setting.startsWith(name + "__")) {
                found.put(setting.substring(name.length()), value);
            }
        });
        return found;
    }

    private static String only(Set<String> values) {
        assertEquals(1, values.size(), values::toString);
        return values.iterator().next();
    }
}
