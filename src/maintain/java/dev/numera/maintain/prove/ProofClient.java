package dev.numera.maintain.prove;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.json.Json;
import dev.numera.maintain.history.KeyStatus;
import dev.numera.maintain.history.Observation;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedCall.Purpose;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.maintain.history.ObservedStatusChange;
import dev.numera.maintain.prove.Address.AccessKey;
import dev.numera.maintain.prove.Address.Answer;
import dev.numera.maintain.prove.AnswerReader.Unreadable;
import dev.numera.maintain.prove.ScratchSequence.SentKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one caller. Records every call; a missing or unreadable answer is recorded as an outcome too. Not
 * thread-safe.
 */
final class ProofClient {
    /** The most numbers that an advance skips beyond those already answered. */
    static final int JUMP = 100;

    private final String caller;
    private final SplittableRandom random;
    private final boolean hasFaults;

    ProofClient(String caller, SplittableRandom random, boolean hasFaults) {
        this.caller = caller;
        this.random = random;
        this.hasFaults = hasFaults;
    }

    /** One request and its answer, which is null if none arrived. */
    private record Exchange(
            Address address, @Nullable Answer answer, String fault, long startNanos, long answeredNanos) {
        boolean isDone() {
            return answer != null && answer.status() == 200;
        }

        String problem() {
            return answer == null ? NoNumbers.NO_ANSWER : answer.problem();
        }

        /** Whether the app stated that it consumed and changed nothing. Answers of hosts and gateways never count. */
        boolean isRefusal() {
            return answer != null && answer.isProblem() && !new NoNumbers(answer.problem()).mayHaveCommitted();
        }

        /** The body of the answer; an empty object if it has none. An answer that {@link #isDone} has one. */
        JsonNode body() {
            JsonNode body = answer == null ? null : answer.body();
            return body == null ? Json.object() : body;
        }
    }

    /** Requests numbers, with a key unless it is null. */
    ObservedOutcome next(ScratchSequence sequence, Address address, @Nullable SentKey key, int count) {
        boolean reserves = key != null && key.reserves();
        String path = sequence.path() + "/next?count=" + count + (reserves ? "&reserve=true" : "");
        Exchange exchange = key == null
                ? send(AccessKey.NUMBERS, address, path, null)
                : send(AccessKey.NUMBERS, address, path, null, "Idempotency-Key", key.key());
        ObservedOutcome outcome = outcome(exchange, key != null);
        if (outcome instanceof Allocated numbers) {
            sequence.saw(numbers.last());
        }
        Purpose purpose = reserves ? Purpose.RESERVATION : Purpose.NUMBERS;
        record(sequence, exchange, outcome, key == null ? null : key.key(), count, purpose);
        return outcome;
    }

    private static ObservedOutcome outcome(Exchange exchange, boolean hasKey) {
        try {
            if (exchange.isDone()) {
                return AnswerReader.numbers(exchange.body(), hasKey);
            }
            return exchange.problem().equals("key-void")
                    ? AnswerReader.numbersOfVoidKey(exchange.body())
                    : new NoNumbers(exchange.problem(), !exchange.isRefusal());
        } catch (Unreadable e) {
            return new NoNumbers("unreadable-answer", true);
        }
    }

    /** Confirms or voids the numbers of a key. */
    void changeStatus(ScratchSequence sequence, Address address, String key, KeyStatus wanted) {
        String status = wanted.kind() == KeyStatus.Kind.VOID
                ? "\"void\", \"reason\": \"" + wanted.reason() + "\""
                : "\"issued\"";
        Exchange exchange = send(
                AccessKey.NUMBERS,
                address,
                sequence.path() + "/status",
                "{\"key\": \"" + key + "\", \"status\": " + status + "}");
        @Nullable KeyStatus answered = null;
        @Nullable String problem = exchange.isDone() ? null : exchange.problem();
        boolean mayHaveChanged = !exchange.isDone() && !exchange.isRefusal();
        try {
            answered = exchange.isDone() ? AnswerReader.status(exchange.body()) : null;
        } catch (Unreadable e) {
            problem = "unreadable-answer";
            mayHaveChanged = true;
        }
        add(
                sequence,
                exchange,
                false,
                new ObservedStatusChange(
                        address.name(),
                        caller,
                        exchange.startNanos(),
                        exchange.answeredNanos(),
                        key,
                        wanted,
                        answered,
                        problem,
                        mayHaveChanged));
        if (exchange.fault().equals(ProofFault.REPEATED.word)) {
            add(sequence, exchange, true, unanswered(exchange, key, wanted));
        }
    }

    private ObservedStatusChange unanswered(Exchange exchange, String key, KeyStatus wanted) {
        return new ObservedStatusChange(
                exchange.address().name(),
                caller,
                exchange.startNanos(),
                exchange.answeredNanos(),
                key,
                wanted,
                null,
                NoNumbers.NO_ANSWER,
                true);
    }

    /** Advances the counter beyond the highest answered number. Returns whether the app confirmed it. */
    boolean advance(ScratchSequence sequence, Address address) {
        long target = sequence.highest() + 1 + JUMP;
        Exchange exchange = send(
                AccessKey.DEFINITIONS,
                address,
                sequence.path() + "/advance",
                "{\"nextAtLeast\": " + target + ", \"reason\": \"prove\"}");
        ObservedOutcome outcome = skipped(exchange);
        int count = outcome instanceof Allocated numbers ? numbers.count() : JUMP;
        record(sequence, exchange, outcome, null, count, Purpose.ADVANCE);
        return exchange.isDone();
    }

    private static ObservedOutcome skipped(Exchange exchange) {
        try {
            if (!exchange.isDone()) {
                return new NoNumbers(exchange.problem(), !exchange.isRefusal());
            }
            Optional<Allocated> skipped = AnswerReader.skipped(exchange.body());
            return skipped.isPresent() ? skipped.get() : new NoNumbers("already-there", false);
        } catch (Unreadable e) {
            return new NoNumbers("unreadable-answer", true);
        }
    }

    private void record(
            ScratchSequence sequence,
            Exchange exchange,
            ObservedOutcome outcome,
            @Nullable String key,
            int count,
            Purpose purpose) {
        add(sequence, exchange, false, call(exchange, key, count, outcome, purpose));
        if (exchange.fault().equals(ProofFault.REPEATED.word)) {
            // Records the first of the two requests, whose answer the proxy dropped.
            add(sequence, exchange, true, call(exchange, key, count, new NoNumbers(NoNumbers.NO_ANSWER), purpose));
        }
    }

    private ObservedCall call(
            Exchange exchange, @Nullable String key, int count, ObservedOutcome outcome, Purpose purpose) {
        return new ObservedCall(
                exchange.address().name(),
                caller,
                exchange.startNanos(),
                exchange.answeredNanos(),
                key,
                count,
                outcome,
                purpose);
    }

    private static void add(ScratchSequence sequence, Exchange exchange, boolean isCopy, Observation observed) {
        Answer answer = exchange.answer();
        double storageMillis = isCopy || answer == null ? -1 : answer.storageMillis();
        sequence.record(new Recorded(observed, exchange.fault(), isCopy, storageMillis));
    }

    private Exchange send(AccessKey key, Address address, String path, @Nullable String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        String fault =
                hasFaults ? ProofFault.draw(random).map(drawn -> drawn.word).orElse("") : "";
        if (!fault.isEmpty()) {
            all.addAll(List.of(ProofFault.HEADER, fault));
        }
        long startNanos = System.nanoTime();
        @Nullable Answer answer = null;
        try {
            answer = address.send(key, "POST", path, body, all.toArray(String[]::new));
        } catch (IOException e) {
            // No answer arrived: the call is recorded as unanswered.
        }
        return new Exchange(address, answer, fault, startNanos, System.nanoTime());
    }
}
