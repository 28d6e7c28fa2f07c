package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.history.SoundHistory;
import dev.numera.maintain.history.HistoryChecker;
import dev.numera.maintain.history.LedgerEntry;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.Progression;
import dev.numera.maintain.history.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A sequence that is checked after each window, while no call is in progress. The calls of a window are then released,
 * except the numbers, which must differ in all windows, and the keys that may still get numbers. Not thread-safe.
 */
final class SoakedSequence {
    private static final Progression ANY_NUMBER = new Progression(0, 1, 0, (1L << 53) - 1);
    /** The pause between calls for numbers from memory, which take no time and are all kept to the end. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final String LITERAL = "S-";
    private static final int FEWEST_DIGITS = 6;
    /** The number of formats. They differ only in their digits, so they may follow each other in any order. */
    private static final int FORMATS = 3;

    private final String guarantee;
    private final boolean hasKeys;
    private final boolean hasKeyless;
    private final Set<Long> numbers = new HashSet<>();
    private List<ObservedCall> unanswered = List.of();
    private final List<ObservedCall> advances = new ArrayList<>();
    private long start = 1;
    private Load load;

    /**
     * Creates a sequence.
     *
     * @param guarantee the guarantee, which is also the name
     */
    SoakedSequence(String guarantee, boolean hasKeys, boolean hasKeyless) {
        this.guarantee = guarantee;
        this.hasKeys = hasKeys;
        this.hasKeyless = hasKeyless;
    }

    String name() {
        return "soak/" + guarantee;
    }

    String definition() {
        return "{\"guarantee\": \"" + guarantee + "\", " + format(0) + "}";
    }

    private static String format(int window) {
        int digits = FEWEST_DIGITS + window % FORMATS;
        return "\"format\": \"" + LITERAL + "{n:" + digits + "}\"";
    }

    boolean canBeAdvanced() {
        return !guarantee.equals("snowflake");
    }

    String path() {
        return "/api/sequences/" + name();
    }

    /** Changes the format, which repeats after {@value #FORMATS} windows. */
    void change(int window, SoakOwner owner) {
        owner.change(path(), "{" + format(window) + "}");
    }

    void advance(SoakOwner owner) {
        advances.addAll(owner.advance(path()));
    }

    /** Adds callers to each process that run until the condition fails. */
    void startWindow(int window, SoakHosts hosts, BooleanSupplier goesOn) {
        load = new Load(name());
        for (int number = 0; number < hosts.count(); number++) {
            int process = number;
            String callers = "window-" + window + "-process-" + process;
            if (hasKeys) {
                load.add(callers + "-keyed", 1, true, () -> hosts.base(process), goesOn);
            }
            if (hasKeyless) {
                load.add(callers, 1, false, () -> hosts.base(process), () -> {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    return goesOn.getAsBoolean();
                });
            }
        }
    }

    void awaitCallers() throws Exception {
        load.await();
    }

    /** Checks the window and returns its calls for numbers. */
    List<ObservedCall> judge(NumeraClient client) {
        List<ObservedCall> calls = load.history().calls();
        List<ObservedCall> all =
                Stream.of(unanswered, calls, advances).flatMap(List::stream).toList();
        SoundHistory.require(violations(all, client));
        Set<Long> answered = calls.stream()
                .map(ObservedCall::outcome)
                .filter(ObservedOutcome.Allocated.class::isInstance)
                .map(outcome -> ((ObservedOutcome.Allocated) outcome).first())
                .collect(Collectors.toSet());
        answered.forEach(number -> assertTrue(numbers.add(number), () -> number + " was allocated in two windows"));
        unanswered = unanswered(all);
        advances.clear();
        if (isInOrder()) {
            start = client.get(path() + "/state").expect(200).body().get("next").longValue();
        }
        return calls;
    }

    private boolean isInOrder() {
        return guarantee.equals("strict") || guarantee.equals("gapless");
    }

    private List<Violation> violations(List<ObservedCall> calls, NumeraClient client) {
        if (!isInOrder()) {
            return new HistoryChecker(ANY_NUMBER, calls).cached();
        }
        HistoryChecker checker = new HistoryChecker(new Progression(start, 1, 1, (1L << 53) - 1), calls);
        List<LedgerEntry> ledger = ledger(client);
        return guarantee.equals("gapless") ? checker.gapless(ledger) : checker.strictWithoutLoss(ledger);
    }

    /**
     * Returns all calls of keys without numbers that may still get them, because another instance can have their
     * request.
     */
    private static List<ObservedCall> unanswered(List<ObservedCall> calls) {
        Map<String, List<ObservedCall>> byKey = calls.stream()
                .filter(call -> call.key() != null)
                .collect(Collectors.groupingBy(call -> Objects.requireNonNull(call.key())));
        return byKey.values().stream()
                .filter(ofKey -> ofKey.stream().noneMatch(call -> call.numbers().isPresent()))
                .filter(ofKey -> ofKey.stream().anyMatch(ObservedCall::mayHaveCommittedUntold))
                .flatMap(List::stream)
                .toList();
    }

    private List<LedgerEntry> ledger(NumeraClient client) {
        List<JsonNode> entries = ListedLedger.read(client, name(), "&from=" + start);
        entries.forEach(SoakedSequence::requireText);
        return entries.stream().map(ListedLedger::entry).toList();
    }

    /** Requires a text in one of the formats, because any of them may have been in use. */
    private static void requireText(JsonNode entry) {
        if (entry.has("key")) {
            String text = entry.at("/texts/0").asText();
            String unpadded = text.replaceFirst("^S-0*", "");
            assertEquals(entry.get("first").asText(), unpadded, entry::toString);
            assertTrue(text.length() >= LITERAL.length() + FEWEST_DIGITS, entry::toString);
        }
    }
}
