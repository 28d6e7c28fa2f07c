package dev.numera.core.model;

import dev.numera.core.format.ParsedText;

/**
 * A text that was read.
 *
 * @param formatRevision by which it was read; 0 where the sequence never had a format
 */
public record ReadText(ParsedText parsed, int formatRevision) {}
