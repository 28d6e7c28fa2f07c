package dev.numera.model;

import dev.numera.format.ParsedText;

/**
 * A text that was read.
 *
 * @param formatRevision by which it was read; 0 where the sequence never had a format
 */
public record ReadText(ParsedText parsed, int formatRevision) {}
