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
 * Decides from what all callers of one sequence (one period, no cycle) saw whether its promises held. A violation is
 * proof that one was broken; a history without violations proves nothing about other histories.
 *
 * <p>How it is designed: answers become allocations first. An answer without a key is an allocation. All equal answers
 * of one key are one allocation, which took effect after the key was first requested and before it was first answered,
 * whichever of its calls caused it. So replays need no exemption, and every rule is a sort and one sweep: a million
 * calls take seconds.
 *
 * <p>The history must hold every call with the keys in it, with one exception: a key that has replays only, and no call
 * that may have caused it, had them before this history began, and its order is not judged. Thread-safe.
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

    /** All that {@code cached} promises. */
    public List<Violation> cached() {
        return Stream.of(shape(), oneKeyOneAllocation(), distinct())
                .flatMap(List::stream)
                .toList();
    }

    /** All that {@code strict} promises. */
    public List<Violation> strict() {
        return Stream.of(cached(), realTimeOrder()).flatMap(List::stream).toList();
    }

    /** All that {@code gapless} promises, by the whole ledger in the series' order, read when no call was under way. */
    public List<Violation> gapless(List<LedgerEntry> ledger) {
        return Stream.of(strict(), ledgerComplete(ledger), ledgerAsTold(ledger))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * All that {@code strict} promises where no write is lost between commit and answer but those of calls whose
     * outcome is unknown, by the whole ledger of the calls with keys, read when no call was under way. Numbers are not
     * imported.
     */
    public List<Violation> strictWithoutLoss(List<LedgerEntry> ledger) {
        return Stream.of(strict(), refusedConsumedNothing(), ledgerOfKeysAsTold(ledger))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Each answer holds as many numbers as were requested, of the series and in its order; only a key can be replayed.
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

    /** All answers of a key are the same. */
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

    /** No number is in two allocations. */
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

    /** A number answered before another was requested precedes it; imported numbers have no order. */
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

    /** From the start on, before which there may be imported ones, each entry begins where the one before it ended. */
    public List<Violation> ledgerComplete(List<LedgerEntry> ledger) {
        return ledgers.ledgerComplete(ledger);
    }

    /**
     * Each key that got numbers, and each advance, is in the ledger once, with these; every other entry belongs to a
     * call whose result is unknown.
     */
    public List<Violation> ledgerAsTold(List<LedgerEntry> ledger) {
        return ledgers.ledgerAsTold(ledger);
    }

    /** Like {@link #ledgerAsTold}, where calls without a key leave no entry. */
    public List<Violation> ledgerOfKeysAsTold(List<LedgerEntry> ledger) {
        return ledgers.ledgerOfKeysAsTold(ledger);
    }

    /**
     * Every number before the highest one that was answered was answered too, or was taken by a call whose outcome is
     * unknown, as far as these may have taken so many until then: so no refused call took any.
     */
    public List<Violation> refusedConsumedNothing() {
        return refusals.refusedConsumedNothing();
    }

    /**
     * Of a history that holds every call of the sequence: each key that has numbers got them by a call that was not
     * refused. Its answers may all be replays where that call was not answered.
     */
    public List<Violation> replaysExplained() {
        return refusals.replaysExplained();
    }

    /** Allocations share numbers only when they are the same distance from a multiple of the increment. */
    private long laneOf(ObservedAllocation allocation) {
        return series.residue(allocation.lowest());
    }
}
