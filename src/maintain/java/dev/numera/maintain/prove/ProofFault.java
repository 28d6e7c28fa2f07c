package dev.numera.maintain.prove;

import java.util.Optional;
import java.util.SplittableRandom;

/** What the proxy of {@code --faults} does to a call that names it in {@link #HEADER}. */
enum ProofFault {
    /** The app gets the call and answers; the caller sees the connection close. */
    ANSWER_LOST("answer-lost"),
    /** The app never gets the call; the caller sees the connection close. */
    REQUEST_LOST("request-lost"),
    /** The app gets the call twice, one after the other, and the caller gets the second answer. */
    REPEATED("repeated"),
    /** The caller sees the connection close, and the app gets the call a moment later. */
    SENT_LATE("sent-late");

    /** The proxy takes it off, so that the app never gets it. */
    static final String HEADER = "Numera-Prove-Fault";

    private static final double CHANCE = 0.1;

    /** As the header and the files name it. */
    final String word;

    ProofFault(String word) {
        this.word = word;
    }

    static Optional<ProofFault> draw(SplittableRandom random) {
        ProofFault drawn = values()[random.nextInt(values().length)];
        return random.nextDouble() < CHANCE ? Optional.of(drawn) : Optional.empty();
    }
}
