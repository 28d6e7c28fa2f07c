package dev.numera.functions.http.lists;

import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.io.FilterReader;
import java.io.IOException;
import java.io.StringReader;

/**
 * Reads a text, but no further than a row may be long. Otherwise a parser could create millions of columns before the
 * app sees the row.
 */
final class RowReader extends FilterReader {
    /** The most characters that a parser's buffer reads ahead of the current row. */
    private static final int AHEAD_UNITS = 16 * 1024;

    private final int maxRowUnits;
    private long line;
    private int leftUnits;

    RowReader(String text, int maxRowUnits) {
        super(new StringReader(text));
        this.maxRowUnits = maxRowUnits;
        beginRow(1);
    }

    /** Call before reading the row that starts in this line. */
    void beginRow(long lineOfRow) {
        line = lineOfRow;
        leftUnits = maxRowUnits + AHEAD_UNITS;
    }

    @Override
    public int read() throws IOException {
        char[] one = new char[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    /** @throws ProblemException {@code invalid-request} if the row is longer than allowed */
    @Override
    public int read(char[] into, int offset, int length) throws IOException {
        if (leftUnits <= 0) {
            throw InvalidRequest.because("line " + line, "has more than " + maxRowUnits + " characters");
        }
        int read = super.read(into, offset, length);
        leftUnits -= read;
        return read;
    }
}
