package dev.numera.core.format;

/** What a text means: the number, and the period that it was allocated in. */
public record ParsedText(long number, Period period) {}
