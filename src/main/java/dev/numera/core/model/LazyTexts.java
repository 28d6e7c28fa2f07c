package dev.numera.core.model;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A list of the texts of successive numbers. Builds each text when it is read, so that ten thousand texts are never in
 * memory together. Keeps only the first text, which is all of most lists and is read several times: for its length and
 * for the answer. Thread-safe.
 */
final class LazyTexts extends AbstractList<String> implements RandomAccess {
    private final LongFunction<String> text;
    private final long first;
    private final long increment;
    private final int count;
    /** Null until the text is known. Several threads may build it, and build the same text. */
    private @Nullable String firstText;

    /** @param firstText the text of the first number if it is known; null to build it like the others */
    LazyTexts(LongFunction<String> text, long first, long increment, int count, @Nullable String firstText) {
        this.text = text;
        this.first = first;
        this.increment = increment;
        this.count = count;
        this.firstText = firstText;
    }

    @Override
    public String get(int index) {
        if (Objects.checkIndex(index, count) > 0) {
            return text.apply(first + index * increment);
        }
        String known = firstText;
        if (known == null) {
            known = text.apply(first);
            firstText = known;
        }
        return known;
    }

    @Override
    public int size() {
        return count;
    }
}
