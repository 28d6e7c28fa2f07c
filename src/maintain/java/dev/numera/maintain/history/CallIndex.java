package dev.numera.maintain.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls of a history, by their keys, and the allocations that they show. Thread-safe. */
final class CallIndex {
    private final List<ObservedCall> all;
    private final Map<String, List<ObservedCall>> byKey = new LinkedHashMap<>();
    private final List<ObservedAllocation> allocations = new ArrayList<>();

    CallIndex(List<ObservedCall> calls) {
        this.all = List.copyOf(calls);
        for (ObservedCall call : this.all) {
            String key = call.key();
            if (key != null) {
                byKey.computeIfAbsent(key, any -> new ArrayList<>()).add(call);
            } else {
                call.numbers()
                        .ifPresent(numbers -> allocations.add(
                                new ObservedAllocation(numbers, call.startNanos(), call.answeredNanos(), call)));
            }
        }
        byKey.values().forEach(this::addAllocationsOfKey);
    }

    /** A key whose answers differ has an allocation for each: they are judged by all other rules too. */
    private void addAllocationsOfKey(List<ObservedCall> ofKey) {
        long startNanos =
                ofKey.stream().mapToLong(ObservedCall::startNanos).min().orElseThrow();
        Set<List<Long>> seen = new HashSet<>();
        ofKey.stream()
                .filter(call -> call.numbers().isPresent())
                .sorted(Comparator.comparingLong(ObservedCall::answeredNanos))
                .filter(call -> seen.add(List.of(
                        call.numbers().orElseThrow().first(),
                        call.numbers().orElseThrow().last())))
                .forEach(call -> allocations.add(
                        new ObservedAllocation(call.numbers().orElseThrow(), startNanos, call.answeredNanos(), call)));
    }

    List<ObservedCall> all() {
        return all;
    }

    Map<String, List<ObservedCall>> byKey() {
        return Collections.unmodifiableMap(byKey);
    }

    List<ObservedAllocation> allocations() {
        return Collections.unmodifiableList(allocations);
    }

    List<ObservedCall> ofKey(String key) {
        return byKey.getOrDefault(key, List.of());
    }

    boolean isImported(@Nullable String key) {
        return key != null && ofKey(key).stream().anyMatch(ObservedCall::isImport);
    }

    /** False when the key must have had its numbers before this history began, or may have them by an import. */
    boolean beganHere(ObservedAllocation allocation) {
        String key = allocation.observed().key();
        if (isImported(key)) {
            return false;
        }
        return key == null || ofKey(key).stream().anyMatch(ObservedCall::canHaveTaken);
    }
}
