package dev.numera.maintain.prove;

import dev.numera.maintain.history.HistoryChecker;
import dev.numera.maintain.history.KeyStatus;
import dev.numera.maintain.history.LedgerEntry;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedStatusChange;
import dev.numera.maintain.history.Progression;
import dev.numera.maintain.history.StatusChecker;
import dev.numera.maintain.history.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** One sequence in the run's own scope, and its recorded calls. Thread-safe. */
final class ScratchSequence {
    /** The number of latest keys that callers may send again. */
    private static final int RECENT_KEYS = 64;

    /** A key, and the parameters of its first call. */
    record SentKey(String key, int count, boolean reserves) {}

    private final String scope;
    private final boolean isGapless;
    private final Queue<Recorded> recorded = new ConcurrentLinkedQueue<>();
    private final AtomicLong highest = new AtomicLong();
    private final AtomicLong keys = new AtomicLong();
    private final List<SentKey> recent = new ArrayList<>();

    ScratchSequence(String scope, boolean isGapless) {
        this.scope = scope;
        this.isGapless = isGapless;
    }

    String guarantee() {
        return isGapless ? "gapless" : "strict";
    }

    boolean isGapless() {
        return isGapless;
    }

    /** The path of the sequence, after the route prefix. */
    String path() {
        return "/sequences/" + scope + "/" + guarantee();
    }

    String definition() {
        return "{\"guarantee\": \"" + guarantee()
                + "\", \"description\": \"A scratch sequence of numera-maintain.jar prove. No document has its numbers.\"}";
    }

    void record(Recorded call) {
        recorded.add(call);
    }

    /** The calls of all callers, in the order of sending. */
    List<Recorded> recorded() {
        return recorded.stream()
                .sorted(Comparator.comparingLong(call -> call.observed().startNanos()))
                .toList();
    }

    void saw(long number) {
        highest.accumulateAndGet(number, Math::max);
    }

    /** The highest number that was answered; 0 before the first answer. */
    long highest() {
        return highest.get();
    }

    /** Returns a new key. Other callers may send the same key at once, even before its first call is answered. */
    SentKey newKey(int count, boolean reserves) {
        SentKey key = new SentKey("prove-" + keys.incrementAndGet(), count, reserves);
        synchronized (recent) {
            if (recent.size() == RECENT_KEYS) {
                recent.remove(0);
            }
            recent.add(key);
        }
        return key;
    }

    Optional<SentKey> anyKey(SplittableRandom random) {
        synchronized (recent) {
            return recent.isEmpty() ? Optional.empty() : Optional.of(recent.get(random.nextInt(recent.size())));
        }
    }

    /** @param ledger the whole ledger, read while no call was in progress */
    List<Violation> violations(List<Recorded> all, List<LedgerEntry> ledger) {
        List<ObservedCall> calls = Recorded.observations(all, ObservedCall.class);
        HistoryChecker numbers = new HistoryChecker(Progression.DEFAULT, calls);
        Map<String, KeyStatus> atEnd = new HashMap<>();
        for (LedgerEntry entry : ledger) {
            String key = entry.key();
            KeyStatus status = entry.status();
            if (key != null && status != null) {
                atEnd.put(key, status);
            }
        }
        List<Violation> violations =
                new ArrayList<>(isGapless ? numbers.gapless(ledger) : numbers.strictWithoutLoss(ledger));
        violations.addAll(numbers.replaysExplained());
        violations.addAll(
                new StatusChecker(calls, Recorded.observations(all, ObservedStatusChange.class), atEnd).violations());
        return violations;
    }
}
