package dev.numera.sequences.lists;

import dev.numera.core.problem.Result;
import dev.numera.sequences.access.PrintedAllocation;

/**
 * An entry of a list with its answer.
 *
 * @param requested a request, or a row of strings
 * @param line of the row in what was sent, from 1; 0 where it is not known, or there is none
 * @param equalLine of an earlier row that is equal to this one; 0 where there is none
 */
public record RowResult<T>(T requested, Result<PrintedAllocation> result, int line, int equalLine) {
    public RowResult(T requested, Result<PrintedAllocation> result) {
        this(requested, result, 0, 0);
    }

    public boolean isRefused() {
        return result.isRefused();
    }
}
