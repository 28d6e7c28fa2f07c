package dev.numera.maintain.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.SharedHost;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proves the packaged app at two addresses, one of which requires a key. */
class ProveIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> KEYS = Map.of("NUMERA_KEY", "secret", "NUMERA_DEFINITIONS_KEY", "secret");

    private static HostProcess other;

    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();

    @BeforeAll
    static void startAnother() {
        other = HostProcess.start(SharedAzurite.connectionString(), Map.of(), Optional.of("secret"));
    }

    @AfterAll
    static void stopIt() {
        other.close();
    }

    private static String api(URI base) {
        return base + "/api";
    }

    private boolean prove(Map<String, String> keys, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                api(SharedHost.process().baseUri()), api(other.baseUri()), "--callers", "6", "--out", "" + folder));
        arguments.addAll(List.of(more));
        return Prove.run(keys, arguments, said::add);
    }

    @Test
    void theAppBreaksNoPromise() throws Exception {
        assertTrue(prove(KEYS, "--seconds", "3"), said::toString);

        JsonNode history = JSON.readTree(folder.resolve("history.json").toFile());
        Set<String> kinds = new TreeSet<>();
        Set<String> addresses = new TreeSet<>();
        history.get("sequences").forEach(sequence -> sequence.get("calls").forEach(call -> {
            kinds.add(call.get("kind").textValue());
            addresses.add(call.get("at").textValue());
        }));
        assertEquals(Set.of("numbers", "reservation", "status", "advance"), kinds);
        assertEquals(Set.of(api(SharedHost.process().baseUri()), api(other.baseUri())), addresses);
        assertTrue(history.at("/storageMillis/measured").intValue() > 10, said::toString);
        String scope = history.get("scope").textValue();
        SharedHost.client().next("" + scope + "/strict").expectProblem(410, "retired");
    }

    @Test
    @Tag("long")
    void theAppBreaksNoPromiseWhereCallsAreLostAndRepeated() {
        assertTrue(prove(KEYS, "--seconds", "3", "--faults", "0"), said::toString);
        assertTrue(said.stream().anyMatch(line -> line.matches("faults: .* [1-9].*")), said::toString);
    }

    @Test
    void aMissingOrWrongKeyIsNamed() {
        String refused = api(other.baseUri()) + " answered 401 to GET /sequences/prove-";
        assertTrue(cannot(Map.of()).startsWith(refused), this::messages);
        assertTrue(
                messages().endsWith("NUMERA_KEY is not set, and must be a function key that is valid for this call."));
        assertTrue(cannot(Map.of("NUMERA_KEY", "wrong")).contains("NUMERA_KEY is not accepted"), this::messages);
    }

    private String messages() {
        return said.get(said.size() - 1);
    }

    private String cannot(Map<String, String> keys) {
        said.add(assertThrows(CannotProve.class, () -> prove(keys)).getMessage());
        return messages();
    }

    @Test
    void anAddressWithoutItsPrefixIsNoNumera() {
        String base = "" + SharedHost.process().baseUri();

        assertEquals(
                base + " is not a Numera API: it answered 404 to GET /health. Name the address with its prefix, such as"
                        + " http://127.0.0.1:7071/api.",
                assertThrows(CannotProve.class, () -> Prove.run(Map.of(), List.of(base), said::add))
                        .getMessage());
    }
}
