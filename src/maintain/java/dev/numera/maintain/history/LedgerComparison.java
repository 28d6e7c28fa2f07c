package dev.numera.maintain.history;

import dev.numera.maintain.history.Violation.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares a ledger with the observations of callers. Thread-safe. */
final class LedgerComparison {
    private final Progression series;
    private final CallIndex calls;

    LedgerComparison(Progression series, CallIndex calls) {
        this.series = series;
        this.calls = calls;
    }

    /**
     * Checks that, from the start of the series on, each ledger entry starts where the previous one ended. Imports
     * before the start are ignored.
     */
    List<Violation> ledgerComplete(List<LedgerEntry> ledger) {
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
     * Checks that the ledger contains each answered key and each advance once, with the numbers that were answered. Any
     * other entry must belong to a call whose outcome is unknown.
     */
    List<Violation> ledgerAsTold(List<LedgerEntry> ledger) {
        return ledgerHolds(calls.allocations(), ledger);
    }

    /** Like {@link #ledgerAsTold}, for a sequence whose calls without a key leave no ledger entry. */
    List<Violation> ledgerOfKeysAsTold(List<LedgerEntry> ledger) {
        List<ObservedAllocation> keyed = calls.allocations().stream()
                .filter(allocation -> allocation.observed().key() != null)
                .toList();
        return ledgerHolds(keyed, ledger);
    }

    private List<Violation> ledgerHolds(List<ObservedAllocation> answered, List<LedgerEntry> ledger) {
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
        for (ObservedAllocation allocation : answered) {
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
            List<ObservedCall> ofKey = calls.ofKey(key);
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

    private static Violation ofLedger(Rule rule, String what) {
        return new Violation(rule, what, List.of());
    }
}
