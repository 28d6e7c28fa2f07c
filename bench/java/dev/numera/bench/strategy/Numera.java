package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.Backoff;
import dev.numera.core.retry.Limits;
import dev.numera.functions.Settings;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.numbering.Allocator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The app's own allocation with its default settings, except that all callers of a load may wait. */
final class Numera implements Strategy {
    /** More than the callers of the largest load. By default the app would refuse some of them at once. */
    private static final String MAX_WAITING_CALLS = "300";

    private final Connections connections;
    private final SequenceName name;
    private final Guarantee guarantee;
    private final Allocator allocator;
    private final int process;
    private final AtomicLong keys;

    /** @param withKeys whether every call has a unique key */
    Numera(
            Connections connections,
            String sequence,
            Guarantee guarantee,
            boolean withKeys,
            int process,
            BackoffChoice backoff) {
        this.connections = connections;
        this.name = new SequenceName("bench", sequence);
        this.guarantee = guarantee;
        this.process = process;
        this.keys = withKeys ? new AtomicLong() : null;
        this.allocator = Sequences.over(
                        connections.stores(),
                        AutoCreate.NEVER,
                        limits(connections.addresses().storage(), backoff))
                .allocator();
    }

    @Override
    public void prepare(int numbersWanted) {
        OpenCounter.define(connections.stores(), name, guarantee);
    }

    @Override
    public long next(Window window) {
        String key = keys == null ? null : key(process, keys.incrementAndGet());
        CallResult<PrintedAllocation> numbered = allocator.next(name, List.of(new NumberRequest(key, 1, null)));
        connections.traffic().attempts(numbered.attempts());
        return numbered.results().get(0).orThrow().first();
    }

    static String key(int process, long ordinal) {
        return "order-" + process + "-" + ordinal;
    }

    private static Limits limits(String storage, BackoffChoice backoff) {
        Limits limits = Settings.of(Map.of("NumeraStorage", storage, "Numera_MaxWaitingCalls", MAX_WAITING_CALLS))
                .limits();
        return backoff.backoff() == null ? limits : waiting(limits, backoff.backoff());
    }

    private static Limits waiting(Limits limits, Backoff backoff) {
        return new Limits(
                limits.maxAttempts(),
                limits.deadline(),
                backoff,
                limits.requestTimeout(),
                limits.lossesBeforePeerRequest(),
                limits.maxWaitingCalls(),
                limits.maxIdleCounters(),
                limits.maxDaysAhead(),
                limits.maxDaysBack());
    }
}
