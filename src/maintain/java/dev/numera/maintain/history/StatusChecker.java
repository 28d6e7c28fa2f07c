package dev.numera.maintain.history;

import dev.numera.maintain.history.KeyStatus.Kind;
import dev.numera.maintain.history.ObservedCall.Purpose;
import dev.numera.maintain.history.Violation.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the statuses that callers observed contradict each other. Takes all calls with keys of one sequence.
 *
 * <p>Each answer with a status is a sighting. So are each refusal that implies a status, and the ledger at the end. A
 * status changes only from reserved to issued, and from either to void. So if one answer showed "void" before another
 * call was sent, that call's answer must show "void" as well. Each sighting also needs a call that can have caused it.
 * Immutable.
 */
public final class StatusChecker {
    /** The calls of each key, followed by the changes of its status. */
    private final Map<String, List<Observation>> byKey = new LinkedHashMap<>();

    private final Map<String, KeyStatus> atEnd;

    private record Sighting(KeyStatus status, long startNanos, long answeredNanos, List<Observation> by) {}

    /** @param atEnd the status of each key in the ledger, read while no call was in progress */
    public StatusChecker(List<ObservedCall> calls, List<ObservedStatusChange> changes, Map<String, KeyStatus> atEnd) {
        Stream.<Observation>concat(calls.stream(), changes.stream()).forEach(observed -> {
            String key = observed.key();
            if (key != null) {
                byKey.computeIfAbsent(key, any -> new ArrayList<>()).add(observed);
            }
        });
        this.atEnd = Map.copyOf(atEnd);
    }

    /** Returns the contradictions, at most a few for each key. */
    public List<Violation> violations() {
        List<Violation> violations = new ArrayList<>();
        byKey.forEach((key, all) -> {
            List<ObservedCall> calls = of(all, ObservedCall.class);
            List<ObservedStatusChange> changes = of(all, ObservedStatusChange.class);
            List<Sighting> sightings = sightings(key, all);
            calls.forEach(call -> requireAsRequested(call).ifPresent(violations::add));
            changes.forEach(change -> requireTrue(change, calls).ifPresent(violations::add));
            requireOnward(sightings).ifPresent(violations::add);
            requireOneReason(sightings).ifPresent(violations::add);
            sightings.stream()
                    .filter(sighting -> !isCaused(sighting, calls, changes))
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

    private static <T extends Observation> List<T> of(List<Observation> all, Class<T> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private List<Sighting> sightings(String key, List<Observation> all) {
        List<Sighting> sightings = new ArrayList<>();
        for (Observation observed : all) {
            KeyStatus seen = seen(observed);
            if (seen != null) {
                sightings.add(new Sighting(seen, observed.startNanos(), observed.answeredNanos(), List.of(observed)));
            }
        }
        KeyStatus last = atEnd.get(key);
        if (last != null) {
            sightings.add(new Sighting(last, Long.MAX_VALUE, Long.MAX_VALUE, all));
        }
        sightings.sort(Comparator.comparingLong(Sighting::startNanos));
        return sightings;
    }

    /** Returns the status that an answer shows or a refusal implies; null if it shows none. */
    private static @Nullable KeyStatus seen(Observation observed) {
        if (observed instanceof ObservedStatusChange change) {
            return ObservedStatusChange.STATUS_FINAL.equals(change.problem())
                    ? KeyStatus.voided(null)
                    : change.answered();
        }
        return observed instanceof ObservedCall call && call.outcome() instanceof ObservedOutcome.Allocated numbers
                ? numbers.status()
                : null;
    }

    /** Checks that new numbers have the status that their caller requested. */
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

    /**
     * Checks that a confirmed change shows the requested status, and that no key is reported as unknown after its
     * numbers were answered.
     */
    private static Optional<Violation> requireTrue(ObservedStatusChange change, List<ObservedCall> calls) {
        KeyStatus answered = change.answered();
        if (answered != null && !answered.agreesWith(change.wanted())) {
            return Optional.of(violation("wanted " + change.wanted() + ", answered as " + answered, List.of(change)));
        }
        if (!ObservedStatusChange.UNKNOWN_KEY.equals(change.problem())) {
            return Optional.empty();
        }
        return calls.stream()
                .filter(call -> call.numbers().isPresent() && call.answeredNanos() < change.startNanos())
                .findFirst()
                .map(call -> violation("the key was unknown after its numbers were answered", List.of(call, change)));
    }

    /** Checks that no answer shows an earlier status than an answer that was complete before its call was sent. */
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

    /**
     * Whether some call can have caused the sighting. Always true for a key whose numbers are older than this history,
     * because the calls before it are not recorded.
     */
    private static boolean isCaused(Sighting sighting, List<ObservedCall> calls, List<ObservedStatusChange> changes) {
        boolean isOlder = calls.stream().noneMatch(ObservedCall::canHaveTaken)
                || calls.stream().anyMatch(ObservedCall::isImport);
        return isOlder || isTaken(sighting, calls) || isChanged(sighting, changes);
    }

    private static boolean isTaken(Sighting sighting, List<ObservedCall> calls) {
        Kind kind = sighting.status().kind();
        return kind != Kind.VOID
                && calls.stream()
                        .anyMatch(call -> call.canHaveTaken()
                                && call.startNanos() <= sighting.answeredNanos()
                                && (call.purpose() == Purpose.RESERVATION) == (kind == Kind.RESERVED));
    }

    private static boolean isChanged(Sighting sighting, List<ObservedStatusChange> changes) {
        return changes.stream().anyMatch(change -> change.canHaveCaused(sighting.status(), sighting.answeredNanos()));
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
