package dev.numera.functions.batch;

/** The queues' names and the encoding that the host is to apply to their messages. */
public final class Queues {
    public static final String REQUESTS = "numbering-requests";
    public static final String RESULTS = "numbering-results";
    /** As the host names it, which sends messages there that failed too often. */
    public static final String POISON = REQUESTS + "-poison";
    /**
     * {@code extensions.queues.messageEncoding} of host.json: with the default the host would let no plain message
     * through.
     */
    static final String MESSAGE_ENCODING = "none";

    /** {@code extensions.queues.maxDequeueCount} of host.json: how often a message is delivered. */
    static final int MAX_DELIVERIES = 20;

    private Queues() {}
}
