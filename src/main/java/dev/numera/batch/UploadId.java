package dev.numera.batch;

import dev.numera.counter.SequenceName;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Which upload: it belongs to a sequence.
 *
 * @param id 32 hexadecimal digits in lower case
 */
public record UploadId(SequenceName sequence, String id) {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    private static final int ID_DIGITS = 32;

    public UploadId {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "'" + id + "' is no id of an upload: it has 32 hexadecimal digits in lower case.");
        }
    }

    /** An id of its own. */
    public static UploadId random(SequenceName sequence) {
        return new UploadId(sequence, UUID.randomUUID().toString().replace("-", ""));
    }

    /** The same id for the same key, which the caller chose: the first half of its SHA-256. */
    public static UploadId ofKey(SequenceName sequence, String key) {
        return new UploadId(sequence, Sha256.hex(key).substring(0, ID_DIGITS));
    }

    /** Empty where the text cannot be an id. */
    public static Optional<UploadId> parse(SequenceName sequence, String id) {
        return ID.matcher(id).matches() ? Optional.of(new UploadId(sequence, id)) : Optional.empty();
    }

    @Override
    public String toString() {
        return sequence + "/batches/" + id;
    }
}
