package dev.numera.model;

import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A number that another system has allocated, to be imported under a key: as a number, or as a text that a format of
 * the sequence reads. Immutable.
 *
 * @param key of the sequence, as any other
 * @param number null where there is a text
 * @param text null where there is a number
 * @param date of the document; null where the row states none
 * @param statedStatus null where the row states none: the number is issued unless the ledger says otherwise
 * @param reason why it is voided; null for any other status
 */
public record ImportedNumber(
        String key,
        @Nullable Long number,
        @Nullable String text,
        @Nullable LocalDate date,
        Status.@Nullable Kind statedStatus,
        @Nullable String reason) {
    /** The status that the number gets when it is imported. */
    public Status.Kind status() {
        return Objects.requireNonNullElse(statedStatus, Status.Kind.ISSUED);
    }
}
