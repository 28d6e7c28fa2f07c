package dev.numera.core.model;

/** In which order the dates of a period's numbers may come. */
public enum DateOrder {
    NONE,
    /** Never one before the last one. */
    ASCENDING
}
