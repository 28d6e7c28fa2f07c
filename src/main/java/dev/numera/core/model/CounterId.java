package dev.numera.core.model;

/**
 * The id of a counter. A sequence has one counter for each period; the period is empty if the sequence is never reset.
 */
public record CounterId(SequenceName sequence, String period) {
    @Override
    public String toString() {
        return period.isEmpty() ? sequence.toString() : sequence + " " + period;
    }
}
