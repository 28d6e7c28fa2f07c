package dev.numera.functions;

/** The queues' names and the encoding that the host is to apply to their messages. */
final class Queues {
    static final String REQUESTS = "numbering-requests";
    static final String RESULTS = "numbering-results";
    /** As the host names it, which sends messages there that failed too often. */
    static final String POISON = REQUESTS + "-poison";
    /** {@code extensions.queues.messageEncoding} of host.json: with the default the host would let no plain message through. */
    static final String MESSAGE_ENCODING = "none";

    private Queues() {}
}
