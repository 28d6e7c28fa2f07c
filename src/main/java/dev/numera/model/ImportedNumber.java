package dev.numera.model;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A number that another system has allocated, to be imported under a key: as a number, or as a text that a format of
 * the sequence reads. Immutable.
 *
 * @param key of the sequence, as any other
 * @param number null where there is a text
 * @param text null where there is a number
 * @param date of the document; null where nothing needs one
 * @param reason why it is voided; null for any other status
 */
public record ImportedNumber(
        String key,
        @Nullable Long number,
        @Nullable String text,
        @Nullable LocalDate date,
        Status.Kind status,
        @Nullable String reason) {}
