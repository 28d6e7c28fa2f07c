package dev.numera.core.model;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The texts of numbers that follow one another, each built when it is read: ten thousand of them take no memory until
 * they are written. Immutable.
 */
final class LazyTexts extends AbstractList<String> implements RandomAccess {
    private final LongFunction<String> text;
    private final long first;
    private final long increment;
    private final int count;
    private final @Nullable String firstText;

    /** @param firstText the text of the first number where it is known; null where it is to be built as well */
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
