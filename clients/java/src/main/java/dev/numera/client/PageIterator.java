package dev.numera.client;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** The rows of all pages; a page is read when the one before has no row left. */
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
