package dev.numera.core.model;

import dev.numera.core.model.Status.Kind;
import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A number that another system has allocated, to be imported under a key: as a number, or as a text that a format of
 * the sequence reads. Immutable.
 *
 * @param key of the sequence, as any other: in the form in which it is stored
 * @param number null where there is a text
 * @param text null where there is a number
 * @param date of the document; null where the row states none
 * @param statedStatus null where the row states none: the number is issued unless the ledger says otherwise
 * @param reason why it is voided; null for any other status
 * @param sentKey the key as it was sent; null where that is the form in which it is stored
 */
public record ImportedNumber(
        String key,
        @Nullable Long number,
        @Nullable String text,
        @Nullable LocalDate date,
        @Nullable Kind statedStatus,
        @Nullable String reason,
        @Nullable String sentKey) {
    public ImportedNumber {
        sentKey = sentKey == null ? KeyForms.otherThanStored(key) : sentKey;
        key = KeyForms.stored(key);
    }

    /** Takes the key as the caller sent it, and stores it in NFC. */
    public ImportedNumber(
            String key,
            @Nullable Long number,
            @Nullable String text,
            @Nullable LocalDate date,
            @Nullable Kind statedStatus,
            @Nullable String reason) {
        this(key, number, text, date, statedStatus, reason, null);
    }

    /** Returns the key in the Unicode form that the caller sent. */
    public String keyAsSent() {
        return sentKey == null ? key : sentKey;
    }

    /** The status that the number gets when it is imported. */
    public Kind status() {
        return Objects.requireNonNullElse(statedStatus, Kind.ISSUED);
    }
}
