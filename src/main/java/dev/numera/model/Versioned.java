package dev.numera.model;

import org.jspecify.annotations.Nullable;

/**
 * A counter's state with the version that the store assigned to exactly this state: they come from one read or one
 * write.
 *
 * @param version null where there is no counter yet: then the state is the one that it would begin with
 */
public record Versioned(CounterState state, @Nullable String version) {
    public boolean isAbsent() {
        return version == null;
    }
}
