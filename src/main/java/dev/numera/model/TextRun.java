package dev.numera.model;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.LongFunction;

/**
 * The texts of numbers that follow one another, each built when it is read: ten thousand of them take no memory until
 * they are written. Immutable.
 */
final class TextRun extends AbstractList<String> implements RandomAccess {
    private final LongFunction<String> text;
    private final long first;
    private final long increment;
    private final int count;

    TextRun(LongFunction<String> text, long first, long increment, int count) {
        this.text = text;
        this.first = first;
        this.increment = increment;
        this.count = count;
    }

    @Override
    public String get(int index) {
        return text.apply(first + Objects.checkIndex(index, count) * increment);
    }

    @Override
    public int size() {
        return count;
    }
}
