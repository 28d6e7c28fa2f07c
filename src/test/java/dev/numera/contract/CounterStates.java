package dev.numera.contract;

import dev.numera.core.model.CounterState;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/** Builds states of counters in their first round that contain only the last operation id. */
public final class CounterStates {
    private CounterStates() {}

    public static CounterState of(
            long next,
            long allocated,
            long epoch,
            String operationId,
            Instant changedAt,
            LocalDate lastDate,
            Long firstAllocated,
            Instant firstAllocatedAt,
            Long importedFrom) {
        return new CounterState(
                next,
                allocated,
                epoch,
                0,
                List.of(operationId),
                changedAt,
                lastDate,
                firstAllocated,
                firstAllocatedAt,
                importedFrom);
    }

    public static CounterState of(
            long next, long allocated, long epoch, String operationId, Instant changedAt, LocalDate lastDate) {
        return of(next, allocated, epoch, operationId, changedAt, lastDate, null, null, null);
    }

    /** Returns a state without an order of dates. */
    public static CounterState of(long next, long allocated, long epoch, String operationId, Instant changedAt) {
        return of(next, allocated, epoch, operationId, changedAt, null);
    }
}
