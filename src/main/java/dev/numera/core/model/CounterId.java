package dev.numera.core.model;

/** Which counter: a sequence has one for each of its periods. The period is empty where a sequence is never reset. */
public record CounterId(SequenceName sequence, String period) {
    @Override
    public String toString() {
        return period.isEmpty() ? sequence.toString() : sequence + " " + period;
    }
}
