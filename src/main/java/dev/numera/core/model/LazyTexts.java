package dev.numera.core.model;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A list of the texts of successive numbers. Builds each text when it is read, so that ten thousand texts are never in
 * memory together. Immutable.
 */
final class LazyTexts extends AbstractList<String> implements RandomAccess {
    private final LongFunction<String> text;
    private final long first;
    private final long increment;
    private final int count;
    private final @Nullable String firstText;

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
        if (index == 0 && count > 0 && firstText != null) {
            return firstText;
        }
        return text.apply(first + Objects.checkIndex(index, count) * increment);
    }

    @Override
    public int size() {
        return count;
    }
}
