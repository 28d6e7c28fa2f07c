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

/** The calls of a history, indexed by key, and the allocations that their answers show. Thread-safe. */
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

    /**
     * Adds one allocation for each distinct answer of a key. If one key got two different answers, the checks for
     * duplicates and order see both.
     */
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

    /**
     * Whether this history contains the call that allocated these numbers. False for imported keys, and for keys that
     * were only replayed because their numbers are older than the history.
     */
    boolean beganHere(ObservedAllocation allocation) {
        String key = allocation.observed().key();
        if (isImported(key)) {
            return false;
        }
        return key == null || ofKey(key).stream().anyMatch(ObservedCall::canHaveTaken);
    }
}
