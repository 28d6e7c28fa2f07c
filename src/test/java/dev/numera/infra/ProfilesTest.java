package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupBlobs;
import dev.numera.functions.Queues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The properties of each profile's resources that must survive every change of the templates. */
class ProfilesTest {
    private static final String ACCOUNT = "Microsoft.Storage/storageAccounts";
    private static final String WORKSPACE = "Microsoft.OperationalInsights/workspaces";
    private static final String LOCK = "Microsoft.Authorization/locks";

    private static final String BLOB_OWNER = "b7e6dc6d-f1e8-4753-8033-0f276bb0955b";
    private static final String BLOB_CONTRIBUTOR = "ba92f5b4-2d11-453d-a403-e96b0029c9fe";
    private static final String QUEUE_CONTRIBUTOR = "974c5e8b-45b9-4653-ba55-5f855dd0fb88";
    private static final String TABLE_CONTRIBUTOR = "0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3";
    private static final String METRICS_PUBLISHER = "3913510d-42f4-4e42-8a64-420c390055eb";

    /**
     * The settings that the app or the host reads in addition to Numera's own, which {@link AgreementTest} compares.
     */
    private static final Set<String> SETTINGS_OF_THE_HOST = Set.of(
            "APPLICATIONINSIGHTS_AUTHENTICATION_STRING",
            "APPLICATIONINSIGHTS_CONNECTION_STRING",
            "APPLICATIONINSIGHTS_ENABLE_AGENT",
            "AzureWebJobs.Backup.Disabled",
            "AzureWebJobsStorage__accountName",
            "AzureWebJobsStorage__clientId",
            "AzureWebJobsStorage__credential",
            "OTEL_TRACES_SAMPLER",
            "OTEL_TRACES_SAMPLER_ARG",
            "languageWorkers__java__arguments");

    static Stream<Snapshot> profiles() {
        return Snapshot.PROFILES.stream().map(Snapshot::of);
    }

    @Test
    void eachProfileHasASnapshotAndIsTested() {
        Set<String> files = new TreeSet<>(
                List.of(DeploymentFile.INFRA.resolve("profiles").toFile().list()));
        Set<String> expected = new TreeSet<>();
        Snapshot.PROFILES.forEach(profile -> {
            expected.add(profile + ".bicepparam");
            expected.add(profile + ".snapshot.json");
        });

        assertEquals(expected, files);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void noAccountTakesSharedKeysAnonymousReadersOrPlainHttp(Snapshot profile) {
        List<JsonNode> accounts = profile.ofType(ACCOUNT);

        assertFalse(accounts.isEmpty());
        accounts.forEach(account -> {
            assertEquals(false, account.at("/properties/allowSharedKeyAccess").booleanValue(), account::toString);
            assertTrue(account.at("/properties/defaultToOAuthAuthentication").booleanValue(), account::toString);
            assertFalse(account.at("/properties/allowBlobPublicAccess").booleanValue(), account::toString);
            assertTrue(account.at("/properties/supportsHttpsTrafficOnly").booleanValue(), account::toString);
            assertEquals("TLS1_2", account.at("/properties/minimumTlsVersion").textValue(), account::toString);
        });
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void theAppTakesNoPasswordAndNoPlainHttp(Snapshot profile) {
        Map<String, Boolean> publishing = new TreeMap<>();
        profile.ofType("Microsoft.Web/sites/basicPublishingCredentialsPolicies")
                .forEach(policy -> publishing.put(
                        Snapshot.name(policy), policy.at("/properties/allow").booleanValue()));

        assertEquals(Map.of("ftp", false, "scm", false), publishing);
        assertTrue(
                profile.only("Microsoft.Web/sites").at("/properties/httpsOnly").booleanValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"private", "own-network"})
    void aPrivateProfileHasNoPublicAddress(String name) {
        Snapshot profile = Snapshot.of(name);

        profile.ofType(ACCOUNT).forEach(account -> {
            assertEquals(
                    "Disabled", account.at("/properties/publicNetworkAccess").textValue(), account::toString);
            assertEquals(
                    "Deny", account.at("/properties/networkAcls/defaultAction").textValue(), account::toString);
        });
        JsonNode app = profile.only("Microsoft.Web/sites");
        assertEquals("Disabled", app.at("/properties/publicNetworkAccess").textValue());
        assertTrue(app.at("/properties/virtualNetworkSubnetId").asText().endsWith("/subnets/app"), app::toString);
        assertEquals(List.of(), profile.ofType("Microsoft.Insights/webtests"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"private", "own-network"})
    void aPrivateProfileHasAnEndpointForEachServiceThatIsUsed(String name) {
        Set<String> reached = new TreeSet<>();
        Snapshot.of(name).ofType("Microsoft.Network/privateEndpoints").forEach(endpoint -> {
            JsonNode connection = endpoint.at("/properties/privateLinkServiceConnections/0/properties");
            reached.add(kind(connection.required("privateLinkServiceId").textValue()) + " "
                    + connection.at("/groupIds/0").textValue());
        });

        assertEquals(Set.of("data blob", "data queue", "data table", "host blob", "app sites"), reached);
    }

    private static String kind(String id) {
        String name = id.replaceFirst(".*/", "");
        return name.replaceFirst("^func-.*", "app")
                .replaceFirst("^stnumera.*", "data")
                .replaceFirst("^sthost.*", "host");
    }

    /** Each role is written as "role on the last part of its scope". */
    @ParameterizedTest
    @MethodSource("profiles")
    void theAppHasTheseRolesAndNoOther(Snapshot profile) {
        Set<String> roles = new TreeSet<>();
        profile.ofType("Microsoft.Authorization/roleAssignments").forEach(assignment -> {
            String scope = assignment
                    .required("id")
                    .textValue()
                    .replaceFirst("/providers/Microsoft.Authorization/roleAssignments/.*", "")
                    .replaceFirst(".*/providers/Microsoft\\.(Storage|Insights)/", "")
                    .replaceFirst("-?[a-z0-9]{13}(?=/|$)", "");
            roles.add(scope + " "
                    + assignment.at("/properties/roleDefinitionId").textValue().replaceFirst(".*/", ""));
            assertTrue(
                    assignment.at("/properties/principalId").textValue().contains("/id-numera-"), assignment::toString);
        });

        String data = "storageAccounts/stnumera/";
        Set<String> expected = new TreeSet<>(Set.of(
                "storageAccounts/sthost " + BLOB_OWNER,
                data + "blobServices/default/containers/" + BackupBlobs.CONTAINER + " " + BLOB_CONTRIBUTOR,
                "components/appi-numera " + METRICS_PUBLISHER));
        TableNames.ALL.forEach(
                table -> expected.add(data + "tableServices/default/tables/" + table + " " + TABLE_CONTRIBUTOR));
        List.of(Queues.REQUESTS, Queues.POISON, Queues.RESULTS)
                .forEach(queue ->
                        expected.add(data + "queueServices/default/queues/" + queue + " " + QUEUE_CONTRIBUTOR));
        assertEquals(expected, roles);
    }

    /**
     * The host needs broad rights on its own account, and separate accounts keep those rights away from the numbers.
     */
    @ParameterizedTest
    @MethodSource("profiles")
    void theHostHasAnAccountOfItsOwn(Snapshot profile) {
        Map<String, String> settings = profile.settings();

        assertEquals(2, profile.ofType(ACCOUNT).size());
        assertTrue(settings.get("NumeraStorage__accountName").startsWith("stnumera"), settings::toString);
        assertTrue(settings.get("AzureWebJobsStorage__accountName").startsWith("sthost"), settings::toString);
        assertTrue(
                profile.only("Microsoft.Web/sites")
                        .at("/properties/functionAppConfig/deployment/storage/value")
                        .textValue()
                        .contains("/" + settings.get("AzureWebJobsStorage__accountName") + "'"),
                "the package is not in the host's account");
        assertEquals(
                Map.of(
                        settings.get("NumeraStorage__accountName"),
                        Set.of("numera-backups"),
                        settings.get("AzureWebJobsStorage__accountName"),
                        Set.of("deployment")),
                containers(profile));
    }

    private static Map<String, Set<String>> containers(Snapshot profile) {
        return profile.ofType(ACCOUNT + "/blobServices/containers").stream()
                .map(container -> container.required("name").textValue().split("/"))
                .collect(Collectors.groupingBy(
                        parts -> parts[0], Collectors.mapping(parts -> parts[2], Collectors.toSet())));
    }

    /** Ensures that logging does not depend on the version of the host, and that no alert misses a row. */
    @ParameterizedTest
    @MethodSource("profiles")
    void everyTraceIsSentAndNoneIsCut(Snapshot profile) {
        assertEquals("microsoft.fixed_percentage", profile.settings().get("OTEL_TRACES_SAMPLER"));
        assertEquals("1.0", profile.settings().get("OTEL_TRACES_SAMPLER_ARG"));
        JsonNode workspace = profile.only(WORKSPACE);
        assertEquals(
                -1, workspace.at("/properties/workspaceCapping/dailyQuotaGb").intValue());
    }

    /** Without their own setting, the tables of Application Insights keep rows for 90 days. */
    @ParameterizedTest
    @MethodSource("profiles")
    void eachTableOfTheLogIsKeptAsLongAsTheWorkspaceSays(Snapshot profile) {
        JsonNode days = profile.only(WORKSPACE).at("/properties/retentionInDays");
        List<JsonNode> tables = profile.ofType(WORKSPACE + "/tables");

        assertTrue(profile.names(WORKSPACE + "/tables").containsAll(Set.of("AppRequests", "AppTraces", "AppMetrics")));
        tables.forEach(table -> assertEquals(days, table.at("/properties/retentionInDays"), table::toString));
        tables.forEach(table -> assertEquals(days, table.at("/properties/totalRetentionInDays"), table::toString));
    }

    /** The restore runbook relies on a change of settings ending every instance. */
    @ParameterizedTest
    @MethodSource("profiles")
    void aChangeOfSettingsEndsEveryInstance(Snapshot profile) {
        assertEquals(
                "Recreate",
                profile.only("Microsoft.Web/sites")
                        .at("/properties/functionAppConfig/siteUpdateStrategy/type")
                        .textValue());
    }

    /** Each place tests every 900 s, and the window is 30 minutes, so it contains at least one test of each place. */
    @Test
    void theAvailabilityAlertSeesATestOfEachPlace() {
        Snapshot production = Snapshot.of("production");
        JsonNode alert = production.only("Microsoft.Insights/metricAlerts").required("properties");
        int seconds = production
                .only("Microsoft.Insights/webtests")
                .at("/properties/Frequency")
                .intValue();

        assertEquals(900, seconds);
        assertTrue(Duration.parse(alert.required("windowSize").textValue()).toSeconds() >= 2 * seconds);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void appHasNoUnreadSetting(Snapshot profile) {
        Set<String> others = new TreeSet<>(profile.settings().keySet());
        others.removeIf(setting -> setting.startsWith("Numera"));

        assertEquals(new TreeSet<>(SETTINGS_OF_THE_HOST), others);
    }

    @ParameterizedTest
    @ValueSource(strings = {"production", "private", "own-network"})
    void theNumbersAreKeptFromAMistake(String name) {
        Snapshot profile = Snapshot.of(name);

        assertEquals("CanNotDelete", profile.only(LOCK).at("/properties/level").textValue());
        assertTrue(profile.only(LOCK).required("id").textValue().contains("/storageAccounts/stnumera"));
        assertEquals("false", profile.settings().get("AzureWebJobs.Backup.Disabled"));
        assertEquals(
                7,
                profile.only(ACCOUNT + "/blobServices/containers/immutabilityPolicies")
                        .at("/properties/immutabilityPeriodSinceCreationInDays")
                        .intValue());
    }

    @Test
    void theSmallestProfileKeepsNothing() {
        Snapshot smallest = Snapshot.of("smallest");

        assertEquals(List.of(), smallest.ofType(LOCK));
        assertEquals(List.of(), smallest.ofType(ACCOUNT + "/blobServices/containers/immutabilityPolicies"));
        assertEquals("true", smallest.settings().get("AzureWebJobs.Backup.Disabled"));
    }
}
