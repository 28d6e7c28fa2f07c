package dev.numera.functions;

import dev.numera.model.SequenceName;
import dev.numera.sequence.Bulkhead;

/**
 * The queue's slots of an instance, as host.json has them: how many messages it processes at once. One sequence takes
 * at most a third of them, so that its messages never keep those of others waiting, however many there are and however
 * long each takes. Thread-safe; nothing waits here.
 */
public final class QueueSlots {
    public static final int BATCH_SIZE = 16;
    public static final int NEW_BATCH_THRESHOLD = 8;
    /** How many messages of one sequence are processed at once. */
    public static final int FOR_EACH_SEQUENCE = (BATCH_SIZE + NEW_BATCH_THRESHOLD) / 3;

    private final Bulkhead taken = new Bulkhead(FOR_EACH_SEQUENCE);

    /**
     * Processes a message of the sequence in one of its slots; where they are all taken, does the other thing instead.
     */
    public void use(SequenceName sequence, Runnable process, Runnable whenTaken) {
        taken.call(
                sequence,
                () -> {
                    process.run();
                    return sequence;
                },
                () -> {
                    whenTaken.run();
                    return sequence;
                });
    }
}
