package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.Effort;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.history.Fairness;
import dev.numera.fixtures.history.SoundHistory;
import dev.numera.localhost.Azurite;
import dev.numera.maintain.history.HistoryChecker;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.Progression;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes of the packaged app share a storage account, are killed, and lose their storage for a while. */
@Tag("long")
class ProcessesIT {
    private static final int KILLS = Effort.times(6);
    private static final int CALLERS = 64;
    private static final Duration FAIR_FOR = Duration.ofMinutes(1);
    /** The time after which the next kill meets callers on all processes. */
    private static final Duration ALL_ARE_THERE = Duration.ofMillis(500);

    /** A pause longer than a lease, which lasts 30 s. */
    private static final Duration STANDS_STILL = Duration.ofSeconds(40);

    private static final int LOWEST_KEPT_PORT = 20_000;
    /** The lowest port that Linux assigns to a socket without a port of its own. */
    private static final int LOWEST_PORT_BY_CHANCE = 32_768;

    private static final Duration P99 = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final Set<String> CLEAR_FAILURES = Set.of(
            "urn:problem-type:numera:storage-unavailable",
            "urn:problem-type:numera:outcome-unknown",
            "urn:problem-type:numera:overloaded",
            "urn:problem-type:numera:contention");

    @TempDir
    Path folder;

    private static List<HostProcess> start(int count, Azurite azurite) {
        List<HostProcess> hosts = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            hosts.add(HostProcess.start(azurite.connectionString(), Map.of()));
        }
        return hosts;
    }

    private static void requireSound(List<ObservedCall> calls) {
        HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, calls);
        SoundHistory.require(checker.strict());
        SoundHistory.require(checker.oneKeyOneAllocation());
    }

    @Test
    void fourProcessesShareOneSequenceFairlyForAMinute() throws Exception {
        try (Azurite azurite = Azurite.inMemory()) {
            List<HostProcess> hosts = start(4, azurite);
            Load load = new Load("processes/fair");
            // The first seconds of a process are slower than usual.
            long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            addAll(load, hosts, warm);
            load.await();
            Load measured = new Load("processes/fair");
            addAll(measured, hosts, System.nanoTime() + FAIR_FOR.toNanos());
            measured.await();
            hosts.forEach(HostProcess::close);

            List<ObservedCall> calls = measured.history().calls();
            Fairness fairness = Fairness.of(calls);
            System.out.println("4 processes x 16 callers, 60 s: " + calls.size() + " calls, " + fairness);
            requireSound(calls);
            assertEquals(Map.of(), fairness.failures());
            assertEquals(CALLERS, fairness.servedByCaller().size(), "every caller is served");
            assertTrue(fairness.leastShareOfMean() >= 0.5, "the slowest process gets at least half of the mean");
            // A call waits for a number of turns whose length differs between machines, so the limit is relative to the
            // mean.
            long mean = CALLERS * FAIR_FOR.toNanos() / calls.size();
            assertTrue(
                    fairness.p99Nanos() < Math.max(P99.toNanos(), 12 * mean),
                    "one call in a hundred takes no longer than turns and 12 times the mean explain");
            assertTrue(
                    fairness.maxNanos() < Math.max(LONGEST.toNanos(), 40 * mean),
                    "the longest takes no longer than turns and 40 times the mean explain");
        }
    }

    private static void addAll(Load load, List<HostProcess> hosts, long endNanos) {
        for (int number = 0; number < hosts.size(); number++) {
            HostProcess host = hosts.get(number);
            load.add("process-" + number, 16, false, host::baseUri, () -> System.nanoTime() - endNanos < 0);
        }
    }

    @Test
    void killedAndStartedAgainAndAgainUnderLoad() throws Exception {
        try (Azurite azurite = Azurite.inMemory()) {
            AtomicReferenceArray<HostProcess> hosts =
                    new AtomicReferenceArray<>(start(3, azurite).toArray(HostProcess[]::new));
            AtomicBoolean goesOn = new AtomicBoolean(true);
            Pace pace = new Pace();
            Load load = new Load("processes/killed", pace);
            for (int number = 0; number < hosts.length(); number++) {
                int process = number;
                load.add("keyed-" + number, 2, true, () -> hosts.get(process).baseUri(), goesOn::get);
                load.add("keyless-" + number, 4, false, () -> hosts.get(process).baseUri(), goesOn::get);
            }
            StatusRace statuses = new StatusRace("processes/statuses", pace);
            for (int number = 0; number < hosts.length(); number++) {
                int one = number;
                int other = (number + 1) % hosts.length();
                statuses.add(
                        "status-" + number,
                        () -> hosts.get(one).baseUri(),
                        () -> hosts.get(other).baseUri(),
                        goesOn::get);
            }
            for (int kill = 0; kill < KILLS; kill++) {
                killAndRestart(hosts, kill % hosts.length(), azurite, pace);
                TimeUnit.NANOSECONDS.sleep(ALL_ARE_THERE.toNanos());
            }
            goesOn.set(false);
            load.await();
            int keys = statuses.requireTrue(new NumeraClient(hosts.get(0).baseUri()));
            for (int number = 0; number < hosts.length(); number++) {
                load.next("last", hosts.get(number).baseUri(), null);
                hosts.get(number).close();
            }
            List<ObservedCall> calls = load.history().calls();
            System.out.println(KILLS + " kills: " + calls.size() + " calls, failures "
                    + Fairness.of(calls).failures() + ", " + keys + " numbers confirmed and void at once");
            requireSound(calls);
        }
    }

    private static void killAndRestart(
            AtomicReferenceArray<HostProcess> hosts, int victim, Azurite azurite, Pace pace) {
        HostProcess killed = hosts.get(victim);
        killed.kill();
        hosts.set(victim, pace.starting(() -> HostProcess.start(azurite.connectionString(), Map.of())));
        killed.close();
    }

    /** Kills one of three processes repeatedly, and pauses another one for longer than its lease. */
    @Test
    void snowflakeIdsWhileProcessesAreKilledAndPaused() throws Exception {
        try (Azurite azurite = Azurite.inMemory()) {
            AtomicReferenceArray<HostProcess> hosts =
                    new AtomicReferenceArray<>(start(3, azurite).toArray(HostProcess[]::new));
            new NumeraClient(hosts.get(0).baseUri())
                    .send(
                            "PUT",
                            "/api/sequences/processes/flakes",
                            "{\"guarantee\": \"snowflake\"}",
                            "If-None-Match",
                            "*")
                    .expect(201);
            AtomicBoolean goesOn = new AtomicBoolean(true);
            Pace pace = new Pace();
            Load load = new Load("processes/flakes", pace);
            for (int number = 0; number < hosts.length(); number++) {
                int process = number;
                load.add("keyless-" + number, 4, false, () -> hosts.get(process).baseUri(), goesOn::get);
            }
            signal("STOP", hosts.get(2));
            for (long end = System.nanoTime() + STANDS_STILL.toNanos(); System.nanoTime() - end < 0; ) {
                killAndRestart(hosts, 0, azurite, pace);
            }
            signal("CONT", hosts.get(2));
            TimeUnit.SECONDS.sleep(5);
            goesOn.set(false);
            load.await();
            for (int number = 0; number < hosts.length(); number++) {
                load.next("last", hosts.get(number).baseUri(), null);
                hosts.get(number).close();
            }
            List<ObservedCall> calls = load.history().calls();
            System.out.println("snowflake: " + calls.size() + " calls, failures "
                    + Fairness.of(calls).failures());
            SoundHistory.require(new HistoryChecker(new Progression(0, 1, 0, (1L << 53) - 1), calls).cached());
        }
    }

    private static void signal(String name, HostProcess host) throws Exception {
        int exit = new ProcessBuilder(
                        "kill", "-" + name, Long.toString(host.process().pid()))
                .inheritIO()
                .start()
                .waitFor();
        assertEquals(0, exit);
    }

    @Test
    void storageIsAwayForTenSecondsUnderLoad() throws Exception {
        Azurite azurite = Azurite.withData(folder, new Azurite.Ports(keptPort(), keptPort(), keptPort()));
        List<HostProcess> hosts = start(2, azurite);
        AtomicBoolean goesOn = new AtomicBoolean(true);
        Load load = new Load("processes/away");
        for (int number = 0; number < hosts.size(); number++) {
            URI base = hosts.get(number).baseUri();
            load.add("keyed-" + number, 4, true, () -> base, goesOn::get);
            load.add("keyless-" + number, 4, false, () -> base, goesOn::get);
        }
        TimeUnit.SECONDS.sleep(5);
        azurite.close();
        TimeUnit.SECONDS.sleep(10);
        try (Azurite again = Azurite.withData(folder, azurite.ports())) {
            TimeUnit.SECONDS.sleep(5);
            goesOn.set(false);
            load.await();
            assertEquals(again.ports(), azurite.ports());
            for (HostProcess host : hosts) {
                load.next("last", host.baseUri(), "last of " + host.baseUri());
            }
            List<ObservedCall> calls = load.history().calls();
            System.out.println("10 s without storage: " + calls.size() + " calls, failures "
                    + Fairness.of(calls).failures());
            requireSound(calls);
            Set<String> answered = calls.stream()
                    .map(ObservedCall::outcome)
                    .filter(ObservedOutcome.NoNumbers.class::isInstance)
                    .map(outcome -> ((ObservedOutcome.NoNumbers) outcome).problem())
                    .collect(Collectors.toSet());
            assertTrue(!answered.isEmpty(), "calls fail while storage is away");
            assertTrue(CLEAR_FAILURES.containsAll(answered), () -> "Calls fail clearly, but some got " + answered);
        } finally {
            hosts.forEach(HostProcess::close);
        }
    }

    /** Returns a free port that the operating system assigns to no other process while Azurite is down. */
    private static int keptPort() {
        int port = ThreadLocalRandom.current().nextInt(LOWEST_KEPT_PORT, LOWEST_PORT_BY_CHANCE);
        try (ServerSocket free = new ServerSocket(port, 0, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException taken) {
            return keptPort();
        }
    }
}
