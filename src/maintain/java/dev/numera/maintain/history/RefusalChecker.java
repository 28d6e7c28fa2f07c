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
     * Checks that every number below the highest answered one was answered too, or is explained by a call with an
     * unknown outcome.
     *
     * <p>A call can explain a gap only if the caller sent it before the first answer with a higher number. The gaps are
     * checked from the lowest up. A call that may explain a lower gap may also explain each higher one, so the check
     * compares totals: the numbers missing so far, and the numbers that such calls requested so far.
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
     * Checks that each key with numbers has a call that was not refused. If the call that took the numbers got no
     * answer, all answers of its key may be replays.
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

    /** Returns, for each allocation, the earliest time at which it or any later allocation in the list was answered. */
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
     * Returns the calls that may have taken numbers without an answer, in the order in which they were sent. A key
     * takes numbers only once, so only its first such call counts.
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
