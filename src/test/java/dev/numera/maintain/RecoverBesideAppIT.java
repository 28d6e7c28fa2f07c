package dev.numera.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClientBuilder;
import dev.numera.azure.TableNames;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.localhost.Azurite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recovers while two apps run in other processes: one is paused meanwhile, and one is killed. */
@Tag("long")
class RecoverBesideAppIT {
    private static final String[] SEQUENCES = {"strict", "cached", "daily"};

    private final Set<String> allocated = ConcurrentHashMap.newKeySet();
    private final Queue<String> twice = new ConcurrentLinkedQueue<>();
    private final AtomicInteger successes = new AtomicInteger();
    private final AtomicBoolean goesOn = new AtomicBoolean(true);

    @TempDir
    Path folder;

    private static void define(NumeraClient client) {
        put(client, "strict", "{}");
        put(client, "cached", "{\"guarantee\": \"cached\"}");
        put(client, "daily", "{\"resetEvery\": \"day\", \"timeZone\": \"UTC\"}");
    }

    private static void put(NumeraClient client, String name, String definition) {
        client.send("PUT", "/api/sequences/shop/" + name, definition, "If-None-Match", "*")
                .expect(201);
    }

    /** Calls all sequences in turn until the test ends. A host that is killed or paused answers nothing. */
    private Thread caller(HostProcess host) {
        NumeraClient client = new NumeraClient(host.baseUri());
        Thread thread = new Thread(() -> {
            while (goesOn.get()) {
                for (String name : SEQUENCES) {
                    call(client, name);
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void call(NumeraClient client, String name) {
        try {
            NumeraClient.Reply reply = client.next("shop/" + name);
            if (reply.status() != 200) {
                TimeUnit.MILLISECONDS.sleep(20);
                return;
            }
            successes.incrementAndGet();
            String number = name + " " + reply.body().path("period").asText() + " " + reply.first();
            if (!allocated.add(number)) {
                twice.add(number);
            }
        } catch (UncheckedIOException e) {
            // The host was killed, and is about to be started again.
            pause(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String maintain(String storage, String... arguments) {
        try {
            return String.join("\n", Maintain.run(Map.of("NumeraStorage", storage), arguments));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitNumbers(int more) {
        int before = successes.get();
        for (int tries = 0; successes.get() < before + more; tries++) {
            assertTrue(tries < 600, () -> "only " + (successes.get() - before) + " numbers in a minute");
            pause(100);
        }
    }

    private static void signal(String name, HostProcess host) throws IOException, InterruptedException {
        String pid = Long.toString(host.process().pid());
        assertEquals(
                0,
                new ProcessBuilder("kill", "-" + name, pid).inheritIO().start().waitFor());
    }

    /** Backs up, lets the apps allocate more numbers, loses the tables, and recovers while the apps are treated. */
    private void recover(String storage, Path backup, Consumer<Thread> meanwhile) throws InterruptedException {
        maintain(storage, "export", backup.toString());
        awaitNumbers(30);
        for (String table : new String[] {TableNames.COUNTERS, TableNames.BATCHES}) {
            new TableClientBuilder()
                    .connectionString(storage)
                    .tableName(table)
                    .buildClient()
                    .deleteTable();
        }
        Queue<String> said = new ConcurrentLinkedQueue<>();
        Thread recovery =
                new Thread(() -> said.add(maintain(storage, "recover", backup.toString(), "--margin", "9000")));
        recovery.start();
        meanwhile.accept(recovery);
        recovery.join();
        assertTrue(String.join("", said).startsWith("Recovered from"), said::toString);
        awaitNumbers(30);
        assertEquals(Set.of(), Set.copyOf(twice));
    }

    @Test
    void neitherAPausedNorAKilledAppRepeatsANumber() throws Exception {
        try (Azurite azurite = Azurite.inMemory();
                HostProcess paused = HostProcess.start(azurite.connectionString(), Map.of());
                HostProcess killed = HostProcess.start(azurite.connectionString(), Map.of())) {
            String storage = azurite.connectionString();
            define(new NumeraClient(paused.baseUri()));
            caller(paused);
            caller(killed);
            recover(storage, folder.resolve("first.jsonl.gz"), recovery -> {
                stopAndContinue(paused, recovery);
            });
            HostProcess[] restarted = new HostProcess[1];
            try {
                recover(storage, folder.resolve("second.jsonl.gz"), recovery -> {
                    killed.kill();
                    pause(5_000);
                    restarted[0] = HostProcess.restart(killed, storage);
                    restarted[0].kill();
                    restarted[0] = HostProcess.restart(killed, storage);
                });
            } finally {
                goesOn.set(false);
                restarted[0].close();
            }
        }
    }

    /** Pauses the app from before the suspension until the end of the recovery. */
    private static void stopAndContinue(HostProcess host, Thread recovery) {
        try {
            signal("STOP", host);
            recovery.join();
            signal("CONT", host);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
