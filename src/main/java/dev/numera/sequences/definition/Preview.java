package dev.numera.sequences.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a sequence would allocate next. Immutable.
 *
 * @param numbers the next numbers, three if that many are left
 * @param texts the texts of the numbers; null if the sequence has no format
 * @param longestText the longest possible text on the same date; null if the sequence has no format
 */
public record Preview(List<Long> numbers, @Nullable List<String> texts, @Nullable String longestText) {}
