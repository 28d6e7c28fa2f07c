package dev.numera.maintain.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.maintain.prove.LyingServer.Lie;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A proof finds and names each promise that a deployment breaks. */
class LiesIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The rule that each lie always breaks. It may break others as well. */
    private static final Map<Lie, String> BROKEN = new EnumMap<>(Map.ofEntries(
            Map.entry(Lie.NUMBER_TWICE, "DISTINCT"),
            Map.entry(Lie.ORDER_BROKEN, "REAL_TIME_ORDER"),
            Map.entry(Lie.GAP, "LEDGER_COMPLETE"),
            Map.entry(Lie.KEY_WITH_TWO_NUMBERS, "ONE_KEY_ONE_ALLOCATION"),
            Map.entry(Lie.REFUSAL_CONSUMED, "REFUSED_CONSUMED_NOTHING"),
            Map.entry(Lie.REFUSED_KEY_HAS_NUMBERS, "REFUSED_CONSUMED_NOTHING"),
            Map.entry(Lie.LEDGER_FORGETS_A_KEY, "LEDGER_AS_ANSWERED"),
            Map.entry(Lie.VOID_THEN_CONFIRMED, "STATUS_CONSISTENT"),
            Map.entry(Lie.CONFIRMATION_FORGOTTEN, "STATUS_CONSISTENT"),
            Map.entry(Lie.RESERVATION_ISSUED, "STATUS_CONSISTENT"),
            Map.entry(Lie.ADVANCE_FORGOTTEN, "DISTINCT"),
            Map.entry(Lie.COUNT_IGNORED, "SHAPE")));

    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();

    private boolean prove(LyingServer server, Map<String, String> keys, String... more) {
        List<String> arguments = new ArrayList<>(List.of(server.address()));
        arguments.addAll(List.of("--seconds", "20", "--callers", "4", "--numbers", "600", "--out", "" + folder));
        arguments.addAll(List.of(more));
        return Prove.run(keys, arguments, said::add);
    }

    @Test
    void anHonestDeploymentBreaksNoPromise() throws Exception {
        try (LyingServer server = new LyingServer(Lie.NONE).requiring("of-numbers", "of-definitions")) {
            assertTrue(
                    prove(server, Map.of("NUMERA_KEY", "of-numbers", "NUMERA_DEFINITIONS_KEY", "of-definitions")),
                    said::toString);
            assertEquals(2, server.retired());
        }
        assertEquals("No promise was broken.", said.get(0));
        assertTrue(said.get(4).matches("storage: p50 1\\.5 ms, p90 1\\.5 ms, p99 1\\.5 ms"), said::toString);
        JsonNode history = JSON.readTree(folder.resolve("history.json").toFile());
        Set<String> kinds = new TreeSet<>();
        history.at("/sequences/1/calls")
                .forEach(call -> kinds.add(call.get("kind").textValue()));
        assertEquals(Set.of("numbers", "reservation", "status", "advance"), kinds);
        assertEquals(
                history,
                JSON.readTree(Files.readString(folder.resolve("history.html"))
                        .replaceAll("(?s).*id=\"history\">(.*?)</script>.*", "$1")));
    }

    @Test
    void lostAndRepeatedCallsBreakNoPromiseAndHideNone() throws Exception {
        try (LyingServer honest = new LyingServer(Lie.NONE);
                LyingServer lying = new LyingServer(Lie.NUMBER_TWICE)) {
            assertTrue(prove(honest, Map.of(), "--faults", "0"), said::toString);
            assertTrue(
                    said.toString()
                            .matches(".*faults: answer-lost \\d+, repeated \\d+, request-lost \\d+, sent-late \\d+.*"),
                    said::toString);
            assertEquals(false, prove(lying, Map.of(), "--faults", "0"), said::toString);
        }
    }

    @Test
    void theVerdictIsThereWhereTheFilesCannotBeWritten() throws Exception {
        Files.createDirectory(folder.resolve("history.json"));
        try (LyingServer honest = new LyingServer(Lie.NONE);
                LyingServer lying = new LyingServer(Lie.NUMBER_TWICE)) {
            assertEquals(false, prove(lying, Map.of()), said::toString);
            assertTrue(said.get(said.size() - 1).startsWith("The files cannot be written to '"), said::toString);
            said.clear();
            assertThrows(CannotProve.class, () -> prove(honest, Map.of()));
            assertEquals("No promise was broken.", said.get(0));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void eachBrokenPromiseIsFound(Lie lie) throws Exception {
        try (LyingServer server = new LyingServer(lie)) {
            assertEquals(false, prove(server, Map.of()), said::toString);
            assertEquals(2, server.retired());
        }
        Set<String> rules = new TreeSet<>();
        JsonNode history = JSON.readTree(folder.resolve("history.json").toFile());
        history.get("sequences").forEach(sequence -> sequence.get("violations")
                .forEach(violation -> rules.add(violation.get("rule").textValue())));
        assertTrue(rules.contains(BROKEN.get(lie)), () -> lie + " broke " + rules + ": " + said);
    }
}
