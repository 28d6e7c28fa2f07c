package dev.numera.core.problem;

import java.util.Arrays;

/**
 * The kinds of refusal, as RFC 9457 problem types {@code urn:problem-type:numera:NAME}. HTTP, queue and batch answers
 * share them.
 */
public enum ProblemType {
    INVALID_REQUEST(400, false, "The request is not valid"),
    KEY_REQUIRED(400, false, "The sequence needs a key for every allocation"),
    KEY_REFUSED(400, false, "The sequence does not accept keys"),
    RIGHTS_MISSING(403, false, "The rights do not suffice for the call"),
    UNKNOWN_SEQUENCE(404, false, "There is no such sequence"),
    UNKNOWN_BATCH(404, false, "There is no such batch"),
    UNKNOWN_IMPORT(404, false, "There is no such import"),
    UNKNOWN_KEY(404, false, "The key is unknown"),
    UNKNOWN_MESSAGE(404, false, "There is no such message"),
    EXHAUSTED(409, false, "Fewer numbers are left than requested"),
    IMMUTABLE_FIELD(409, false, "The field cannot be changed after the first number"),
    TEXTS_COULD_REPEAT(409, false, "Two numbers could have the same text"),
    TEXTS_TOO_LONG(409, false, "A text could be longer than the sequence allows"),
    TOO_MANY_FORMATS(409, false, "The sequence has had too many formats"),
    DATE_ORDER(409, false, "A number with a later date is already allocated"),
    NUMBER_TAKEN(409, false, "The number is taken"),
    KEY_VOID(409, false, "The numbers of the key are void"),
    STATUS_FINAL(409, false, "The status of the key is final"),
    NOT_FOR_GUARANTEE(409, false, "Not available for this guarantee"),
    RETIRED(410, false, "The sequence is retired"),
    LENGTH_REQUIRED(411, false, "The body needs a Content-Length"),
    PRECONDITION_FAILED(412, false, "The definition does not match the precondition"),
    TOO_LARGE(413, false, "The request is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, false, "The media type of the body is not supported"),
    KEY_REUSED(422, false, "The key belongs to another request"),
    TEXT_UNREADABLE(422, false, "The text does not belong to this sequence"),
    PRECONDITION_REQUIRED(428, false, "The request needs a precondition"),
    CONTENTION(503, true, "Too many concurrent writes"),
    OUTCOME_UNKNOWN(503, true, "The outcome of the write is unknown"),
    OVERLOADED(503, true, "Too many requests are in progress"),
    SUSPENDED(503, false, "The sequence is suspended"),
    ROLLED_BACK(503, false, "The counter was rolled back"),
    STORAGE_UNAVAILABLE(503, true, "Storage is unavailable"),
    CLOCK_BEHIND(503, true, "The instance's clock is behind"),
    NEEDS_NEWER_VERSION(503, false, "The sequence needs a newer version of the app"),
    MISCONFIGURED(503, false, "A setting is invalid");

    private final int status;
    private final boolean isTransient;
    private final String title;

    ProblemType(int status, boolean isTransient, String title) {
        this.status = status;
        this.isTransient = isTransient;
        this.title = title;
    }

    /** Returns the HTTP status of answers with this problem. */
    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    public String urn() {
        return "urn:problem-type:numera:" + EnumWord.of(this);
    }

    /** @throws IllegalArgumentException if no problem type has this URN */
    public static ProblemType ofUrn(String urn) {
        return Arrays.stream(values())
                .filter(type -> type.urn().equals(urn))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no problem type " + urn + "."));
    }

    /** Whether the same request may succeed later without any action by a person. */
    public boolean isTransient() {
        return isTransient;
    }

    /**
     * Whether the service failed and the request is valid: the request may succeed once the failure is over, by itself
     * or by an operator's action.
     */
    public boolean isTroubleOfTheService() {
        return status == 503;
    }
}
