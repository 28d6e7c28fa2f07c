package dev.numera.history;

import dev.numera.history.ObservedOutcome.Allocated;
import dev.numera.history.Violation.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private final List<ObservedCall> calls;
    private final Map<String, List<ObservedCall>> callsByKey = new LinkedHashMap<>();
    private final List<Taking> allocations = new ArrayList<>();

    /** Numbers that were taken once, at some time between these two, and the first call that got them. */
    private record Taking(Allocated numbers, long startNanos, long answeredNanos, ObservedCall observed) {
        long lowest() {
            return Math.min(numbers.first(), numbers.last());
        }

        long highest() {
            return Math.max(numbers.first(), numbers.last());
        }
    }

    public HistoryChecker(Progression series, List<ObservedCall> calls) {
        this.series = series;
        this.calls = List.copyOf(calls);
        for (ObservedCall call : this.calls) {
            String key = call.key();
            if (key != null) {
                callsByKey.computeIfAbsent(key, any -> new ArrayList<>()).add(call);
            } else {
                call.numbers()
                        .ifPresent(numbers ->
                                allocations.add(new Taking(numbers, call.startNanos(), call.answeredNanos(), call)));
            }
        }
        callsByKey.values().forEach(this::addAllocationsOfKey);
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
        for (ObservedCall call : calls) {
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
        boolean isOfSeries = isImported(call.key())
                ? series.mayBeImported(observed.first()) && series.mayBeImported(observed.last())
                : series.contains(observed.first()) && series.contains(observed.last());
        if (!isOfSeries) {
            return Optional.of("not numbers of " + series);
        }
        return observed.replayed() && call.key() == null ? Optional.of("replayed without a key") : Optional.empty();
    }

    private boolean isImported(@Nullable String key) {
        return key != null && ofKey(key).stream().anyMatch(ObservedCall::isImport);
    }

    /** All answers of a key are the same. */
    public List<Violation> oneKeyOneAllocation() {
        List<Violation> violations = new ArrayList<>();
        callsByKey.forEach((key, ofKey) -> {
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
        List<Taking> byNumber = new ArrayList<>(allocations);
        byNumber.sort(Comparator.comparingLong(this::laneOf)
                .thenComparingLong(Taking::lowest)
                .thenComparingLong(allocation -> allocation.observed().startNanos()));
        List<Violation> violations = new ArrayList<>();
        @Nullable Taking reaching = null;
        for (Taking next : byNumber) {
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
        List<Taking> judged = allocations.stream().filter(this::beganHere).toList();
        List<Taking> byAsked = judged.stream()
                .sorted(Comparator.comparingLong(Taking::startNanos))
                .toList();
        List<Taking> byAnswered = judged.stream()
                .sorted(Comparator.comparingLong(Taking::answeredNanos))
                .toList();
        List<Violation> violations = new ArrayList<>();
        @Nullable Taking furthest = null;
        int answered = 0;
        for (Taking next : byAsked) {
            while (byAnswered.get(answered).answeredNanos() < next.startNanos()) {
                Taking earlier = byAnswered.get(answered++);
                furthest = furthest == null || endOf(earlier) > endOf(furthest) ? earlier : furthest;
            }
            if (furthest != null && endOf(furthest) >= beginOf(next)) {
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
        List<Violation> violations = new ArrayList<>();
        long expected = series.start();
        List<LedgerEntry> fromTheStart = ledger.stream()
                .filter(entry -> entry.kind() != LedgerEntry.EntryKind.IMPORT
                        || series.position(entry.first()) >= series.position(series.start()))
                .toList();
        for (LedgerEntry entry : fromTheStart) {
            if (entry.first() != expected) {
                violations.add(
                        ofLedger(Rule.LEDGER_COMPLETE, expected + " is next, but the ledger continues with " + entry));
            }
            if (entry.count() < 1 || entry.last() != entry.first() + (entry.count() - 1) * series.increment()) {
                violations.add(
                        ofLedger(Rule.LEDGER_COMPLETE, "the ledger counts " + entry.count() + " numbers in " + entry));
            }
            expected = entry.last() + series.increment();
        }
        return violations;
    }

    /**
     * Every number before the highest one that was answered was answered too, or was taken by a call whose outcome is
     * unknown, as far as these may have taken so many until then: so no refused call took any.
     *
     * <p>A number precedes each higher one that was answered, so a call explains it only if it was sent before that
     * answer. For each gap, lowest first, the calls that may explain it therefore include those of the gaps before.
     */
    public List<Violation> refusedConsumedNothing() {
        List<Taking> byNumber = allocations.stream()
                .sorted(Comparator.comparingLong(this::beginOf))
                .toList();
        long[] sentBefore = answeredFromHereOn(byNumber);
        List<ObservedCall> excuses = excuses();
        List<Violation> violations = new ArrayList<>();
        @Nullable Taking before = null;
        long expected = series.position(series.start());
        long missing = 0;
        long excused = 0;
        int used = 0;
        for (int next = 0; next < byNumber.size(); next++) {
            Taking after = byNumber.get(next);
            while (used < excuses.size() && excuses.get(used).startNanos() <= sentBefore[next]) {
                excused += excuses.get(used++).count();
            }
            long step = Math.abs(series.increment());
            long gap = Math.max(0, (beginOf(after) - expected) / step);
            missing += gap;
            if (gap > 0 && missing > excused) {
                violations.add(unexplained(before, after, gap, missing - excused));
                missing = excused;
            }
            if (endOf(after) + step > expected) {
                expected = endOf(after) + step;
                before = after;
            }
        }
        return violations;
    }

    /**
     * Of a history that holds every call of the sequence: each key that has numbers got them by a call that was not
     * refused. Its answers may all be replays where that call was not answered.
     */
    public List<Violation> replaysExplained() {
        List<Violation> violations = new ArrayList<>();
        callsByKey.forEach((key, ofKey) -> {
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
    private static long[] answeredFromHereOn(List<Taking> byNumber) {
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
        Stream<ObservedCall> keyless = calls.stream().filter(call -> call.key() == null);
        Stream<ObservedCall> keyed = callsByKey.values().stream()
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

    private Violation unexplained(@Nullable Taking before, Taking after, long gap, long unexplained) {
        String place = before == null
                ? "before the first answer"
                : "after " + before.numbers().last();
        return new Violation(
                Rule.REFUSED_CONSUMED_NOTHING,
                "numbers are missing " + place + " (" + gap + ")" + ", and no call explains " + unexplained
                        + " of them",
                before == null ? List.of(after.observed()) : List.of(before.observed(), after.observed()));
    }

    /**
     * Each key that got numbers, and each advance, is in the ledger once, with these; every other entry belongs to a
     * call whose result is unknown.
     */
    public List<Violation> ledgerAsTold(List<LedgerEntry> ledger) {
        return ledgerHolds(allocations, ledger);
    }

    /** As the other, where calls without a key leave no entry. */
    public List<Violation> ledgerOfKeysAsTold(List<LedgerEntry> ledger) {
        List<Taking> keyed = allocations.stream()
                .filter(allocation -> allocation.observed().key() != null)
                .toList();
        return ledgerHolds(keyed, ledger);
    }

    private List<Violation> ledgerHolds(List<Taking> answered, List<LedgerEntry> ledger) {
        List<Violation> violations = new ArrayList<>();
        Map<String, LedgerEntry> byKey = new HashMap<>();
        Map<Long, LedgerEntry> advances = new HashMap<>();
        for (LedgerEntry entry : ledger) {
            String key = entry.key();
            if ((entry.kind() == LedgerEntry.EntryKind.ADVANCE) != (key == null)) {
                violations.add(ofLedger(
                        Rule.LEDGER_AS_ANSWERED, "allocations and imports have a key, advances have none: " + entry));
            } else if (key == null) {
                advances.put(entry.first(), entry);
            } else {
                LedgerEntry other = byKey.putIfAbsent(key, entry);
                if (other != null) {
                    violations.add(ofLedger(
                            Rule.ONE_KEY_ONE_ALLOCATION, "the ledger holds two entries: " + other + ", and " + entry));
                }
            }
        }
        for (Taking allocation : answered) {
            ObservedCall call = allocation.observed();
            LedgerEntry entry = call.isAdvance()
                    ? advances.get(allocation.numbers().first())
                    : byKey.get(String.valueOf(call.key()));
            if (entry == null || call.key() == null && !call.isAdvance() || !entry.holds(allocation.numbers())) {
                String found = entry == null ? "nothing" : entry.toString();
                violations.add(
                        new Violation(Rule.LEDGER_AS_ANSWERED, "the ledger holds " + found + " for it", List.of(call)));
            }
        }
        byKey.forEach((key, entry) -> {
            List<ObservedCall> ofKey = ofKey(key);
            if (!isExplained(ofKey)) {
                violations.add(new Violation(
                        ofKey.isEmpty() ? Rule.LEDGER_AS_ANSWERED : Rule.REFUSED_CONSUMED_NOTHING,
                        ofKey.isEmpty()
                                ? "no caller can have caused " + entry
                                : "every call with this key was refused, but the ledger holds " + entry,
                        ofKey));
            }
        });
        return violations;
    }

    private static boolean isExplained(List<ObservedCall> ofKey) {
        return ofKey.stream().anyMatch(call -> call.numbers().isPresent() || call.mayHaveCommittedUntold());
    }

    private List<ObservedCall> ofKey(String key) {
        return callsByKey.getOrDefault(key, List.of());
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
                        new Taking(call.numbers().orElseThrow(), startNanos, call.answeredNanos(), call)));
    }

    /** False when the key must have had its numbers before this history began, or may have them by an import. */
    private boolean beganHere(Taking allocation) {
        String key = allocation.observed().key();
        if (isImported(key)) {
            return false;
        }
        return key == null || ofKey(key).stream().anyMatch(ObservedCall::canHaveTaken);
    }

    /** Allocations share numbers only when they are the same distance from a multiple of the increment. */
    private long laneOf(Taking allocation) {
        return series.residue(allocation.lowest());
    }

    private long beginOf(Taking allocation) {
        return series.position(allocation.numbers().first());
    }

    private long endOf(Taking allocation) {
        return series.position(allocation.numbers().last());
    }

    private static Violation ofLedger(Rule rule, String what) {
        return new Violation(rule, what, List.of());
    }
}
