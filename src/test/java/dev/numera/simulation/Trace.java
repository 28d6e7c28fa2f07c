package dev.numera.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The events of a run, line after line. Thread-safe.
 *
 * @param all everything, for readers
 * @param requests the requests to the stores and their answers, to compare with another version of the app: see
 *     {@link Words}
 */
record Trace(List<String> all, List<String> requests) {
    Trace() {
        this(Collections.synchronizedList(new ArrayList<>()), Collections.synchronizedList(new ArrayList<>()));
    }
}
