package dev.numera.simulation;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.history.SoundHistory;
import dev.numera.maintain.history.HistoryChecker;
import dev.numera.maintain.history.KeyStatus;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.maintain.history.Progression;
import dev.numera.maintain.history.StatusChecker;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Checks that the history of a run, and the contents of the table after it, keep every promise. */
final class Verdict {
    /** The longest time that other instances may use an older definition, or a block from before an advance. */
    private static final Duration STALE = Duration.ofSeconds(30).plus(ProcessClock.DRIFT_IN_30_S);

    private final Scenario scenario;
    private final MemoryCounterStore table;
    private final CounterId counter;
    private final CallLog history;
    private final Sequence stored;
    private final Series series;

    Verdict(Scenario scenario, MemoryCounterStore table, CounterId counter, CallLog history) {
        this.scenario = scenario;
        this.table = table;
        this.counter = counter;
        this.history = history;
        this.stored = table.find(counter.sequence()).orElseThrow();
        this.series = stored.definition().series();
    }

    /** @param owner null if the definition never changed */
    void require(Owner owner) {
        requireSoundHistory();
        requireAdvancesObeyed();
        requireKeysKept();
        requireDatesInOrder();
        requireInUseWithCounter();
        new TextVerdict().require();
        requireConsistentStatuses();
        if (owner != null) {
            owner.requireAnsweredTruly(stored);
            owner.retirements().forEach(this::requireObeyed);
        }
        if (!scenario.isCached()) {
            requireKeysExplained();
            requireListedOrder();
        }
        if (scenario.definition().fixed().guarantee() == dev.numera.core.model.Guarantee.STRICT) {
            requireNothingSkippedWithoutExcuse();
        }
    }

    private void requireSoundHistory() {
        HistoryChecker checker = new HistoryChecker(
                new Progression(series.start(), series.increment(), series.minValue(), series.maxValue()),
                history.requested().stream().map(CallLog.TimedCall::call).toList());
        SoundHistory.require(
                switch (scenario.definition().fixed().guarantee()) {
                    case STRICT -> checker.strict();
                    case GAPLESS -> checker.gapless(LedgerEntries.of(rows(), series.increment()));
                    case CACHED -> checker.cached();
                    case SNOWFLAKE -> throw new IllegalStateException("It has no counter.");
                });
    }

    private void requireConsistentStatuses() {
        Map<String, KeyStatus> atEnd = new HashMap<>();
        history.requested().stream()
                .map(requested -> requested.call().key())
                .filter(Objects::nonNull)
                .forEach(key -> kept(key).ifPresent(kept -> atEnd.put(key, Client.observed(kept.status()))));
        SoundHistory.require(new StatusChecker(
                        history.requested().stream()
                                .map(CallLog.TimedCall::call)
                                .toList(),
                        history.statusCalls(),
                        atEnd)
                .violations());
    }

    /** Requires an excuse for each lost number: the answer to a write was lost, or a caller cannot know the outcome. */
    private void requireNothingSkippedWithoutExcuse() {
        Set<Long> lost = new HashSet<>(history.delivered());
        long excused = 0;
        for (CallLog.TimedCall requested : history.requested()) {
            ObservedCall call = requested.call();
            if (call.outcome() instanceof Allocated numbers) {
                numbersOf(numbers).forEach(lost::remove);
            } else if (isUnknown(call)) {
                excused += call.count();
            }
        }
        if (lost.size() > excused) {
            throw new AssertionError("No caller got " + lost + ", and only " + excused + " may have been lost");
        }
    }

    private static List<Long> numbersOf(Allocated numbers) {
        return IntStream.range(0, numbers.count())
                .mapToObj(ordinal -> numbers.first() + ordinal * numbers.increment())
                .toList();
    }

    private void requireAdvancesObeyed() {
        for (CallLog.Moved moved : history.moves()) {
            for (CallLog.TimedCall requested : history.requested()) {
                boolean isLater = scenario.isCached()
                        ? requested.startNanos() > moved.answeredNanos() + STALE.toNanos()
                        : requested.call().startNanos() > moved.answeredTick();
                if (isLater
                        && isNew(requested)
                        && series.isBefore(requested.printed().first(), moved.next())) {
                    throw new AssertionError("Not beyond " + moved + ": " + requested);
                }
            }
        }
    }

    /** Requires that a retired sequence allocates nothing once all instances must know about the retirement. */
    private void requireObeyed(Owner.Retirement retirement) {
        for (CallLog.TimedCall requested : history.requested()) {
            if (requested.startNanos() > retirement.answeredNanos() + STALE.toNanos()
                    && requested.call().answeredNanos() < retirement.revivalTick()
                    && isNew(requested)) {
                throw new AssertionError("Allocated after " + retirement + ": " + requested);
            }
        }
    }

    private static boolean isNew(CallLog.TimedCall requested) {
        return requested.printed() != null
                && !requested.call().isImport()
                && !requested.printed().replayed();
    }

    /**
     * Requires that the numbers of one call are in the order of its requests, except for keys that other calls sent,
     * too.
     */
    private void requireListedOrder() {
        Map<String, Long> calls = history.requested().stream()
                .filter(requested -> requested.call().key() != null)
                .collect(Collectors.groupingBy(requested -> requested.call().key(), Collectors.counting()));
        CallLog.TimedCall before = null;
        for (CallLog.TimedCall requested : history.requested()) {
            boolean isOwn =
                    requested.call().key() == null || calls.get(requested.call().key()) == 1;
            if (!isNew(requested) || !isOwn) {
                continue;
            }
            if (before != null
                    && before.list() == requested.list()
                    && !series.isBefore(
                            before.printed().last(), requested.printed().first())) {
                throw new AssertionError("Not in the order listed: " + before + ", then " + requested);
            }
            before = requested;
        }
    }

    /** Requires that a counter exists exactly if the definition is in use. */
    private void requireInUseWithCounter() {
        if (stored.isInUse() != table.read(counter).isPresent()) {
            throw new AssertionError(
                    stored.isInUse() ? "In use without a counter" : "A counter under a definition that is not in use");
        }
    }

    private void requireKeysKept() {
        for (CallLog.TimedCall requested : history.requested()) {
            String key = requested.call().key();
            if (key != null && requested.call().outcome() instanceof Allocated numbers) {
                Allocation kept = kept(key).orElse(null);
                if (kept == null || kept.first() != numbers.first() || kept.last() != numbers.last()) {
                    throw new AssertionError("The ledger holds " + kept + " for " + requested);
                }
            }
        }
    }

    /** Requires that no key has numbers if all its callers were answered that nothing was consumed. */
    private void requireKeysExplained() {
        Set<String> explained = history.requested().stream()
                .filter(requested -> requested.call().outcome() instanceof Allocated || isUnknown(requested.call()))
                .map(requested -> requested.call().key())
                .collect(Collectors.toSet());
        rows().stream()
                .flatMap(row -> row.allocations().stream())
                .filter(entry -> !explained.contains(entry.key()))
                .findFirst()
                .ifPresent(entry -> {
                    throw new AssertionError(
                            "Nothing was consumed, as all callers of the key were answered, but it has " + entry);
                });
    }

    private static boolean isUnknown(ObservedCall call) {
        return isProblem(call, ProblemType.OUTCOME_UNKNOWN.urn()) || isProblem(call, NoNumbers.NO_ANSWER);
    }

    private Optional<Allocation> kept(String key) {
        return table.findKey(counter.sequence(), key).map(Versioned::value);
    }

    private void requireDatesInOrder() {
        List<LocalDate> dates = rows().stream()
                .flatMap(row -> row.allocations().stream())
                .filter(allocation -> allocation.importId() == null)
                .map(Allocation::date)
                .toList();
        if (scenario.isDated() && !dates.equals(dates.stream().sorted().toList())) {
            throw new AssertionError("Not in the order of dates: " + dates);
        }
    }

    /** Returns the rows in the order in which they were written. */
    private List<LedgerRow> rows() {
        List<LedgerRow> rows = new ArrayList<>(table.rowsFrom(counter, Long.MIN_VALUE, Integer.MAX_VALUE));
        rows.sort((one, other) -> series.increment() > 0
                ? Long.compare(one.first(), other.first())
                : Long.compare(other.first(), one.first()));
        return rows;
    }

    private static boolean isProblem(ObservedCall call, String problem) {
        return call.outcome() instanceof NoNumbers failure && failure.problem().equals(problem);
    }

    /** Checks that each number has one text and each text one number, over all formats. */
    private final class TextVerdict {
        private final Map<String, Long> numberOf = new HashMap<>();
        private final Map<Long, String> textOf = new HashMap<>();

        void require() {
            history.requested().stream()
                    .filter(requested -> requested.printed() != null)
                    .forEach(requested -> add(
                            requested.printed().first(),
                            requested.printed().increment(),
                            requested.printed().texts(),
                            requested.printed().count()));
            for (LedgerRow row : rows()) {
                for (Allocation entry : row.allocations()) {
                    add(
                            entry.first(),
                            series.increment(),
                            stored.texts().of(kept(entry.key()).orElseThrow()),
                            entry.count());
                }
            }
        }

        private void add(long first, long increment, List<String> texts, int count) {
            for (int ordinal = 0; ordinal < count; ordinal++) {
                add(first + ordinal * increment, texts == null ? "" : texts.get(ordinal));
            }
        }

        private void add(long number, String text) {
            String otherText = textOf.putIfAbsent(number, text);
            if (otherText != null && !otherText.equals(text)) {
                throw new AssertionError("Number " + number + " has the texts '" + otherText + "' and '" + text + "'");
            }
            Long otherNumber = text.isEmpty() ? null : numberOf.putIfAbsent(text, number);
            if (otherNumber != null && otherNumber != number) {
                throw new AssertionError("'" + text + "' is the text of " + otherNumber + " and of " + number);
            }
        }
    }
}
