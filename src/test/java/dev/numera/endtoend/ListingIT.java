package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.localhost.Azurite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The list of all scopes, on a storage of its own: only there is it known what stands in it. */
class ListingIT {
    private static final List<String> SEQUENCES = List.of("east/a", "east/b", "east/c", "west/a", "west/b");

    @Test
    void pagesOfOneOverAllScopesHoldEverySequenceOnce() {
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            NumeraClient client = new NumeraClient(host.baseUri());
            SEQUENCES.forEach(sequence -> client.send("PUT", "/api/sequences/" + sequence, "{}", "If-None-Match", "*")
                    .expect(201));

            List<String> listed = new ArrayList<>();
            JsonNode page = client.get("/api/sequences?limit=1").expect(200).body();
            listed.addAll(names(page));
            while (page.has("continuation") && listed.size() <= SEQUENCES.size()) {
                page = client.get("/api/sequences?limit=1&continuation="
                                + page.get("continuation").textValue())
                        .expect(200)
                        .body();
                listed.addAll(names(page));
            }

            assertEquals(SEQUENCES, listed.stream().sorted().toList());
        }
    }

    private static List<String> names(JsonNode page) {
        List<String> names = new ArrayList<>();
        page.get("sequences")
                .forEach(sequence -> names.add(sequence.get("scope").textValue() + "/"
                        + sequence.get("name").textValue()));
        assertTrue(names.size() <= 1, names::toString);
        return names;
    }
}
