package dev.numera.sequence;

import dev.numera.counter.FixedFields;
import dev.numera.counter.SequenceName;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

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

    /** A definition that nothing was stored of before. */
    static StoredDefinition first(SequenceName name, Definition definition) {
        return new StoredDefinition(name, definition, List.of(), null, null).changedTo(definition, null);
    }

    /** The next state of this one; a new format gets the next revision. */
    StoredDefinition changedTo(Definition changed, Instant newRetiredAt) {
        List<String> all = new ArrayList<>(formats);
        if (changed.format() != null && !all.contains(changed.format())) {
            all.add(changed.format());
        }
        return new StoredDefinition(name, changed, all, newRetiredAt, version);
    }

    /** The entity tag over HTTP, quotes included: strong, which the store's version need not be. */
    public String tag() {
        return '"' + UUID.nameUUIDFromBytes(version.getBytes(StandardCharsets.UTF_8)).toString() + '"';
    }

    public boolean isRetired() {
        return retiredAt != null;
    }

    /** The revision of the present format, 0 without one. */
    public int formatRevision() {
        return definition.format() == null ? 0 : formats.indexOf(definition.format()) + 1;
    }

    /** The pinned fields win over a definition that disagrees: the numbers that exist were made by them. */
    StoredDefinition with(Optional<FixedFields> pinned) {
        return pinned.map(fields -> new StoredDefinition(name, definition.with(fields), formats, retiredAt, version)).orElse(this);
    }
}
