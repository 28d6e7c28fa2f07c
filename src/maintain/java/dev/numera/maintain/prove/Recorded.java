package dev.numera.maintain.prove;

import dev.numera.maintain.history.Observation;
import java.util.List;

/**
 * One call on a scratch sequence.
 *
 * @param fault that the call met; empty for none
 * @param isCopy whether it is the first of a repeated call's two requests, whose answer was lost
 * @param storageMillis as the answer stated it; -1 where it did not
 */
record Recorded(Observation observed, String fault, boolean isCopy, double storageMillis) {
    /** What was observed of one kind. */
    static <T extends Observation> List<T> observations(List<Recorded> all, Class<T> kind) {
        return all.stream()
                .map(Recorded::observed)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }
}
