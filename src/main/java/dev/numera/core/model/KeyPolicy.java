package dev.numera.core.model;

/** Whether an allocation from a strict sequence may lack a key. */
public enum KeyPolicy {
    OPTIONAL,
    /** A call without a key is refused, because a retry of such a call would allocate other numbers. */
    REQUIRED
}
