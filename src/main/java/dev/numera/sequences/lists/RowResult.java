package dev.numera.sequences.lists;

import dev.numera.core.problem.Result;
import dev.numera.sequences.access.PrintedAllocation;

/**
 * An entry of a list with its answer.
 *
 * @param requested a request, or a row of strings
 * @param line the line of the row in the sent file, from 1; 0 if unknown, or if there are no lines
 * @param equalLine the line of an earlier, equal row; 0 if there is none
 */
public record RowResult<T>(T requested, Result<PrintedAllocation> result, int line, int equalLine) {
    public RowResult(T requested, Result<PrintedAllocation> result) {
        this(requested, result, 0, 0);
    }

    public boolean isRefused() {
        return result.isRefused();
    }
}
