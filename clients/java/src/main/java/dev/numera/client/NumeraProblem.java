package dev.numera.client;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A refusal: the same request would not succeed now. */
public final class NumeraProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String NUMERA = "urn:problem-type:numera:";

    private final int status;
    // A HashMap can be serialized, as the values can.
    private final HashMap<String, Object> fields;
    private final Duration retryAfter;

    NumeraProblem(int status, Map<String, Object> fields, Duration retryAfter) {
        super(detail(fields).orElse("The server answered " + status + "."));
        this.status = status;
        this.fields = new HashMap<>(fields);
        this.retryAfter = retryAfter;
    }

    static boolean isNumeras(Map<String, Object> fields) {
        return fields.get("type") instanceof String type && type.startsWith(NUMERA);
    }

    /** Another server's detail may have any type. */
    private static Optional<String> detail(Map<String, Object> fields) {
        return Optional.ofNullable(fields.get("detail"))
                .filter(String.class::isInstance)
                .map(String.class::cast);
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The last part of Numera's {@code type}, such as {@code exhausted}; empty in another server's answer. */
    public String kind() {
        return isNumeras(fields) ? ((String) fields.get("type")).substring(NUMERA.length()) : "";
    }

    /** A sentence that says why the request was refused and how to correct it. */
    public Optional<String> detail() {
        return detail(fields);
    }

    /** The time after which a retry may succeed. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** All fields of the answer, as maps, lists, strings, booleans and {@code Long} or {@code Double}. */
    public Map<String, Object> fields() {
        return Collections.unmodifiableMap(fields);
    }

    /** The allocation of the key, if the problem contains one. */
    public Optional<Allocation> allocation() {
        return Optional.ofNullable(fields.get("allocation")).map(Fields::of).map(Allocation::of);
    }
}
