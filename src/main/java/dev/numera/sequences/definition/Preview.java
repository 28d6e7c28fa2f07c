package dev.numera.sequences.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a sequence would allocate. Immutable.
 *
 * @param numbers the next ones, three where so many are left
 * @param texts theirs; null where numbers have no texts
 * @param longestText the longest that there can be on the same date; null where numbers have no texts
 */
public record Preview(List<Long> numbers, @Nullable List<String> texts, @Nullable String longestText) {}
