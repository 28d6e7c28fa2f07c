package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.numera.localhost.Azurite;
import dev.numera.maintain.history.ObservedCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs four processes and sequences of every guarantee for minutes. Tables fail at random, and in each window of 20 s a
 * process is killed, formats change and sequences are advanced. All promises are checked after each window. At the end,
 * the process that was never killed must be as large as after the first window.
 *
 * <p>{@code -Dsoak=20} runs it for 20 minutes.
 */
@Tag("long")
class SoakIT {
    private static final int MINUTES = Integer.getInteger("soak", 1);
    private static final int MAX_MINUTES = 600;
    private static final int WINDOW_SECONDS = 20;
    private static final int PROCESSES = 4;
    /** The last process, which runs from the start to the end. */
    private static final int SURVIVOR = PROCESSES - 1;

    private static final int FEWEST_CALLS = 50;

    private final List<SoakedSequence> sequences = List.of(
            new SoakedSequence("strict", true, true),
            new SoakedSequence("gapless", true, false),
            new SoakedSequence("cached", false, true),
            new SoakedSequence("snowflake", false, true));

    @Test
    void promisesHoldAndNothingGrows() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "without /proc no process can be measured");
        assertTrue(MINUTES >= 1 && MINUTES <= MAX_MINUTES, "-Dsoak is from 1 to " + MAX_MINUTES + " minutes");
        try (Azurite azurite = Azurite.inMemory();
                SoakHosts hosts = new SoakHosts(PROCESSES, azurite)) {
            for (SoakedSequence sequence : sequences) {
                hosts.client(0)
                        .send("PUT", sequence.path(), sequence.definition(), "If-None-Match", "*")
                        .expect(201);
            }
            long startNanos = System.nanoTime();
            soak(0, hosts);
            List<ProcessSize> before = sizes("after the first window", hosts);
            for (int window = 1; System.nanoTime() - startNanos < TimeUnit.MINUTES.toNanos(MINUTES); window++) {
                soak(window, hosts);
            }
            sizes("at the end", hosts).get(SURVIVOR).requireNoGrowthSince(before.get(SURVIVOR));
        }
    }

    private void soak(int window, SoakHosts hosts) throws Exception {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);
        AtomicBoolean goesOn = new AtomicBoolean(true);
        hosts.injectFaults(window);
        sequences.forEach(sequence -> sequence.startWindow(window, hosts, goesOn::get));
        StatusRace statuses = new StatusRace("soak/statuses", new Pace());
        statuses.add("window-" + window, () -> hosts.base(0), () -> hosts.base(SURVIVOR), goesOn::get);

        SoakOwner owner = new SoakOwner(hosts.client(window % SURVIVOR));
        sequences.forEach(sequence -> sequence.change(window, owner));
        hosts.killAndRestart((window + 1) % SURVIVOR);
        sequences.stream().filter(SoakedSequence::canBeAdvanced).forEach(sequence -> sequence.advance(owner));
        TimeUnit.NANOSECONDS.sleep(endNanos - System.nanoTime());

        goesOn.set(false);
        for (SoakedSequence sequence : sequences) {
            sequence.awaitCallers();
        }
        long faults = hosts.heal();
        int keys = statuses.requireTrue(hosts.client(SURVIVOR));
        judge(window, hosts, faults, keys);
    }

    private void judge(int window, SoakHosts hosts, long faults, int keys) {
        List<String> figures = new ArrayList<>();
        for (SoakedSequence sequence : sequences) {
            List<ObservedCall> calls = sequence.judge(hosts.client(window % PROCESSES));
            long answered =
                    calls.stream().filter(call -> call.numbers().isPresent()).count();
            assertTrue(answered >= FEWEST_CALLS, () -> sequence.name() + " was answered " + answered + " times");
            figures.add(sequence.name() + " " + answered + " of " + calls.size());
        }
        assertTrue(faults > 0, "no request to storage failed");
        System.out.println("Window " + window + ": numbers for " + String.join(", ", figures) + " calls, " + keys
                + " numbers confirmed and void at once, " + faults + " faults, 1 kill");
    }

    private static List<ProcessSize> sizes(String when, SoakHosts hosts) throws Exception {
        List<ProcessSize> sizes = new ArrayList<>();
        for (int number = 0; number < hosts.count(); number++) {
            sizes.add(hosts.size(number));
        }
        System.out.println("Processes " + when + ": " + sizes);
        return sizes;
    }
}
