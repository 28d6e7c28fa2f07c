package dev.numera.functions.http.lists;

import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.io.FilterReader;
import java.io.IOException;
import java.io.StringReader;

/** A text that is read no further than a row may be long: a parser would first make millions of columns of a row. */
final class RowReader extends FilterReader {
    /** How far a parser's buffer may be ahead of the row that it is at. */
    private static final int AHEAD_UNITS = 16 * 1024;

    private final int maxRowUnits;
    private long line;
    private int leftUnits;

    RowReader(String text, int maxRowUnits) {
        super(new StringReader(text));
        this.maxRowUnits = maxRowUnits;
        beginRow(1);
    }

    /** To be called before a row is read that begins in this line. */
    void beginRow(long lineOfRow) {
        line = lineOfRow;
        leftUnits = maxRowUnits + AHEAD_UNITS;
    }

    @Override
    public int read() throws IOException {
        char[] one = new char[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    /** @throws ProblemException {@code invalid-request} before more is read than a row may have */
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
