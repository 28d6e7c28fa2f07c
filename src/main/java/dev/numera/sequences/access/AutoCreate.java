package dev.numera.sequences.access;

/** The unknown sequences that the first call of {@code next} creates. */
public enum AutoCreate {
    /** Every sequence: from the template for its name if one exists, otherwise with the defaults. */
    ALWAYS,
    /** Sequences whose name has a template in the scope {@code ~}. */
    TEMPLATE,
    /** No sequence. */
    NEVER
}
