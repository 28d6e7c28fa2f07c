package dev.numera.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a longer list, in its order. Immutable.
 *
 * @param next the position at which the next page starts; null on the last page
 */
public record Page<T, P>(List<T> items, @Nullable P next) {
    public Page {
        items = List.copyOf(items);
    }
}
