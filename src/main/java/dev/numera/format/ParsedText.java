package dev.numera.format;

/** What a text tells: the number, and the period that it was handed out in. */
public record ParsedText(long number, Period period) {}
