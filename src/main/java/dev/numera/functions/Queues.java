package dev.numera.functions;

/** The queues' names, and what host.json says of their messages. */
public final class Queues {
    public static final String REQUESTS = "numbering-requests";
    public static final String RESULTS = "numbering-results";

    /** As the host names it, which sends messages there that failed too often. */
    public static final String POISON = REQUESTS + "-poison";

    /**
     * {@code extensions.queues.messageEncoding} of host.json: with the default the host would let no plain message
     * through.
     */
    public static final String MESSAGE_ENCODING = "none";

    /** {@code extensions.queues.maxDequeueCount} of host.json: how often a message is delivered. */
    public static final int MAX_DELIVERIES = 20;

    /** {@code extensions.queues.batchSize} of host.json. */
    public static final int BATCH_SIZE = 16;

    /** {@code extensions.queues.newBatchThreshold} of host.json. */
    public static final int NEW_BATCH_THRESHOLD = 8;

    /**
     * How many messages of one sequence an instance processes at once: a third of those that it processes in all, so
     * that its messages never keep those of others waiting, however many there are and however long each takes.
     */
    public static final int SLOTS_FOR_EACH_SEQUENCE = (BATCH_SIZE + NEW_BATCH_THRESHOLD) / 3;

    private Queues() {}
}
