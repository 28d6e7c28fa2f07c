package dev.numera.core.model;

import dev.numera.core.format.ParsedText;

/**
 * The number and period that a text stands for, and the format revision that read it.
 *
 * @param formatRevision the revision that read the text; 0 if the sequence never had a format
 */
public record ReadText(ParsedText parsed, int formatRevision) {}
