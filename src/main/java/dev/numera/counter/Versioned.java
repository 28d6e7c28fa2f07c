package dev.numera.counter;

/** A counter's state with the version that the store gave to exactly this state: they come from one read or one write. */
public record Versioned(CounterState state, String version) {}
