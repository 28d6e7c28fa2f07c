package dev.numera.core.model;

/** The order that the dates of successive numbers in a period must have. */
public enum DateOrder {
    NONE,
    /** No date is earlier than the date of the last allocation. */
    ASCENDING
}
