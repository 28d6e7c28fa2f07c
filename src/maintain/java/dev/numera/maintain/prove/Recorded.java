package dev.numera.maintain.prove;

import dev.numera.maintain.history.Observation;
import java.util.List;

/**
 * One call on a scratch sequence.
 *
 * @param fault the fault that was injected; empty for none
 * @param isCopy whether this is the first request of a repeated call, whose answer the proxy dropped
 * @param storageMillis the storage time that the answer stated; -1 if it stated none
 */
record Recorded(Observation observed, String fault, boolean isCopy, double storageMillis) {
    /** Returns the observations of one kind. */
    static <T extends Observation> List<T> observations(List<Recorded> all, Class<T> kind) {
        return all.stream()
                .map(Recorded::observed)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }
}
