package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;
import dev.numera.execution.Backoff;
import dev.numera.execution.Limits;
import dev.numera.functions.Settings;
import dev.numera.model.Answers;
import dev.numera.model.Guarantee;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.sequence.AutoCreate;
import dev.numera.sequence.Numbering;
import dev.numera.sequence.Numbers;
import dev.numera.sequence.Sequences;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The app's own numbering, with the settings that it comes with, except that all callers of a load may wait. */
final class Numera implements Strategy {
    /** More than the callers of the largest load: by default some of them would be turned away at once. */
    private static final String MAX_WAITING_CALLS = "300";

    private final Connections connections;
    private final SequenceName name;
    private final Guarantee guarantee;
    private final Numbering numbering;
    private final int process;
    private final AtomicLong keys;

    /** @param withKeys whether every call has a key of its own */
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
        this.numbering = Sequences.over(
                        connections.stores(),
                        AutoCreate.NEVER,
                        limits(connections.addresses().storage(), backoff))
                .numbering();
    }

    @Override
    public void prepare(int numbersWanted) {
        OpenCounter.define(connections.stores(), name, guarantee);
    }

    @Override
    public long next(Window window) {
        String key = keys == null ? null : key(process, keys.incrementAndGet());
        Answers<Numbers> numbered = numbering.next(name, List.of(new Take(key, 1, null)));
        connections.traffic().attempts(numbered.attempts());
        return numbered.answers().get(0).orThrow().first();
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
