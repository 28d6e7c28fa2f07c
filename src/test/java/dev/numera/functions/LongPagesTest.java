package dev.numera.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Change;
import dev.numera.core.model.Change.FieldChange;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.functions.http.Requests;
import dev.numera.functions.http.sequence.ClosingFunctions;
import dev.numera.functions.http.sequence.SequenceFunctions;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of the longest possible closings, among the changes and by themselves. */
class LongPagesTest {
    private static final SequenceName NAME = new SequenceName("App1", "order");
    private static final String PATH = "/api/sequences/App1/order";
    private static final int CLOSINGS = 200;
    private static final Instant AT = Instant.parse("2026-11-21T10:00:00Z");

    private final App app = mock(App.class);
    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences = TestSequences.over(table).start();

    @BeforeEach
    void close() {
        when(app.sequences()).thenReturn(sequences);
        sequences.editor().put(NAME, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        List<FieldChange> fields = new ArrayList<>();
        fields.addAll(Collections.nCopies(
                100, new FieldChange("gap:unrecorded", 4_000_000_000_000_000_000L, 4_000_000_000_000_000_001L)));
        fields.addAll(
                Collections.nCopies(100, new FieldChange("recent:issued", "2026-10-01", 4_000_000_000_000_000_000L)));
        for (int i = 0; i < CLOSINGS; i++) {
            table.keep(NAME, Change.closed(fields, ChangeNote.by("anna" + i), AT.plusSeconds(i)));
        }
    }

    private HttpResponseMessage changes(String query) {
        HttpRequestMessage<Optional<String>> request =
                Requests.of(PATH + "/changes?limit=1000" + query, null, Map.of());
        return new SequenceFunctions(app).listChanges(request, "App1", "order");
    }

    private HttpResponseMessage closings(String query) {
        HttpRequestMessage<Optional<String>> request =
                Requests.of(PATH + "/closings?limit=1000" + query, null, Map.of());
        return new ClosingFunctions(app).listClosings(request, "App1", "order");
    }

    /** Returns the actors of all pages. Asserts that no page is too long. */
    private static List<String> actors(String plural, Function<String, HttpResponseMessage> list) throws IOException {
        List<String> actors = new ArrayList<>();
        String query = "";
        do {
            String body = list.apply(query).getBody().toString();
            assertTrue(body.length() <= 1_000_000, () -> body.length() + " characters");
            JsonNode page = new ObjectMapper().readTree(body);
            page.get(plural).forEach(each -> actors.add(each.path("actor").asText()));
            query = page.has("continuation")
                    ? "&continuation=" + page.get("continuation").textValue()
                    : "";
        } while (!query.isEmpty());
        return actors;
    }

    private static List<String> expected() {
        return IntStream.range(0, CLOSINGS).mapToObj(i -> "anna" + i).toList();
    }

    @Test
    void aPageOfClosingsEndsBeforeTheOneWithWhichItHasTooManyCharacters() throws IOException {
        assertEquals(expected(), actors("closings", this::closings));
    }

    @Test
    void aPageOfChangesEndsBeforeTheOneWithWhichItHasTooManyCharacters() throws IOException {
        List<String> actors = actors("changes", this::changes);

        assertEquals(expected(), actors.subList(0, CLOSINGS));
    }

    @Test
    void pagesAreNotWrittenWithoutRoomForThem() {
        try (CharacterBudget.Share others = CharacterBudget.OF_THE_PROCESS.open()) {
            others.hold(CharacterBudget.OF_THE_PROCESS.characters() - 100_000);
            assertEquals(503, closings("").getStatusCode());
            assertEquals(503, changes("").getStatusCode());
        }
        assertEquals(0, CharacterBudget.OF_THE_PROCESS.held());
    }
}
