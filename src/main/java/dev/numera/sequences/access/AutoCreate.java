package dev.numera.sequences.access;

/** Which unknown sequences the first {@code next} creates. */
public enum AutoCreate {
    /** Every one: from the template of its name if there is one, else with the defaults. */
    ALWAYS,
    /** Those whose name has a template in the scope {@code ~}. */
    TEMPLATE,
    /** None. */
    NEVER
}
