package dev.numera.functions;

/** The names of the queues, and the values of host.json that the code depends on. */
public final class Queues {
    public static final String REQUESTS = "numbering-requests";
    public static final String RESULTS = "numbering-results";

    /** The name that the host chooses for the queue of messages that failed too often. */
    public static final String POISON = REQUESTS + "-poison";

    /**
     * The value of {@code extensions.queues.messageEncoding} in host.json. With the default, the host would reject
     * every message that is not in Base64.
     */
    public static final String MESSAGE_ENCODING = "none";

    /** The value of {@code extensions.queues.maxDequeueCount} in host.json: how often a message is delivered. */
    public static final int MAX_DELIVERIES = 20;

    /** The value of {@code extensions.queues.batchSize} in host.json. */
    public static final int BATCH_SIZE = 16;

    /** The value of {@code extensions.queues.newBatchThreshold} in host.json. */
    public static final int NEW_BATCH_THRESHOLD = 8;

    /**
     * The most messages of one sequence that an instance processes at once: a third of its total. However many messages
     * a sequence has, and however slow they are, room remains for other sequences.
     */
    public static final int SLOTS_FOR_EACH_SEQUENCE = (BATCH_SIZE + NEW_BATCH_THRESHOLD) / 3;

    private Queues() {}
}
