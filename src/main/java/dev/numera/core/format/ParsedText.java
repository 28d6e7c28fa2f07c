package dev.numera.core.format;

/** The meaning of a text: a number, and the period that the number belongs to. */
public record ParsedText(long number, Period period) {}
