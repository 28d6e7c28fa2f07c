package dev.numera.core.counter;

import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.List;

/** Records the counted writes and answers, and the reported position of the counter. */
final class Watched implements CounterEvents {
    private final List<String> answered;

    Watched(List<String> answered) {
        this.answered = answered;
    }

    @Override
    public void waited(long nanos) {}

    @Override
    public void attempted(WriteResult result, int calls, long nanos) {
        answered.add(word(result) + " for " + calls + " in "
                + Duration.ofNanos(nanos).toMillis() + " ms");
    }

    @Override
    public void failed(int calls, long nanos) {
        answered.add("FAILED for " + calls + " in " + Duration.ofNanos(nanos).toMillis() + " ms");
    }

    private static String word(WriteResult result) {
        return result instanceof WriteResult.Won
                ? "WON"
                : result.isOvertaken() ? "LOST" : result.hasClashed() ? "CLASHED" : "UNKNOWN";
    }

    @Override
    public void peerRequestEnded(boolean wasAnswered) {
        answered.add("requested " + (wasAnswered ? "WON" : "LOST"));
    }

    @Override
    public void foundWon() {
        answered.add("found won");
    }

    @Override
    public void reached(Sequence known, CounterState state) {
        answered.add("reached " + state.next());
    }
}
