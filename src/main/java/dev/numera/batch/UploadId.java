package dev.numera.batch;

import dev.numera.model.SequenceName;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which upload: it belongs to a sequence.
 *
 * @param id 32 hexadecimal digits in lower case; an upload of another kind may have the same
 */
public record UploadId(SequenceName sequence, Kind kind, String id) {
    /** What a list is uploaded for. */
    public enum Kind {
        /** To be numbered. */
        BATCH,
        /** With its numbers, which another system has given. */
        IMPORT
    }

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    private static final int ID_DIGITS = 32;

    public UploadId {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "'" + id + "' is no id of an upload: it has 32 hexadecimal digits in lower case.");
        }
    }

    /** An id of its own. */
    public static UploadId random(SequenceName sequence, Kind kind) {
        return new UploadId(sequence, kind, UUID.randomUUID().toString().replace("-", ""));
    }

    /** The same id for the same key, which the caller chose: the first half of its SHA-256. */
    public static UploadId ofKey(SequenceName sequence, Kind kind, String key) {
        return new UploadId(sequence, kind, Sha256.hex(key).substring(0, ID_DIGITS));
    }

    /** Of a key that the caller chose, or one of its own where that is null. */
    public static UploadId of(SequenceName sequence, Kind kind, @Nullable String key) {
        return key == null ? random(sequence, kind) : ofKey(sequence, kind, key);
    }

    /** Empty where the text cannot be an id. */
    public static Optional<UploadId> parse(SequenceName sequence, Kind kind, String id) {
        return ID.matcher(id).matches() ? Optional.of(new UploadId(sequence, kind, id)) : Optional.empty();
    }

    public boolean isImport() {
        return kind == Kind.IMPORT;
    }

    @Override
    public String toString() {
        return sequence + (isImport() ? "/imports/" : "/batches/") + id;
    }
}
