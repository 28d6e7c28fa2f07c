package dev.numera.client;

import java.util.Optional;

/**
 * A row of an import with its numbers, or with the problem that explains why it was refused.
 *
 * @param outcome imported, already-there or refused; would-import in a dry run
 */
public record ImportedRow(
        String outcome, String key, Optional<Allocation> allocation, Optional<NumeraProblem> problem) {
    static ImportedRow of(Fields fields) {
        NumberedKey row = NumberedKey.of(fields);
        return new ImportedRow(fields.string("outcome"), row.key(), row.allocation(), row.problem());
    }
}
