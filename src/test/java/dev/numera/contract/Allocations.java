package dev.numera.contract;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.Status;
import java.time.Instant;
import java.time.LocalDate;

/** Builds allocations for tests that do not depend on the write that made them. */
public final class Allocations {
    private Allocations() {}

    public static Allocation of(
            String key,
            long first,
            long last,
            int count,
            String period,
            LocalDate date,
            String firstText,
            int formatRevision,
            Instant allocatedAt,
            boolean replayed,
            Status status,
            String importId) {
        return new Allocation(
                key,
                first,
                last,
                count,
                period,
                date,
                firstText,
                formatRevision,
                allocatedAt,
                replayed,
                status,
                importId,
                null,
                null);
    }

    /** Returns an allocation that the sequence made itself, as opposed to an imported one. */
    public static Allocation of(
            String key,
            long first,
            long last,
            int count,
            String period,
            LocalDate date,
            String firstText,
            int formatRevision,
            Instant allocatedAt,
            boolean replayed,
            Status status) {
        return of(
                key, first, last, count, period, date, firstText, formatRevision, allocatedAt, replayed, status, null);
    }

    /**
     * Returns a request to import an allocation, as a row with its number and date, and with its status if that was
     * set.
     */
    public static CounterRequest.Import imported(Allocation number, Change change) {
        Status status = number.status();
        ImportedNumber row = new ImportedNumber(
                number.key(),
                number.first(),
                null,
                number.date(),
                status.at() == null ? null : status.kind(),
                status.reason());
        return new CounterRequest.Import(row, number, change, null);
    }

    /** Returns the allocation with an operation id, as its key row contains it. */
    public static Allocation by(Allocation allocation, String operationId) {
        return with(allocation, operationId, allocation.actor());
    }

    /** Returns the allocation as requested by the actor. */
    static Allocation requestedBy(Allocation allocation, String actor) {
        return with(allocation, allocation.operationId(), actor);
    }

    private static Allocation with(Allocation allocation, String operationId, String actor) {
        return new Allocation(
                allocation.key(),
                allocation.first(),
                allocation.last(),
                allocation.count(),
                allocation.period(),
                allocation.date(),
                allocation.firstText(),
                allocation.formatRevision(),
                allocation.allocatedAt(),
                allocation.replayed(),
                allocation.status(),
                allocation.importId(),
                operationId,
                actor);
    }
}
