package dev.numera.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A stored value with its version in storage, both from the same read or write.
 *
 * @param version null if there is no row yet; the value is then the initial one
 */
public record Versioned<T>(T value, @Nullable String version) {
    public boolean isAbsent() {
        return version == null;
    }
}
