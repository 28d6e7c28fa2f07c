package dev.numera.core.model;

import dev.numera.core.model.Status.Kind;
import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A number that another system has allocated, to be imported under a key. It is stated as a number, or as a text in a
 * format of the sequence. Immutable.
 *
 * @param key in the Unicode form that is stored: NFC
 * @param number null if the row states a text
 * @param text null if the row states a number
 * @param date of the document; null if the row states none
 * @param statedStatus null if the row states none; a number that is not in the ledger yet is then issued
 * @param reason why the number is void; null for any other status
 * @param sentKey the key in the form that the caller sent; null if that equals {@code key}
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

    /** Returns the status that the number gets with the import. */
    public Kind status() {
        return Objects.requireNonNullElse(statedStatus, Kind.ISSUED);
    }
}
