package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedAzurite;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The app loads the Azure identity libraries only when it needs them, so a start with a connection string does not pay
 * for them.
 */
@Tag("long")
class IdentityIT {
    private static final String LOADED = " com.azure.identity.";
    private static final Map<String, String> PRINT_LOADED_CLASSES = Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load");

    @Test
    void aConnectionStringLoadsNothingOfIt() {
        try (HostProcess host = HostProcess.start(SharedAzurite.connectionString(), PRINT_LOADED_CLASSES)) {
            new NumeraClient(host.baseUri()).next("App1/without-identity").expect(200);
            assertTrue(host.output().contains(" com.azure.data.tables."), "the classes are not printed");
            assertFalse(host.output().contains(LOADED), "a class of azure-identity was loaded");
        }
    }

    @Test
    void aManagedIdentityLoadsIt() {
        Map<String, String> settings = new TreeMap<>(PRINT_LOADED_CLASSES);
        settings.put("NumeraStorage", "");
        settings.put("NumeraStorage__tableServiceUri", "https://127.0.0.1:1");
        settings.put("NumeraStorage__queueServiceUri", "https://127.0.0.1:1");
        settings.put("NumeraStorage__credential", "managedidentity");
        try (HostProcess host = HostProcess.start(SharedAzurite.connectionString(), settings)) {
            new NumeraClient(host.baseUri()).get("/api/health").expectProblem(503, "storage-unavailable");
            assertTrue(host.output().contains(LOADED), "azure-identity was not asked for a token");
        }
    }
}
