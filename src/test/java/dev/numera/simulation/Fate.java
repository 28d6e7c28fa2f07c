package dev.numera.simulation;

import java.util.List;

/** The outcome of a request in an enumerated schedule. */
enum Fate {
    /** The request is done, and its answer arrives before any other step of its process. */
    DONE,
    /** The request is not sent, and its sender knows that. */
    REFUSED,
    /** No answer arrives in time. A write is done at any later step, or never. */
    UNANSWERED,
    /** A write is done twice, and the second answer arrives. */
    TWICE,
    /** A write is done, and its answer lacks the version. */
    WITHOUT_VERSION,
    /** The request is done, and its answer arrives after the deadline of every call in progress. */
    SLOW,
    /** The process dies. A write is done at any later step, or never. */
    CRASHED;

    static final List<Fate> OF_A_READ = List.of(DONE, UNANSWERED, SLOW);
    static final List<Fate> OF_A_WRITE = List.of(values());
    /** The fates of a request that only reads or writes the definition: it never fails. */
    static final List<Fate> OF_A_DEFINITION = List.of(DONE);

    boolean isFault() {
        return this != DONE;
    }
}
