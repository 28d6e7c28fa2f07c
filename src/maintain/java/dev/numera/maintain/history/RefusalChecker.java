package dev.numera.maintain.history;

import dev.numera.maintain.history.Violation.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks that refused calls took no numbers. Thread-safe. */
final class RefusalChecker {
    private final Progression series;
    private final CallIndex calls;

    RefusalChecker(Progression series, CallIndex calls) {
        this.series = series;
        this.calls = calls;
    }

    /**
     * Every number before the highest one that was answered was answered too, or was taken by a call whose outcome is
     * unknown, as far as these may have taken so many until then: so no refused call took any.
     *
     * <p>A number precedes each higher one that was answered, so a call explains it only if it was sent before that
     * answer. For each gap, lowest first, the calls that may explain it therefore include those of the gaps before.
     */
    List<Violation> refusedConsumedNothing() {
        List<ObservedAllocation> byNumber = calls.allocations().stream()
                .sorted(Comparator.comparingLong(allocation -> allocation.begin(series)))
                .toList();
        long[] sentBefore = answeredFromHereOn(byNumber);
        List<ObservedCall> excuses = excuses();
        List<Violation> violations = new ArrayList<>();
        @Nullable ObservedAllocation before = null;
        long expected = series.position(series.start());
        long missing = 0;
        long excused = 0;
        int used = 0;
        for (int next = 0; next < byNumber.size(); next++) {
            ObservedAllocation after = byNumber.get(next);
            while (used < excuses.size() && excuses.get(used).startNanos() <= sentBefore[next]) {
                excused += excuses.get(used++).count();
            }
            long step = Math.abs(series.increment());
            long gap = Math.max(0, (after.begin(series) - expected) / step);
            missing += gap;
            if (gap > 0 && missing > excused) {
                violations.add(unexplained(before, after, gap, missing - excused));
                missing = excused;
            }
            if (after.end(series) + step > expected) {
                expected = after.end(series) + step;
                before = after;
            }
        }
        return violations;
    }

    /**
     * Of a history that holds every call of the sequence: each key that has numbers got them by a call that was not
     * refused. Its answers may all be replays where that call was not answered.
     */
    List<Violation> replaysExplained() {
        List<Violation> violations = new ArrayList<>();
        calls.byKey().forEach((key, ofKey) -> {
            boolean isReplayed = ofKey.stream().anyMatch(call -> call.numbers().isPresent());
            if (isReplayed && ofKey.stream().noneMatch(ObservedCall::canHaveTaken)) {
                violations.add(new Violation(
                        Rule.REFUSED_CONSUMED_NOTHING,
                        "key '" + key + "' has numbers, but every call that can have taken them was refused",
                        ofKey));
            }
        });
        return violations;
    }

    /** For each of them, when the first of it and of those after it was answered. */
    private static long[] answeredFromHereOn(List<ObservedAllocation> byNumber) {
        long[] earliest = new long[byNumber.size()];
        long least = Long.MAX_VALUE;
        for (int i = byNumber.size() - 1; i >= 0; i--) {
            least = Math.min(least, byNumber.get(i).answeredNanos());
            earliest[i] = least;
        }
        return earliest;
    }

    /**
     * The calls that may have taken numbers without an answer, in the order in which they were sent. A key takes
     * numbers once, however often it is sent.
     */
    private List<ObservedCall> excuses() {
        Stream<ObservedCall> keyless = calls.all().stream().filter(call -> call.key() == null);
        Stream<ObservedCall> keyed = calls.byKey().values().stream()
                .filter(ofKey -> ofKey.stream().allMatch(call -> call.numbers().isEmpty()))
                .flatMap(ofKey -> ofKey.stream()
                        .filter(ObservedCall::mayHaveCommittedUntold)
                        .min(Comparator.comparingLong(ObservedCall::startNanos))
                        .stream());
        return Stream.concat(keyless, keyed)
                .filter(ObservedCall::mayHaveCommittedUntold)
                .sorted(Comparator.comparingLong(ObservedCall::startNanos))
                .toList();
    }

    private Violation unexplained(
            @Nullable ObservedAllocation before, ObservedAllocation after, long gap, long unexplained) {
        String place = before == null
                ? "before the first answer"
                : "after " + before.numbers().last();
        return new Violation(
                Rule.REFUSED_CONSUMED_NOTHING,
                "numbers are missing " + place + " (" + gap + ")" + ", and no call explains " + unexplained
                        + " of them",
                before == null ? List.of(after.observed()) : List.of(before.observed(), after.observed()));
    }
}
