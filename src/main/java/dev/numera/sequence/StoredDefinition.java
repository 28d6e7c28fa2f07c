package dev.numera.sequence;

import dev.numera.counter.FixedFields;
import dev.numera.counter.SequenceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A definition as it stands in storage.
 *
 * @param formats every format that the sequence ever had, the first one first: revision 1 is at index 0
 * @param retiredAt null unless retired
 * @param version for the next conditional write
 */
public record StoredDefinition(SequenceName name, Definition definition, List<String> formats, Instant retiredAt, String version) {
    public StoredDefinition {
        formats = List.copyOf(formats);
    }

    public boolean isRetired() {
        return retiredAt != null;
    }

    /** The revision of the present format, 0 without one. */
    public int formatRevision() {
        return definition.format() == null ? 0 : formats.lastIndexOf(definition.format()) + 1;
    }

    /** The pinned fields win over a definition that disagrees: the numbers that exist were made by them. */
    StoredDefinition with(Optional<FixedFields> pinned) {
        return pinned.map(fields -> new StoredDefinition(name, definition.with(fields), formats, retiredAt, version)).orElse(this);
    }
}
