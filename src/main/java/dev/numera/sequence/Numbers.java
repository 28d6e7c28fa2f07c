package dev.numera.sequence;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An allocation as callers see it, everywhere alike.
 *
 * @param key null where the caller sent none
 * @param texts null where there is no format and the numbers are exact in every client
 * @param replayed whether an earlier request with the same key got them first
 */
public record Numbers(
        @Nullable String key,
        long first,
        long last,
        int count,
        long increment,
        @Nullable List<String> texts,
        boolean replayed) {}
