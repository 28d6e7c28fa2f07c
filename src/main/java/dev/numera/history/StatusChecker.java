package dev.numera.history;

import dev.numera.history.KeyStatus.Kind;
import dev.numera.history.ObservedCall.Purpose;
import dev.numera.history.Violation.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides from all calls with keys of one sequence whether the statuses that callers observed contradict each other.
 *
 * <p>How it is designed: each answer that shows a status is a sighting of it, and so is each refusal that implies one,
 * and the ledger at the end. A status moves only from reserved to issued and from both to void, so the sightings of a
 * key are judged as those of a register that only grows: what was answered before a call was sent is not undone in its
 * answer. Each sighting also needs a call that can have caused it. Immutable.
 */
public final class StatusChecker {
    private final Map<String, OfKey> byKey = new LinkedHashMap<>();
    private final Map<String, KeyStatus> atEnd;

    private record Sighting(KeyStatus status, long startNanos, long answeredNanos, List<Observation> by) {}

    private static final class OfKey {
        final List<ObservedCall> calls = new ArrayList<>();
        final List<ObservedStatusChange> changes = new ArrayList<>();
    }

    /** @param atEnd of each key in the ledger, read when no call was under way */
    public StatusChecker(List<ObservedCall> calls, List<ObservedStatusChange> changes, Map<String, KeyStatus> atEnd) {
        for (ObservedCall call : calls) {
            String key = call.key();
            if (key != null) {
                byKey.computeIfAbsent(key, any -> new OfKey()).calls.add(call);
            }
        }
        changes.forEach(change ->
                byKey.computeIfAbsent(change.key(), any -> new OfKey()).changes.add(change));
        this.atEnd = Map.copyOf(atEnd);
    }

    /** At most a few for each key. */
    public List<Violation> violations() {
        List<Violation> violations = new ArrayList<>();
        byKey.forEach((key, of) -> {
            List<Sighting> sightings = sightings(key, of);
            of.calls.forEach(call -> requireAsRequested(call).ifPresent(violations::add));
            of.changes.forEach(change -> requireTrue(change, of).ifPresent(violations::add));
            requireOnward(sightings).ifPresent(violations::add);
            requireOneReason(sightings).ifPresent(violations::add);
            sightings.stream()
                    .filter(sighting -> !isCaused(sighting, of))
                    .findFirst()
                    .ifPresent(sighting ->
                            violations.add(violation("no call can have made it " + sighting.status(), sighting.by())));
            if (!sightings.isEmpty() && !atEnd.containsKey(key)) {
                violations.add(violation(
                        "the ledger does not hold the key", sightings.get(0).by()));
            }
        });
        return violations;
    }

    private List<Sighting> sightings(String key, OfKey of) {
        List<Sighting> sightings = new ArrayList<>();
        of.calls.forEach(call -> call.numbers()
                .map(ObservedOutcome.Allocated::status)
                .ifPresent(status -> sightings.add(sighting(status, call))));
        for (ObservedStatusChange change : of.changes) {
            KeyStatus seen = ObservedStatusChange.STATUS_FINAL.equals(change.problem())
                    ? KeyStatus.voided(null)
                    : change.answered();
            if (seen != null) {
                sightings.add(sighting(seen, change));
            }
        }
        KeyStatus last = atEnd.get(key);
        if (last != null) {
            List<Observation> all = new ArrayList<>(of.calls);
            all.addAll(of.changes);
            sightings.add(new Sighting(last, Long.MAX_VALUE, Long.MAX_VALUE, all));
        }
        sightings.sort(Comparator.comparingLong(Sighting::startNanos));
        return sightings;
    }

    private static Sighting sighting(KeyStatus status, Observation by) {
        return new Sighting(status, by.startNanos(), by.answeredNanos(), List.of(by));
    }

    /** New numbers have the status that their own call requested. */
    private static Optional<Violation> requireAsRequested(ObservedCall call) {
        KeyStatus requested = requested(call);
        return call.numbers()
                .filter(numbers -> requested != null && !numbers.replayed())
                .map(ObservedOutcome.Allocated::status)
                .filter(status -> !status.equals(requested))
                .map(status -> violation("requested as " + requested + ", answered as " + status, List.of(call)));
    }

    private static @Nullable KeyStatus requested(ObservedCall call) {
        return switch (call.purpose()) {
            case NUMBERS -> KeyStatus.ISSUED;
            case RESERVATION -> KeyStatus.RESERVED;
            case IMPORT, ADVANCE -> null;
        };
    }

    /** A change that was done shows what was wanted; a key is unknown only before its numbers were answered. */
    private static Optional<Violation> requireTrue(ObservedStatusChange change, OfKey of) {
        KeyStatus answered = change.answered();
        if (answered != null && !answered.agreesWith(change.wanted())) {
            return Optional.of(violation("wanted " + change.wanted() + ", answered as " + answered, List.of(change)));
        }
        if (!ObservedStatusChange.UNKNOWN_KEY.equals(change.problem())) {
            return Optional.empty();
        }
        return of.calls.stream()
                .filter(call -> call.numbers().isPresent() && call.answeredNanos() < change.startNanos())
                .findFirst()
                .map(call -> violation("the key was unknown after its numbers were answered", List.of(call, change)));
    }

    /** What was answered before a call was sent still holds in its answer, or something further does. */
    private static Optional<Violation> requireOnward(List<Sighting> byStart) {
        List<Sighting> byAnswered = byStart.stream()
                .sorted(Comparator.comparingLong(Sighting::answeredNanos))
                .toList();
        @Nullable Sighting furthest = null;
        int answered = 0;
        for (Sighting next : byStart) {
            while (byAnswered.get(answered).answeredNanos() < next.startNanos()) {
                Sighting earlier = byAnswered.get(answered++);
                furthest = furthest == null
                                || earlier.status()
                                                .kind()
                                                .compareTo(furthest.status().kind())
                                        > 0
                        ? earlier
                        : furthest;
            }
            if (furthest != null
                    && furthest.status().kind().compareTo(next.status().kind()) > 0) {
                return Optional.of(violation(
                        "it was " + furthest.status() + ", and later " + next.status(),
                        both(furthest.by(), next.by())));
            }
        }
        return Optional.empty();
    }

    private static Optional<Violation> requireOneReason(List<Sighting> sightings) {
        List<Sighting> voided = sightings.stream()
                .filter(sighting ->
                        sighting.status().isVoid() && sighting.status().reason() != null)
                .toList();
        return voided.stream()
                .filter(sighting -> !sighting.status().equals(voided.get(0).status()))
                .findFirst()
                .map(other -> violation(
                        "it was voided twice: " + voided.get(0).status() + " and " + other.status(),
                        both(voided.get(0).by(), other.by())));
    }

    /** A key that no call of this history can have taken had its status before. */
    private static boolean isCaused(Sighting sighting, OfKey of) {
        boolean isOlder = of.calls.stream().noneMatch(ObservedCall::canHaveTaken)
                || of.calls.stream().anyMatch(ObservedCall::isImport);
        return isOlder || isTaken(sighting, of) || isChanged(sighting, of);
    }

    private static boolean isTaken(Sighting sighting, OfKey of) {
        Kind kind = sighting.status().kind();
        return kind != Kind.VOID
                && of.calls.stream()
                        .anyMatch(call -> call.canHaveTaken()
                                && call.startNanos() <= sighting.answeredNanos()
                                && (call.purpose() == Purpose.RESERVATION) == (kind == Kind.RESERVED));
    }

    private static boolean isChanged(Sighting sighting, OfKey of) {
        return of.changes.stream()
                .anyMatch(change -> change.canHaveCaused(sighting.status(), sighting.answeredNanos()));
    }

    private static List<Observation> both(List<Observation> some, List<Observation> others) {
        List<Observation> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    private static Violation violation(String what, List<? extends Observation> calls) {
        return new Violation(Rule.STATUS_CONSISTENT, "key '" + calls.get(0).key() + "': " + what, calls);
    }
}
