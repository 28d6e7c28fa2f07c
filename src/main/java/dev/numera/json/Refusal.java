package dev.numera.json;

/** What is thrown for a value that is not as its reader needs it. */
@FunctionalInterface
public interface Refusal {
    /**
     * @param place of the value, such as {@code entries[2][1]}
     * @param reason reads on after the place, without a full stop, as in "must be a string, not 5"
     */
    RuntimeException because(String place, String reason);
}
