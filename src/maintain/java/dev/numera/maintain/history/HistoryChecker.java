package dev.numera.maintain.history;

import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.Violation.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a sequence kept its promises, using only the calls that its callers recorded (one period, no cycle). A
 * violation proves that a promise was broken. A history without violations proves nothing about other histories.
 *
 * <p>The checker first turns answers into allocations. An answer without a key is one allocation. All equal answers of
 * one key are one allocation, made after the key was first sent and before it was first answered, whichever call caused
 * it. Replays therefore need no special case, and each rule is a sort and one sweep: a million calls take seconds.
 *
 * <p>The history must contain every call with one of its keys. The exception is a key that has only replays, and no
 * call that may have caused them: it got its numbers before the history started, and its order is not checked.
 * Thread-safe.
 */
public final class HistoryChecker {
    private final Progression series;
    private final CallIndex calls;
    private final RefusalChecker refusals;
    private final LedgerComparison ledgers;

    public HistoryChecker(Progression series, List<ObservedCall> calls) {
        this.series = series;
        this.calls = new CallIndex(calls);
        this.refusals = new RefusalChecker(series, this.calls);
        this.ledgers = new LedgerComparison(series, this.calls);
    }

    /** Checks everything that {@code cached} promises. */
    public List<Violation> cached() {
        return Stream.of(shape(), oneKeyOneAllocation(), distinct())
                .flatMap(List::stream)
                .toList();
    }

    /** Checks everything that {@code strict} promises. */
    public List<Violation> strict() {
        return Stream.of(cached(), realTimeOrder()).flatMap(List::stream).toList();
    }

    /**
     * Checks everything that {@code gapless} promises.
     *
     * @param ledger the whole ledger in the order of the numbers, read while no call was in progress
     */
    public List<Violation> gapless(List<LedgerEntry> ledger) {
        return Stream.of(strict(), ledgerComplete(ledger), ledgerAsTold(ledger))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Checks everything that {@code strict} promises in a run where only calls with an unknown outcome may have lost
     * numbers between commit and answer. The history must contain no imports.
     *
     * @param ledger the whole ledger of the calls with keys, read while no call was in progress
     */
    public List<Violation> strictWithoutLoss(List<LedgerEntry> ledger) {
        return Stream.of(strict(), refusedConsumedNothing(), ledgerOfKeysAsTold(ledger))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Checks that each answer has as many numbers as requested, all of the series and in its order, and that only calls
     * with a key are replayed.
     */
    public List<Violation> shape() {
        List<Violation> violations = new ArrayList<>();
        for (ObservedCall call : calls.all()) {
            call.numbers()
                    .flatMap(numbers -> misshape(call, numbers))
                    .ifPresent(what -> violations.add(new Violation(Rule.SHAPE, what, List.of(call))));
        }
        return violations;
    }

    private Optional<String> misshape(ObservedCall call, Allocated observed) {
        if (observed.count() != call.count()) {
            return Optional.of("requested " + call.count() + ", got " + observed.count());
        }
        if (observed.increment() != series.increment()
                || observed.last() - observed.first() != (observed.count() - 1) * series.increment()) {
            return Optional.of("last is not first + (count - 1) * " + series.increment());
        }
        boolean isOfSeries = calls.isImported(call.key())
                ? series.mayBeImported(observed.first()) && series.mayBeImported(observed.last())
                : series.contains(observed.first()) && series.contains(observed.last());
        if (!isOfSeries) {
            return Optional.of("not numbers of " + series);
        }
        return observed.replayed() && call.key() == null ? Optional.of("replayed without a key") : Optional.empty();
    }

    /** Checks that all answers of a key are the same. */
    public List<Violation> oneKeyOneAllocation() {
        List<Violation> violations = new ArrayList<>();
        calls.byKey().forEach((key, ofKey) -> {
            List<ObservedCall> answered =
                    ofKey.stream().filter(call -> call.numbers().isPresent()).toList();
            answered.stream()
                    .filter(call -> !call.numbers()
                            .orElseThrow()
                            .sameAs(answered.get(0).numbers().orElseThrow()))
                    .findFirst()
                    .ifPresent(other -> violations.add(new Violation(
                            Rule.ONE_KEY_ONE_ALLOCATION,
                            "key '" + key + "' got two allocations",
                            List.of(answered.get(0), other))));
        });
        return violations;
    }

    /** Checks that no two allocations share a number. */
    public List<Violation> distinct() {
        List<ObservedAllocation> byNumber = new ArrayList<>(calls.allocations());
        byNumber.sort(Comparator.comparingLong(this::laneOf)
                .thenComparingLong(ObservedAllocation::lowest)
                .thenComparingLong(allocation -> allocation.observed().startNanos()));
        List<Violation> violations = new ArrayList<>();
        @Nullable ObservedAllocation reaching = null;
        for (ObservedAllocation next : byNumber) {
            if (reaching == null || laneOf(reaching) != laneOf(next)) {
                reaching = next;
                continue;
            }
            if (next.lowest() <= reaching.highest()) {
                violations.add(new Violation(
                        Rule.DISTINCT,
                        "number " + next.lowest() + " was allocated twice",
                        List.of(reaching.observed(), next.observed())));
            }
            if (next.highest() > reaching.highest()) {
                reaching = next;
            }
        }
        return violations;
    }

    /** Checks that a number answered before another was requested precedes it. Imported numbers have no order. */
    public List<Violation> realTimeOrder() {
        List<ObservedAllocation> judged =
                calls.allocations().stream().filter(calls::beganHere).toList();
        List<ObservedAllocation> byAsked = judged.stream()
                .sorted(Comparator.comparingLong(ObservedAllocation::startNanos))
                .toList();
        List<ObservedAllocation> byAnswered = judged.stream()
                .sorted(Comparator.comparingLong(ObservedAllocation::answeredNanos))
                .toList();
        List<Violation> violations = new ArrayList<>();
        @Nullable ObservedAllocation furthest = null;
        int answered = 0;
        for (ObservedAllocation next : byAsked) {
            while (byAnswered.get(answered).answeredNanos() < next.startNanos()) {
                ObservedAllocation earlier = byAnswered.get(answered++);
                furthest = furthest == null || earlier.end(series) > furthest.end(series) ? earlier : furthest;
            }
            if (furthest != null && furthest.end(series) >= next.begin(series)) {
                violations.add(new Violation(
                        Rule.REAL_TIME_ORDER,
                        next.numbers().first() + " was requested after "
                                + furthest.numbers().last() + " had been answered",
                        List.of(furthest.observed(), next.observed())));
            }
        }
        return violations;
    }

    /**
     * Checks that, from the start of the series on, each ledger entry starts where the previous one ended. Imports
     * before the start are ignored.
     */
    public List<Violation> ledgerComplete(List<LedgerEntry> ledger) {
        return ledgers.ledgerComplete(ledger);
    }

    /**
     * Checks that the ledger contains each answered key and each advance once, with the numbers that were answered. Any
     * other entry must belong to a call whose outcome is unknown.
     */
    public List<Violation> ledgerAsTold(List<LedgerEntry> ledger) {
        return ledgers.ledgerAsTold(ledger);
    }

    /** Like {@link #ledgerAsTold}, for a sequence whose calls without a key leave no ledger entry. */
    public List<Violation> ledgerOfKeysAsTold(List<LedgerEntry> ledger) {
        return ledgers.ledgerOfKeysAsTold(ledger);
    }

    /**
     * Checks that refused calls took no numbers. Every number below the highest answered one must have been answered
     * too, or be explained by a call with an unknown outcome that was sent early enough.
     */
    public List<Violation> refusedConsumedNothing() {
        return refusals.refusedConsumedNothing();
    }

    /**
     * Checks that each key with numbers has a call that was not refused. The history must contain every call of the
     * sequence. If the call that took the numbers got no answer, all answers of its key may be replays.
     */
    public List<Violation> replaysExplained() {
        return refusals.replaysExplained();
    }

    /** Returns the remainder by the increment. Two allocations can share numbers only if their remainders are equal. */
    private long laneOf(ObservedAllocation allocation) {
        return series.residue(allocation.lowest());
    }
}
