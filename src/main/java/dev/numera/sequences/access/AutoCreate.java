package dev.numera.sequences.access;

/** Which sequences are created by their first request for numbers: all, those with a template, or none. */
public enum AutoCreate {
    /** Every sequence: from the template for its name if one exists, otherwise with the defaults. */
    ALWAYS,
    /** Sequences whose name has a template in the scope {@code ~}. */
    TEMPLATE,
    /** No sequence. */
    NEVER
}
