package dev.numera.maintain.prove;

import java.util.Optional;
import java.util.SplittableRandom;

/** The faults that the proxy of {@code --faults} injects. A request names its fault in {@link #HEADER}. */
enum ProofFault {
    /** The app processes the call and answers, but the caller sees the connection close. */
    ANSWER_LOST("answer-lost"),
    /** The app never receives the call; the caller sees the connection close. */
    REQUEST_LOST("request-lost"),
    /** The app receives the call twice in a row, and the caller gets the second answer. */
    REPEATED("repeated"),
    /** The caller sees the connection close; the app receives the call a moment later. */
    SENT_LATE("sent-late");

    /** The header that names the fault. The proxy removes it before it forwards the request. */
    static final String HEADER = "Numera-Prove-Fault";

    private static final double CHANCE = 0.1;

    /** The name in the header and in the history files. */
    final String word;

    ProofFault(String word) {
        this.word = word;
    }

    static Optional<ProofFault> draw(SplittableRandom random) {
        ProofFault drawn = values()[random.nextInt(values().length)];
        return random.nextDouble() < CHANCE ? Optional.of(drawn) : Optional.empty();
    }
}
