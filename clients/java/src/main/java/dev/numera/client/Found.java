package dev.numera.client;

import java.util.List;

/**
 * The entries that match a search.
 *
 * @param unsearched the sequences that were not searched and may contain a match
 */
public record Found(List<FoundEntry> entries, List<String> unsearched) {
    /**
     * An entry of the ledger of a sequence.
     *
     * @param foundBy key, text or number
     */
    public record FoundEntry(String scope, String name, String foundBy, LedgerEntry entry) {
        static FoundEntry of(Fields fields) {
            return new FoundEntry(
                    fields.string("scope"), fields.string("name"), fields.string("foundBy"), LedgerEntry.of(fields));
        }
    }

    static Found of(List<Fields> pages) {
        return new Found(
                pages.stream()
                        .flatMap(page -> page.list("entries").stream())
                        .map(Fields::of)
                        .map(FoundEntry::of)
                        .toList(),
                pages.stream()
                        .flatMap(page -> page.list("unsearched").stream())
                        .map(Fields::of)
                        .map(sequence -> sequence.string("scope") + "/" + sequence.string("name"))
                        .toList());
    }
}
