package dev.numera.client;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** Iterates over the rows of all pages. Reads each page when the rows of the previous page are used up. */
final class PageIterator<T> implements Iterator<T> {
    private final Function<String, Fields> nextPage;
    private final String field;
    private final Function<Fields, T> row;
    private Fields page;
    private Iterator<?> rows;

    PageIterator(Fields first, Function<String, Fields> nextPage, String field, Function<Fields, T> row) {
        this.nextPage = nextPage;
        this.field = field;
        this.row = row;
        page = first;
        rows = first.list(field).iterator();
    }

    @Override
    public boolean hasNext() {
        while (!rows.hasNext() && page.has("continuation")) {
            page = nextPage.apply(page.string("continuation"));
            rows = page.list(field).iterator();
        }
        return rows.hasNext();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return row.apply(Fields.of(rows.next()));
    }
}
