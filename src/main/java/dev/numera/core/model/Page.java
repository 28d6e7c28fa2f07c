package dev.numera.core.model;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
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

    /**
     * Returns all pages of a list, in order. Reads the first one at once and each further one when the stream gets
     * there, so one page is in memory at a time.
     *
     * @param reader reads the page that starts at a position; null for the first page
     */
    public static <T, P> Stream<Page<T, P>> all(Function<@Nullable P, Page<T, P>> reader) {
        return Stream.iterate(
                reader.apply(null), Objects::nonNull, page -> page.next() == null ? null : reader.apply(page.next()));
    }

    /**
     * Returns the leading items that fit one answer, but at least one item. The next page starts at the first item that
     * does not fit.
     *
     * @param characters the most characters that an item takes in an answer
     * @param position of an item; null if no page can start at that item, which then stays on this page
     */
    public Page<T, P> within(long maxCharacters, ToLongFunction<T> characters, Function<T, @Nullable P> position) {
        long left = maxCharacters;
        for (int index = 0; index < items.size(); index++) {
            left -= characters.applyAsLong(items.get(index));
            if (left < 0 && index > 0) {
                P start = position.apply(items.get(index));
                if (start != null) {
                    return new Page<>(items.subList(0, index), start);
                }
            }
        }
        return this;
    }
}
