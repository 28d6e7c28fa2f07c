package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.Effort;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.SharedHost;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Changes the definition of a fresh sequence on one host while another host allocates its first number. Two of four
 * hundred races once printed the same text for two numbers, because the change and the first number were not atomic.
 */
@Tag("long")
class DefinitionRacesIT {
    private static final int RACES = Effort.times(200);
    private static final int RACES_AT_ONCE = 4;
    private static final int READ_AGAIN = 5;
    private static final long MAX_HEAD_START_NANOS = Duration.ofMillis(10).toNanos();
    private static final int YEAR = LocalDate.now(ZoneOffset.UTC).getYear();

    /** The definition before and after a change, with the text that a number has under each. */
    private enum DefinitionChange {
        RANGE(
                "'maxValue': 1000, 'format': '{r:4}'",
                n -> "%04d".formatted(1000 - n),
                "'maxValue': 1001, 'format': '{r:4}'",
                n -> "%04d".formatted(1001 - n)),
        FORMAT("'format': 'A{n:3}'", n -> "A%03d".formatted(n), "'format': 'B{n:3}'", n -> "B%03d".formatted(n)),
        PERIODS(
                "'format': 'N{n}'",
                n -> "N" + n,
                "'resetEvery': 'year', 'timeZone': 'UTC', 'format': '{yyyy}-{n}'",
                n -> YEAR + "-" + n),
        NO_PERIODS(
                "'resetEvery': 'year', 'timeZone': 'UTC', 'format': '{yyyy}-{n}'",
                n -> YEAR + "-" + n,
                "'resetEvery': null, 'timeZone': null, 'format': 'N{n}'",
                n -> "N" + n),
        GAPLESS("'format': 'S{n}'", n -> "S" + n, "'guarantee': 'gapless', 'format': 'G{n}'", n -> "G" + n),
        CACHED(
                "'format': 'S{n}'",
                n -> "S" + n,
                "'guarantee': 'cached', 'cacheSize': 3, 'format': 'C{n}'",
                n -> "C" + n),
        INCREMENT("'format': 'O{n}'", n -> "O" + n, "'increment': 10, 'start': 5, 'format': 'T{n}'", n -> "T" + n);

        private final String before;
        private final LongFunction<String> textBefore;
        private final String after;
        private final LongFunction<String> textAfter;

        DefinitionChange(String before, LongFunction<String> textBefore, String after, LongFunction<String> textAfter) {
            this.before = json(before);
            this.textBefore = textBefore;
            this.after = json(after);
            this.textAfter = textAfter;
        }

        private static String json(String fields) {
            return "{" + fields.replace('\'', '"') + "}";
        }

        /**
         * Whether a host may have printed the text. The format is the only field that may change after the first
         * number, and another host may use the old format for a while.
         */
        boolean mayHaveWritten(String text, long number, boolean isChanged) {
            return text.equals(isChanged ? textAfter.apply(number) : textBefore.apply(number))
                    || this == FORMAT && text.equals(textBefore.apply(number));
        }
    }

    private static HostProcess another;

    @BeforeAll
    static void startAnotherHost() {
        another = HostProcess.start(SharedAzurite.connectionString(), Map.of());
    }

    @AfterAll
    static void stopAnotherHost() {
        another.close();
    }

    @Test
    void changeAndFirstNumberAreOneAfterTheOther() throws Exception {
        ExecutorService races = Executors.newFixedThreadPool(RACES_AT_ONCE);
        ExecutorService owners = Executors.newFixedThreadPool(RACES_AT_ONCE);
        List<Future<Boolean>> running = new ArrayList<>();
        for (int race = 0; race < RACES; race++) {
            DefinitionChange change = DefinitionChange.values()[race % DefinitionChange.values().length];
            running.add(races.submit(() -> new Race(change, "races/" + UUID.randomUUID()).isWonByTheChange(owners)));
        }
        Set<Boolean> winners = new HashSet<>();
        for (Future<Boolean> race : running) {
            winners.add(race.get());
        }
        races.shutdown();
        owners.shutdown();
        assertEquals(Set.of(true, false), winners, "both came first in some races");
    }

    /** A number that a caller received, and the key of the call. */
    private record KeyedNumber(String key, JsonNode allocation) {
        long number() {
            return allocation.get("first").longValue();
        }

        String text() {
            return allocation.get("texts").get(0).textValue();
        }
    }

    private record Race(DefinitionChange change, String sequence) {
        private static final NumeraClient OWNER = SharedHost.client();
        private static final NumeraClient CALLER = new NumeraClient(another.baseUri());

        boolean isWonByTheChange(ExecutorService owners) throws Exception {
            put(change.before, "If-None-Match").expect(201);
            // The other host reads the old definition and caches it.
            read(CALLER, "/state");
            CountDownLatch start = new CountDownLatch(2);
            Future<Reply> put = owners.submit(() -> {
                meet(start);
                return put(change.after, "If-Match");
            });
            meet(start);
            List<KeyedNumber> numbered = new ArrayList<>();
            numbered.add(next(CALLER));
            int answer = put.get().status();
            assertTrue(answer == 200 || answer == 409, () -> this + " was answered " + answer);
            numbered.add(next(CALLER));
            numbered.add(next(OWNER));
            requireAgreement(numbered, answer == 200);
            return numbered.get(0)
                    .text()
                    .equals(change.textAfter.apply(numbered.get(0).number()));
        }

        private static void meet(CountDownLatch start) throws InterruptedException {
            start.countDown();
            start.await();
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_HEAD_START_NANOS));
        }

        private Reply put(String definition, String precondition) {
            return OWNER.send("PUT", path(), definition, precondition, "*");
        }

        /**
         * Requests a number, without a key only in races about the guarantee. If the definition that won demands the
         * opposite, it repeats the request that way.
         */
        private KeyedNumber next(NumeraClient client) {
            String key = change == DefinitionChange.GAPLESS
                    ? null
                    : UUID.randomUUID().toString();
            Reply reply = client.next(sequence, "", key);
            if (reply.status() == 400) {
                String guarantee = reply.problem().equals("key-required") ? "gapless" : "cached";
                assertEquals(
                        guarantee,
                        definition().get("guarantee").textValue(),
                        () -> this + ": " + reply.raw().body());
                key = guarantee.equals("gapless") ? UUID.randomUUID().toString() : null;
                return new KeyedNumber(
                        key, client.next(sequence, "", key).expect(200).body());
            }
            return new KeyedNumber(key, reply.expect(200).body());
        }

        /**
         * Reads, and retries because storage may be slower than the read's deadline on a busy machine. Such a failure
         * does not show which side won.
         */
        private JsonNode read(NumeraClient client, String what) {
            Reply reply = client.get(path() + what);
            for (int again = 0; again < READ_AGAIN && reply.status() == 503; again++) {
                reply = client.get(path() + what);
            }
            return reply.expect(200).body();
        }

        private JsonNode definition() {
            return read(OWNER, "");
        }

        /** Requires that numbers, texts, ledger and the definition on both hosts belong to one definition. */
        private void requireAgreement(List<KeyedNumber> numbered, boolean isChanged) {
            JsonNode definition = definition();
            String state = this + ", changed " + isChanged + ": " + numbered + " by " + definition;
            assertEquals(definition, read(CALLER, ""), state);
            long start = definition.get("start").longValue();
            long increment = definition.get("increment").longValue();
            boolean isInOrder = !definition.get("guarantee").textValue().equals("cached");
            Set<Long> numbers = new HashSet<>();
            for (KeyedNumber one : numbered) {
                assertTrue(numbers.add(one.number()), state);
                assertEquals(increment, one.allocation().get("increment").longValue(), state);
                assertEquals(0, (one.number() - start) % increment, state);
                assertTrue(!isInOrder || one.number() == start + (numbers.size() - 1) * increment, state);
                assertTrue(change.mayHaveWritten(one.text(), one.number(), isChanged), state);
                requireInLedger(one, state);
            }
        }

        private void requireInLedger(KeyedNumber one, String state) {
            if (one.key() != null) {
                JsonNode entry =
                        read(CALLER, "/ledger?key=" + one.key()).get("entries").get(0);
                assertEquals(one.number(), entry.get("first").longValue(), state);
                assertEquals(one.text(), entry.get("texts").get(0).textValue(), state);
                assertEquals(
                        one.text(),
                        OWNER.next(sequence, "", one.key())
                                .expect(200)
                                .body()
                                .get("texts")
                                .get(0)
                                .textValue(),
                        state);
            }
        }

        private String path() {
            return "/api/sequences/" + sequence;
        }
    }
}
