package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.queue.QueueServiceClientBuilder;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings that select the storage account, and the setting that a problem names. */
class StorageConnectionTest {
    private static final String TABLES = "https://tables.example";
    private static final String QUEUES = "https://queues.example";
    private static final String WRONG = "s3cret-value";

    @Test
    void theNameWithThePrefixGoesFirst() {
        assertEquals(
                "https://prefixed.table.core.windows.net",
                tablesOf(Map.of(
                        "NumeraStorage",
                        connectionString("plain"),
                        "AzureWebJobsNumeraStorage",
                        connectionString("prefixed"))));
        assertEquals(
                "https://prefixed.table.core.windows.net",
                tablesOf(Map.of(
                        "NumeraStorage",
                        connectionString("plain"),
                        "AzureWebJobsNumeraStorage__accountName",
                        "prefixed")));
        assertEquals(
                "https://plain.table.core.windows.net", tablesOf(Map.of("NumeraStorage", connectionString("plain"))));
    }

    @Test
    void accountNameYieldsBothEndpoints() {
        Map<String, String> settings = Map.of("NumeraStorage__accountName", "named");

        assertEquals("https://named.table.core.windows.net", tablesOf(settings));
        assertEquals("https://named.queue.core.windows.net", queuesOf(settings));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://named.table.core.windows.net", "example.com/", "Named", "ab", ""})
    void anAccountNameThatIsNoneIsNamed(String account) {
        assertNamed("NumeraStorage__accountName", Map.of("NumeraStorage__accountName", account));
    }

    @Test
    void theAccountsNameGoesBeforeTheUris() {
        Map<String, String> settings = Map.of(
                "NumeraStorage__accountName",
                "named",
                "NumeraStorage__tableServiceUri",
                TABLES,
                "NumeraStorage__queueServiceUri",
                QUEUES);

        assertEquals("https://named.table.core.windows.net", tablesOf(settings));
        assertEquals("https://named.queue.core.windows.net", queuesOf(settings));
    }

    @Test
    void urisAreUsedWithoutAnAccountName() {
        Map<String, String> settings =
                Map.of("NumeraStorage__tableServiceUri", TABLES, "NumeraStorage__queueServiceUri", QUEUES);

        assertEquals(TABLES, tablesOf(settings));
        assertEquals(QUEUES, queuesOf(settings));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NumeraStorage", "AzureWebJobsNumeraStorage"})
    void aCredentialThatIsNoneIsNamed(String name) {
        assertNamed(name + "__credential", Map.of(name + "__accountName", "named", name + "__credential", WRONG));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NumeraStorage", "AzureWebJobsNumeraStorage"})
    void aConnectionStringThatIsNoneIsNamed(String name) {
        assertNamed(name, Map.of(name, WRONG));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NumeraStorage", "AzureWebJobsNumeraStorage"})
    void aUriThatIsNoneIsNamed(String name) {
        assertNamed(
                name + "__tableServiceUri",
                Map.of(name + "__tableServiceUri", WRONG, name + "__queueServiceUri", QUEUES));
        assertNamed(
                name + "__queueServiceUri",
                Map.of(name + "__tableServiceUri", TABLES, name + "__queueServiceUri", WRONG));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NumeraStorage", "AzureWebJobsNumeraStorage"})
    void aSecondUriThatIsMissingIsNamed(String name) {
        assertNamed(name + "__tableServiceUri", Map.of(name + "__queueServiceUri", QUEUES));
        assertNamed(name + "__queueServiceUri", Map.of(name + "__tableServiceUri", TABLES));
    }

    private static void assertNamed(String setting, Map<String, String> settings) {
        ProblemException problem = assertThrows(ProblemException.class, () -> account(settings));

        assertEquals(ProblemType.MISCONFIGURED, problem.type());
        assertEquals(Map.of("setting", setting), problem.members());
        assertTrue(problem.getMessage().startsWith("The setting " + setting + " "), problem::getMessage);
        assertFalse(problem.getMessage().contains(WRONG), problem::getMessage);
    }

    private static StorageAccount account(Map<String, String> settings) {
        return new StorageAccount(StorageConnection.of(settings), Duration.ofSeconds(1));
    }

    private static String tablesOf(Map<String, String> settings) {
        return StorageConnection.of(settings)
                .connect(StorageConnection.Service.TABLES, new TableServiceClientBuilder())
                .buildClient()
                .getServiceEndpoint();
    }

    private static String queuesOf(Map<String, String> settings) {
        return StorageConnection.of(settings)
                .connect(StorageConnection.Service.QUEUES, new QueueServiceClientBuilder())
                .buildClient()
                .getQueueServiceUrl();
    }

    private static String connectionString(String account) {
        return "DefaultEndpointsProtocol=https;AccountName=" + account
                + ";AccountKey=a2V5;EndpointSuffix=core.windows.net";
    }
}
