package dev.numera.counter;

import dev.numera.execution.WriteResult;
import dev.numera.model.CounterState;
import dev.numera.model.Sequence;
import java.time.Duration;
import java.util.List;

/** Records the counted writes and answers, and the reported position of the counter. */
final class Watched implements CounterEvents {
    private final List<String> told;

    Watched(List<String> told) {
        this.told = told;
    }

    @Override
    public void waited(long nanos) {}

    @Override
    public void attempted(WriteResult result, int calls, long nanos) {
        told.add(word(result) + " for " + calls + " in "
                + Duration.ofNanos(nanos).toMillis() + " ms");
    }

    @Override
    public void failed(int calls, long nanos) {
        told.add("FAILED for " + calls + " in " + Duration.ofNanos(nanos).toMillis() + " ms");
    }

    private static String word(WriteResult result) {
        return result instanceof WriteResult.Won
                ? "WON"
                : result.isOvertaken() ? "LOST" : result.hasClashed() ? "CLASHED" : "UNKNOWN";
    }

    @Override
    public void peerRequestEnded(boolean wasAnswered) {
        told.add("asked " + (wasAnswered ? "WON" : "LOST"));
    }

    @Override
    public void foundWon() {
        told.add("found won");
    }

    @Override
    public void reached(Sequence known, CounterState state) {
        told.add("reached " + state.next());
    }
}
