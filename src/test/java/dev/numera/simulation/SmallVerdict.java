package dev.numera.simulation;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.history.SoundHistory;
import dev.numera.maintain.history.HistoryChecker;
import dev.numera.maintain.history.LedgerEntry;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.Progression;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks that an enumerated schedule kept every promise. */
final class SmallVerdict {
    private static final Set<ProblemType> ALWAYS = Set.of(
            ProblemType.CONTENTION,
            ProblemType.OVERLOADED,
            ProblemType.OUTCOME_UNKNOWN,
            ProblemType.STORAGE_UNAVAILABLE);
    private static final Set<ProblemType> AROUND_A_RESTORE = Set.of(ProblemType.SUSPENDED, ProblemType.ROLLED_BACK);

    private final SmallScenario scenario;
    private final MemoryCounterStore table;
    private final List<SmallHistory.SmallCall> calls;
    private final long allocatedBefore;

    /** @param allocatedBefore how many numbers the counter had allocated before the first call */
    SmallVerdict(SmallScenario scenario, MemoryCounterStore table, SmallHistory history, long allocatedBefore) {
        this.scenario = scenario;
        this.table = table;
        this.calls = history.entries();
        this.allocatedBefore = allocatedBefore;
    }

    void require() {
        calls.forEach(this::requireExplained);
        requireSoundHistory();
        requireAdvanceObeyed();
        if (!scenario.isRestored()) {
            requireKeysKept();
            if (!scenario.isCached()) {
                requireNothingElseConsumed();
            }
        }
    }

    private void requireExplained(SmallHistory.SmallCall call) {
        ProblemType problem = call.result().problem();
        boolean isExplained = problem == null
                || ALWAYS.contains(problem)
                || scenario.isRestored() && AROUND_A_RESTORE.contains(problem);
        if (!isExplained) {
            throw new AssertionError("Nothing explains " + call);
        }
    }

    private void requireSoundHistory() {
        HistoryChecker checker = new HistoryChecker(
                new Progression(1, 1, 1, Long.MAX_VALUE),
                Stream.concat(earlier(), observed()).toList());
        boolean isLedgerWhole = scenario.guarantee() == Guarantee.GAPLESS && !scenario.isRestored();
        SoundHistory.require(
                scenario.isCached() ? checker.cached() : isLedgerWhole ? checker.gapless(ledger()) : checker.strict());
    }

    private Stream<ObservedCall> observed() {
        return calls.stream().filter(call -> !call.ask().isAdvance()).map(SmallHistory.SmallCall::observed);
    }

    /** Returns the call that allocated the first number, if the ledger shows it. */
    private Stream<ObservedCall> earlier() {
        boolean isListed = scenario.isOpen() && scenario.guarantee() == Guarantee.GAPLESS;
        return isListed
                ? Stream.of(new ObservedCall(
                        "", "", 0, 0, SmallScenario.EARLIER, 1, new ObservedOutcome.Allocated(1, 1, 1, 1, false)))
                : Stream.empty();
    }

    private List<LedgerEntry> ledger() {
        return LedgerEntries.of(table.rowsFrom(SmallRun.COUNTER, Long.MIN_VALUE, Integer.MAX_VALUE), 1);
    }

    /**
     * Requires that no number before the target is allocated after an advance. Cached sequences are exempt: they may
     * use a block for 30 s after an advance, which is longer than any schedule.
     */
    private void requireAdvanceObeyed() {
        for (SmallHistory.SmallCall advance : calls) {
            for (SmallHistory.SmallCall call : calls) {
                if (advance.result().movedTo() != null
                        && call.result().printed() != null
                        && !call.result().printed().replayed()
                        && !scenario.isCached()
                        && call.isAfter(advance)
                        && call.result().printed().first() < advance.result().movedTo()) {
                    throw new AssertionError(call + ", after " + advance);
                }
            }
        }
    }

    private void requireKeysKept() {
        for (SmallHistory.SmallCall call : calls) {
            String key = call.ask().key();
            if (key != null && call.result().printed() != null) {
                Long kept = table.findKey(SmallRun.SEQUENCE, key)
                        .map(Versioned::value)
                        .map(Allocation::first)
                        .orElse(null);
                if (kept == null || kept != call.result().printed().first()) {
                    throw new AssertionError("The ledger holds " + kept + " for " + call);
                }
            }
        }
    }

    /** Requires that calls whose answer promises that nothing was consumed have consumed nothing. */
    private void requireNothingElseConsumed() {
        long consumed = table.read(SmallRun.COUNTER)
                        .map(counter -> counter.value().allocated())
                        .orElse(0L)
                - allocatedBefore;
        Set<Long> answered = calls.stream()
                .filter(call -> call.result().printed() != null)
                .map(call -> call.result().printed().first())
                .collect(Collectors.toSet());
        Stream<SmallHistory.SmallCall> unknown =
                calls.stream().filter(call -> call.isUnknown() && !call.ask().isAdvance());
        long excused = unknown.filter(call ->
                        call.ask().key() == null || !isAnswered(call.ask().key()))
                .map(call ->
                        call.ask().key() == null ? (Object) call : call.ask().key())
                .distinct()
                .count();
        if (consumed > answered.size() + excused) {
            throw new AssertionError(consumed + " numbers were consumed, but callers know " + answered + ", and "
                    + excused + " more may be lost: " + calls);
        }
    }

    private boolean isAnswered(String key) {
        return calls.stream()
                .anyMatch(call -> key.equals(call.ask().key()) && call.result().printed() != null);
    }
}
