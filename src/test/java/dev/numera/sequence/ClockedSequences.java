package dev.numera.sequence;

import dev.numera.execution.Timekeeper;
import io.opentelemetry.api.GlobalOpenTelemetry;

/** Everything that can be done with sequences, wired as in the app, on a clock of the caller's own. */
public final class ClockedSequences {
    private ClockedSequences() {}

    public static Sequences over(
            Sequences.Stores stores, AutoCreate autoCreate, SequenceLimits limits, Timekeeper time) {
        return Sequences.over(stores, autoCreate, limits, Sequences.Machinery.by(time, GlobalOpenTelemetry.get()));
    }
}
