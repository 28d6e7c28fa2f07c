package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.azure.TableNames;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.functions.App;
import dev.numera.functions.http.AllocateFunction;
import dev.numera.functions.http.PlatformFunctions;
import dev.numera.functions.http.Requests;
import dev.numera.localhost.Azurite;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Deletes a table while an app runs. A host that started afterwards once created an empty table and allocated number 1
 * again.
 */
@Tag("long")
class LostTableIT {
    private static final String SEQUENCE = "/api/sequences/lost/invoice";
    private static final String[] CREATE = {"If-None-Match", "*"};

    @Test
    void deletedTableNeverRestartsASequence() {
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            TableServiceClient tables = new TableServiceClientBuilder()
                    .connectionString(azurite.connectionString())
                    .buildClient();
            NumeraClient first = new NumeraClient(host.baseUri());
            for (int number = 1; number <= 3; number++) {
                assertEquals(number, first.next("lost/invoice").expect(200).first());
            }
            tables.deleteTable(TableNames.COUNTERS);
            first.next("lost/invoice").expectProblem(503, "storage-unavailable");

            anAppThatMakesNoTablesMakesNone(azurite, tables);
            try (HostProcess another =
                    HostProcess.start(azurite.connectionString(), Map.of("Numera_CreateTables", "true"))) {
                NumeraClient second = new NumeraClient(another.baseUri());
                second.get("/api/health").expect(200);
                requireRolledBack(second);
                requireRolledBack(first);

                put(second, "{}", CREATE).expectProblem(503, "rolled-back");
                put(second, "{\"start\": 100}", "If-Match", "*").expectProblem(503, "rolled-back");
                put(second, "{\"start\": 100}", CREATE).expect(201);

                assertEquals(100, second.next("lost/invoice").expect(200).first());
                assertEquals(101, first.next("lost/invoice").expect(200).first());
                assertEquals(
                        102, second.next("lost/invoice", "", "key").expect(200).first());
            }
        }
    }

    private static void anAppThatMakesNoTablesMakesNone(Azurite azurite, TableServiceClient tables) {
        App app = new App(Map.of("NumeraStorage", azurite.connectionString(), "Numera_CreateTables", "false"));
        requireUnavailable(new PlatformFunctions(app).health(Requests.of("/api/health", null, Map.of())));
        String refused = requireUnavailable(next(app, "invoice"));
        assertTrue(refused.contains(TableNames.COUNTERS), refused);
        requireUnavailable(next(app, "another"));
        assertFalse(
                tables.listTables().stream().anyMatch(table -> table.getName().equals(TableNames.COUNTERS)));
    }

    private static HttpResponseMessage next(App app, String name) {
        return new AllocateFunction(app)
                .allocate(Requests.of("/api/sequences/lost/" + name + "/next", null, Map.of()), "lost", name);
    }

    private static String requireUnavailable(HttpResponseMessage answer) {
        String body = String.valueOf(answer.getBody());
        assertEquals(503, answer.getStatusCode(), body);
        assertTrue(body.contains("urn:problem-type:numera:storage-unavailable"), body);
        return body;
    }

    private static void requireRolledBack(NumeraClient client) {
        client.next("lost/invoice").expectProblem(503, "rolled-back");
        client.next("lost/invoice", "", "key").expectProblem(503, "rolled-back");
        client.send("POST", SEQUENCE + "/advance", "{\"nextAtLeast\": 50}").expectProblem(503, "rolled-back");
        client.get(SEQUENCE).expectProblem(503, "rolled-back");
        client.get(SEQUENCE + "/state").expectProblem(503, "rolled-back");
        client.get(SEQUENCE + "/ledger").expectProblem(503, "rolled-back");
    }

    private static Reply put(NumeraClient client, String definition, String... headers) {
        return client.send("PUT", SEQUENCE, definition, headers);
    }
}
