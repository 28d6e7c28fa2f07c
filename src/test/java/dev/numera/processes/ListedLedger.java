package dev.numera.processes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.maintain.history.LedgerEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads all pages of a sequence's ledger over HTTP. */
final class ListedLedger {
    private ListedLedger() {}

    /**
     * Returns the entries that the query selects.
     *
     * @param query the filter, such as "&from=5", or an empty string
     */
    static List<JsonNode> read(NumeraClient client, String sequence, String query) {
        List<JsonNode> entries = new ArrayList<>();
        String position = "";
        do {
            JsonNode page = client.get("/api/sequences/" + sequence + "/ledger?limit=1000" + query + position)
                    .expect(200)
                    .body();
            page.get("entries").forEach(entries::add);
            position = page.has("continuation")
                    ? "&continuation=" + page.get("continuation").textValue()
                    : "";
        } while (!position.isEmpty());
        return entries;
    }

    static LedgerEntry entry(JsonNode json) {
        long first = json.get("first").longValue();
        long last = json.get("last").longValue();
        LedgerEntry.EntryKind kind =
                LedgerEntry.EntryKind.valueOf(json.get("kind").textValue().toUpperCase(Locale.ROOT));
        return new LedgerEntry(kind, json.path("key").textValue(), first, last, last - first + 1);
    }
}
