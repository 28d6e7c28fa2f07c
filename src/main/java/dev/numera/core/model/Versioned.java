package dev.numera.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A stored value with the version that the store assigned to exactly this value: they come from one read or one write.
 *
 * @param version null where there is no row yet: then the value is the one that it would begin with
 */
public record Versioned<T>(T value, @Nullable String version) {
    public boolean isAbsent() {
        return version == null;
    }
}
