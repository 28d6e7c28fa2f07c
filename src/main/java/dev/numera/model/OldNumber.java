package dev.numera.model;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A number that another system has given: told as a number or as the text that a format of the sequence reads. Its
 * texts are checked. Immutable.
 *
 * @param key of the sequence, as any other
 * @param number null where there is a text
 * @param text null where there is a number
 * @param date of the document; null where nothing needs one
 * @param reason why it is void; null for anything else
 */
public record OldNumber(
        String key,
        @Nullable Long number,
        @Nullable String text,
        @Nullable LocalDate date,
        Status.Kind status,
        @Nullable String reason) {}
