package dev.numera.sequence;

import dev.numera.execution.Timekeeper;
import io.opentelemetry.api.OpenTelemetry;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;

/** Everything that can be done with sequences, wired as in the app, on a caller's clock, threads and randomness. */
public final class SimulatedSequences {
    private SimulatedSequences() {}

    public static Sequences over(
            Sequences.Stores stores, SequenceLimits limits, Timekeeper time, DoubleSupplier random, Executor leaders) {
        return Sequences.over(
                stores, AutoCreate.NEVER, limits, new Sequences.Machinery(time, random, leaders, OpenTelemetry.noop()));
    }
}
