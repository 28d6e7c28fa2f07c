package dev.numera.client;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of an object in an answer. Fields that this version does not know are ignored. */
record Fields(Map<String, Object> values) {
    @SuppressWarnings("unchecked")
    static Fields of(Object json) {
        return new Fields((Map<String, Object>) json);
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** @throws IllegalArgumentException the field is missing or has another type */
    void require(String name, Class<?> type) {
        if (!type.isInstance(values.get(name))) {
            throw new IllegalArgumentException("The answer is of another server: it has no valid '" + name + "'.");
        }
    }

    String string(String name) {
        return (String) values.get(name);
    }

    long number(String name) {
        return (Long) values.get(name);
    }

    int count() {
        return has("count") ? Math.toIntExact(number("count")) : 0;
    }

    boolean is(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    long numberOrZero(String name) {
        return has(name) ? number(name) : 0;
    }

    LocalDate date(String name) {
        return has(name) ? LocalDate.parse(string(name)) : null;
    }

    Instant instant(String name) {
        return has(name) ? Instant.parse(string(name)) : null;
    }

    String status() {
        return has("status") ? string("status") : "issued";
    }

    List<StatusChange> history() {
        return has("history")
                ? list("history").stream().map(Fields::of).map(StatusChange::of).toList()
                : List.of();
    }

    List<String> texts() {
        return has("texts") ? list("texts").stream().map(String.class::cast).toList() : List.of();
    }

    List<?> list(String name) {
        return (List<?>) values.get(name);
    }

    Optional<NumeraProblem> problem() {
        return Optional.ofNullable(values.get("problem"))
                .map(Fields::of)
                .map(problem -> new NumeraProblem(Math.toIntExact(problem.number("status")), problem.values(), null));
    }
}
