package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Allocations;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.Deadline;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The order in which open peer requests are answered: their names decide nothing, and every instance gets its share.
 */
class PeerTurnsTest {
    private static final Deadline DEADLINE = Deadline.in(Duration.ofSeconds(10), TestClock.alone());
    private static final CounterId ID = new CounterId(new SequenceName("Test", "order"), "");
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    @Test
    void theOldestRequestIsAnsweredFirst() {
        List<PeerRequest> open =
                List.of(aged("a", null), aged("b", NOW.plusNanos(100)), aged("c", NOW), aged("d", NOW.plusNanos(200)));
        assertEquals(List.of("c", "b", "d", "a"), names(PeerTurns.inOrder(open, 0)));
    }

    @Test
    void requestsOfOneAgeBeginWithAnotherNameInEachEpoch() {
        List<PeerRequest> open = List.of(aged("b", NOW), aged("c", NOW), aged("a", NOW), aged("d", NOW.minusNanos(1)));
        assertEquals(List.of("d", "a", "b", "c"), names(PeerTurns.inOrder(open, 0)));
        assertEquals(List.of("d", "b", "c", "a"), names(PeerTurns.inOrder(open, 1)));
        assertEquals(List.of("d", "c", "a", "b"), names(PeerTurns.inOrder(open, 2)));
        assertEquals(List.of("d", "a", "b", "c"), names(PeerTurns.inOrder(open, 4)));
        assertEquals(List.of(), PeerTurns.inOrder(List.of(), 7));
    }

    @Test
    void ownCallsLeaveRoomForTheFirstRequestsUpToAHalf() {
        PeerTurns.Room whole = PeerTurns.Room.ofTransaction(false);
        assertEquals(49, left(whole, keyed("a", 48), keyed("b", 48)));
        assertEquals(49, left(whole, keyed("a", 47), keyed("b", 0)));
        assertEquals(34, left(whole, keyed("a", 33), keyed("b", 33)), "What no request can take is no one's.");
        assertEquals(44, left(whole, keyed("a", 33), keyed("b", 33), keyed("c", 9)));
        assertEquals(0, left(whole));
        assertEquals(0, left(PeerTurns.Room.ofTransaction(true), keyed("a", 48)));
    }

    @Test
    void peersAreAnsweredAloneUntilEachHadAsMuch() {
        PeerTurns turns = new PeerTurns();
        List<PeerRequest> many = List.of(keyed("a", 48), keyed("b", 48), keyed("c", 48));
        assertFalse(turns.isOfPeersAlone(many), "This instance had nothing yet.");
        turns.wrote(List.of(), allocations(48));
        assertTrue(turns.isOfPeersAlone(many));
        assertFalse(turns.isOfPeersAlone(many.subList(0, 1)), "There is room for both.");
        turns.wrote(many.subList(0, 2), allocations(96));
        assertTrue(turns.isOfPeersAlone(many));
        turns.wrote(many.subList(2, 3), allocations(48));
        assertFalse(turns.isOfPeersAlone(many));
        turns.wrote(many.subList(0, 1), allocations(97));
        assertTrue(turns.isOfPeersAlone(many));
    }

    @Test
    void callsWithoutKeysNeverWaitForRequestsOfPeers() {
        PeerTurns turns = new PeerTurns();
        turns.wrote(List.of(), List.of());
        List<PeerRequest> many = IntStream.range(0, 60)
                .mapToObj(ordinal -> request("process " + ordinal, new NumberRequest(null, 5, null)))
                .toList();
        assertFalse(turns.isOfPeersAlone(many));
    }

    /**
     * Requests without keys once took every turn: their answers did not count, so the writer's own calls were never
     * written.
     */
    @Test
    void requestsWithoutKeysTakeTurnsToo() {
        PeerTurns turns = new PeerTurns();
        List<PeerRequest> many = IntStream.range(0, 60)
                .mapToObj(ordinal -> request("process " + ordinal, new NumberRequest(null, 5, null)))
                .toList();
        turns.wrote(List.of(), allocations(2));
        assertTrue(turns.isOfPeersAlone(many));
        turns.wrote(many, List.of());
        assertTrue(turns.isOfPeersAlone(many), "Each had one row, and this instance two.");
        turns.wrote(many, List.of());
        assertFalse(turns.isOfPeersAlone(many));
    }

    @Test
    void requesterLooksTwoToFourTimesBeforeItBecomesTheWriter() {
        assertEquals(2, PeerTurns.looks(0));
        assertEquals(3, PeerTurns.looks(0.5));
        assertEquals(4, PeerTurns.looks(0.99));
    }

    @Test
    void requesterWaitsForTheUsualTimeOfAnAnswerButSixteenRoundTripsAtMost() {
        assertEquals(50, PeerTurns.answerNanos(50, 10));
        assertEquals(160, PeerTurns.answerNanos(1_000, 10));
        assertEquals(0, PeerTurns.answerNanos(0, 10));
    }

    @Test
    void aNewDurationCountsAnEighth() {
        assertEquals(80, PeerTurns.averaged(0, 80));
        assertEquals(90, PeerTurns.averaged(80, 160));
    }

    @Test
    void pauseForAnotherInstanceIsEightRoundTripsAtMost() {
        assertEquals(80, PeerTurns.pauseNanos(10, 100));
        assertEquals(79, PeerTurns.pauseNanos(10, 79));
    }

    static Stream<PeerLoad> loads() {
        return IntStream.of(3, 5, 8, 12, 20, 40)
                .boxed()
                .flatMap(instances -> Stream.of(
                        new PeerLoad(instances, 64, false, 0),
                        new PeerLoad(instances, 64, true, 5),
                        new PeerLoad(instances, 30, true, 1),
                        new PeerLoad(instances, 16, false, 20)));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void noInstanceThatAlwaysHasCallsWaitingFallsBelowHalfOfTheMeanShare(PeerLoad load) {
        Instances instances = new Instances(load);
        instances.run(30 * load.instances());
        long mean = Arrays.stream(instances.numbersOf).sum() / load.instances();
        long smallest = Arrays.stream(instances.numbersOf).min().orElseThrow();
        assertTrue(2 * smallest >= mean, () -> smallest + " of " + mean);
        // The largest load has 40 instances, so the bound is 86 writes. At 40 ms a write, as on Azure, a call waits 3.5
        // s
        // of its 10 s.
        assertTrue(instances.longestWait <= 2 * load.instances() + 6, () -> instances.longestWait + " writes");
    }

    /**
     * A load with calls waiting at all times.
     *
     * @param callers of each instance, each with a key
     * @param takenOverEvery the number of writes after which another instance becomes the writer; 0 for never
     */
    record PeerLoad(int instances, int callers, boolean isReserved, int takenOverEvery) {}

    /** Instances with calls waiting at all times. One instance at a time writes the counter. */
    private static final class Instances {
        /** The number of writes between an answer and the next peer request of the same instance. */
        private static final int REPOSTED_AFTER = 2;

        private final PeerLoad load;
        private final SplittableRandom random = new SplittableRandom(1);
        private final Sequence definition =
                StaleDefinition.of(Guarantee.STRICT, new Series(1, 1, 1, 1_000_000_000, false));
        private final List<PeerTurns> turns;
        private final List<String> names;
        private final NavigableMap<String, PeerRequest> rows = new TreeMap<>();
        private final int[] opensAt;
        private final int[] waitsSince;
        private final long[] numbersOf;
        private Versioned<CounterState> counter =
                new Versioned<>(CounterState.first(1, NOW).allocated(1, 1, 0, null, "before", NOW), "version");
        private int writer;
        private int writes;
        private int keys;
        private int longestWait;

        Instances(PeerLoad load) {
            this.load = load;
            this.turns = Stream.generate(PeerTurns::new).limit(load.instances()).toList();
            this.names = new ArrayList<>(IntStream.range(0, load.instances())
                    .mapToObj(ordinal -> String.format("%02d", ordinal))
                    .toList());
            Collections.shuffle(names, new Random(1));
            this.opensAt = new int[load.instances()];
            this.waitsSince = new int[load.instances()];
            this.numbersOf = new long[load.instances()];
        }

        void run(int mostWrites) {
            for (writes = 0; writes < mostWrites; writes++) {
                IntStream.range(0, load.instances()).forEach(this::open);
                if (load.takenOverEvery() > 0 && writes % load.takenOverEvery() == 0) {
                    writer = random.nextInt(load.instances());
                }
                write();
            }
        }

        private void open(int instance) {
            boolean hasRow = rows.containsKey(names.get(instance));
            if (instance != writer && !hasRow && opensAt[instance] <= writes) {
                int most = load.isReserved() ? WriteLimits.PEER_KEYS / 2 : WriteLimits.PEER_KEYS;
                rows.put(
                        names.get(instance),
                        request(names.get(instance), takes(Math.min(load.callers(), most)))
                                .openedAt(NOW.plus(Duration.ofMillis(writes))));
            }
        }

        /**
         * Writes the counter once. The writer answers its own row first, if it has one, like an instance that becomes
         * the writer.
         */
        private void write() {
            PeerRequest own = rows.get(names.get(writer));
            List<PeerRequest> open = PeerTurns.inOrder(
                    rows.values().stream().filter(row -> row != own).toList(),
                    counter.value().epoch());
            Plan plan;
            if (own != null) {
                plan = forPeers(Stream.concat(Stream.of(own), open.stream()).toList());
            } else if (turns.get(writer).isOfPeersAlone(open)) {
                plan = forPeers(open);
            } else {
                List<WaitingCall.Slot> slots = new WaitingCall(List.of(takes(load.callers())), 0, DEADLINE).openSlots();
                plan = GroupPlanner.planOf(ID, counter, definition, "id", slots, open, TestLimits.DATES, NOW);
                answered(writer, plan.shares().size());
            }
            counter = new Versioned<>(plan.after(), "version");
            plan.answered().forEach(this::answer);
            turns.get(writer)
                    .wrote(
                            plan.answered().stream()
                                    .filter(request -> !request.counterName().equals(names.get(writer)))
                                    .toList(),
                            plan.allocations());
        }

        private Plan forPeers(List<PeerRequest> open) {
            return NumberPlan.forPeers(ID, counter, definition, "id", open, NOW);
        }

        private void answer(PeerRequest request) {
            rows.remove(request.counterName());
            int instance = names.indexOf(request.counterName());
            answered(instance, request.requests().size());
            opensAt[instance] = writes + REPOSTED_AFTER;
        }

        private void answered(int instance, int numbers) {
            if (numbers > 0) {
                longestWait = Math.max(longestWait, writes - waitsSince[instance]);
                waitsSince[instance] = writes;
                numbersOf[instance] += numbers;
            }
        }

        private NumberRequest[] takes(int count) {
            return IntStream.range(0, count)
                    .mapToObj(ordinal ->
                            new NumberRequest("key " + keys++, 1, null, load.isReserved()).on(LocalDate.EPOCH))
                    .toArray(NumberRequest[]::new);
        }
    }

    private static int left(PeerTurns.Room room, PeerRequest... inOrder) {
        return PeerTurns.leftToPeers(room, List.of(inOrder)).operations();
    }

    private static PeerRequest keyed(String process, int keys) {
        return request(
                process,
                IntStream.range(0, keys)
                        .mapToObj(ordinal -> new NumberRequest(process + ordinal, 1, null).on(LocalDate.EPOCH))
                        .toArray(NumberRequest[]::new));
    }

    private static List<Allocation> allocations(int keys) {
        return IntStream.range(0, keys)
                .mapToObj(ordinal -> Allocations.of(
                        "key " + ordinal,
                        ordinal,
                        ordinal,
                        1,
                        "",
                        LocalDate.EPOCH,
                        null,
                        0,
                        NOW,
                        false,
                        Status.SIMPLY_ISSUED,
                        null))
                .toList();
    }

    private static PeerRequest aged(String process, Instant openedAt) {
        return request(process).openedAt(openedAt);
    }

    private static PeerRequest request(String process, NumberRequest... requests) {
        return new PeerRequest(process, "request of " + process, List.of(requests)).at("version of " + process);
    }

    private static List<String> names(List<PeerRequest> requests) {
        return requests.stream().map(PeerRequest::counterName).toList();
    }
}
