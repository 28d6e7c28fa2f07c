package dev.numera.functions.http.lists;

import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.lists.CellText;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * Which lines of a CSV file are the list.
 *
 * @param separator between columns; null to detect it from the header line
 * @param headerLine the line with the names of the columns, from 1; the lines before it are ignored
 * @param until the first row whose first cell that is not empty has this text ends the list; null for no such row
 */
record CsvStructure(@Nullable Character separator, int headerLine, @Nullable String until) {
    /** A list from the first line to the last. */
    static final CsvStructure WHOLE = new CsvStructure(null, 1, null);

    /**
     * Returns the place where the header line starts.
     *
     * @throws ProblemException {@code invalid-request} if the text has fewer lines
     */
    int start(String text) {
        int at = 0;
        for (int line = 1; line < headerLine; line++) {
            int end = endOfLine(text, at);
            at = Math.min(text.startsWith("\r\n", end) ? end + 2 : end + 1, text.length());
            // The rest after the last line break is no line if it is empty.
            if (at == text.length()) {
                throw InvalidRequest.because(
                        ListParameters.HEADER_LINE,
                        "must be a line of the file, which has " + (line == 1 ? "one line" : line + " lines"));
            }
        }
        return at;
    }

    /** Returns the place of the next line feed or carriage return; the length of the text if none follows. */
    private static int endOfLine(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
        return at;
    }

    /** Whether this row is the one after the list. */
    boolean isEnd(CSVRecord row) {
        return until != null
                && firstCell(row).filter(CellText.folded(until)::equals).isPresent();
    }

    private static Optional<String> firstCell(CSVRecord row) {
        return StreamSupport.stream(row.spliterator(), false)
                .filter(cell -> !cell.isBlank())
                .findFirst()
                .map(CellText::folded);
    }

    /**
     * Refuses a list without the row that should end it.
     *
     * @throws ProblemException {@code invalid-request}
     */
    void requireEnd(boolean isFound) {
        if (until != null && !isFound) {
            throw InvalidRequest.because(
                    ListParameters.UNTIL,
                    "must be the first cell of a row, but no row begins with '" + Excerpt.of(until) + "'");
        }
    }
}
