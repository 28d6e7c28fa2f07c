package dev.numera.problem;

import java.util.Arrays;

/**
 * The kinds of refusal, as RFC 9457 problem types {@code urn:problem-type:numera:NAME}. One list for HTTP, queue and
 * batch answers.
 */
public enum ProblemType {
    INVALID_REQUEST(400, "The request is not valid"),
    KEY_REQUIRED(400, "The sequence needs a key for every allocation"),
    KEY_REFUSED(400, "The sequence takes no keys"),
    UNKNOWN_SEQUENCE(404, "There is no such sequence"),
    UNKNOWN_BATCH(404, "There is no such batch"),
    UNKNOWN_IMPORT(404, "There is no such import"),
    UNKNOWN_KEY(404, "Nothing stands under the key"),
    UNKNOWN_MESSAGE(404, "There is no such message"),
    EXHAUSTED(409, "The numbers of the sequence are used up"),
    IMMUTABLE_FIELD(409, "The field is fixed since the first number"),
    TEXTS_COULD_REPEAT(409, "The format could give one text to two numbers"),
    TEXTS_TOO_LONG(409, "A text could be longer than the sequence allows"),
    TOO_MANY_FORMATS(409, "The sequence had too many formats"),
    DATE_ORDER(409, "A number of a later date is given already"),
    NUMBER_TAKEN(409, "The number is taken"),
    KEY_VOID(409, "The numbers of the key are void"),
    STATUS_FINAL(409, "The status of the key is final"),
    NOT_FOR_GUARANTEE(409, "This kind of sequence does not have it"),
    RETIRED(410, "The sequence is retired"),
    LENGTH_REQUIRED(411, "The body needs a Content-Length"),
    PRECONDITION_FAILED(412, "The definition is not the expected one"),
    TOO_LARGE(413, "The request is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "The media type of the body is not supported"),
    KEY_REUSED(422, "The key stands for another request"),
    TEXT_UNREADABLE(422, "The text is none of this sequence"),
    PRECONDITION_REQUIRED(428, "The request needs a precondition"),
    CONTENTION(503, "Other writers were faster"),
    OUTCOME_UNKNOWN(503, "The outcome of the write is unknown"),
    OVERLOADED(503, "Too many calls wait for the sequence"),
    ROLLED_BACK(503, "The counter has gone back"),
    STORAGE_UNAVAILABLE(503, "The storage cannot be used"),
    CLOCK_BEHIND(503, "The clock of the instance went back"),
    NEEDS_NEWER_VERSION(503, "The sequence needs a newer version of the app"),
    MISCONFIGURED(503, "A setting is wrong");

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The HTTP status that goes with it. */
    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    public String urn() {
        return "urn:problem-type:numera:" + Word.of(this);
    }

    /** @throws IllegalArgumentException if there is none of this name */
    public static ProblemType ofUrn(String urn) {
        return Arrays.stream(values())
                .filter(type -> type.urn().equals(urn))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no problem type " + urn + "."));
    }

    /** Whether the same request may succeed later without anybody's doing. */
    public boolean isTransient() {
        return switch (this) {
            case CONTENTION, OUTCOME_UNKNOWN, OVERLOADED, STORAGE_UNAVAILABLE, CLOCK_BEHIND -> true;
            default -> false;
        };
    }

    /**
     * Whether there is nothing wrong with the request: once the trouble is over, by itself or by somebody's doing, it
     * may succeed.
     */
    public boolean isTroubleOfTheService() {
        return status == 503;
    }
}
