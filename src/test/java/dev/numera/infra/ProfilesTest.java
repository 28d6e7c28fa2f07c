package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What must be true of the resources of each profile, whatever else a change of the templates does to them. */
class ProfilesTest {
    private static final String ACCOUNT = "Microsoft.Storage/storageAccounts";
    private static final String LOCK = "Microsoft.Authorization/locks";

    private static final String BLOB_OWNER = "b7e6dc6d-f1e8-4753-8033-0f276bb0955b";
    private static final String QUEUE_CONTRIBUTOR = "974c5e8b-45b9-4653-ba55-5f855dd0fb88";
    private static final String TABLE_CONTRIBUTOR = "0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3";
    private static final String METRICS_PUBLISHER = "3913510d-42f4-4e42-8a64-420c390055eb";

    /** What the app or the host reads beside Numera's own settings, which {@link AgreementTest} compares. */
    private static final Set<String> SETTINGS_OF_THE_HOST = Set.of(
            "APPLICATIONINSIGHTS_AUTHENTICATION_STRING",
            "APPLICATIONINSIGHTS_CONNECTION_STRING",
            "APPLICATIONINSIGHTS_ENABLE_AGENT",
            "AzureWebJobs.Backup.Disabled",
            "AzureWebJobsStorage__accountName",
            "AzureWebJobsStorage__clientId",
            "AzureWebJobsStorage__credential",
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

        assertEquals(Set.of("data blob", "data queue", "data table", "app sites"), reached);
    }

    private static String kind(String id) {
        String name = id.replaceFirst(".*/", "");
        return name.startsWith("func-") ? "app" : name.startsWith("stnumera") ? "data" : name;
    }

    /** Each as "role on the last part of what it is for". */
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

        assertEquals(
                new TreeSet<>(Set.of(
                        "storageAccounts/stnumera " + BLOB_OWNER,
                        "storageAccounts/stnumera " + QUEUE_CONTRIBUTOR,
                        "storageAccounts/stnumera " + TABLE_CONTRIBUTOR,
                        "components/appi-numera " + METRICS_PUBLISHER)),
                roles);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void theAppHasNoSettingThatNobodyReads(Snapshot profile) {
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
