package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.numera.contract.Defined;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Definition;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.access.DefinitionStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to an account that never answers end at the deadline of the call. */
class DeadlinePolicyTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final Definition DEFINITION =
            Defined.definition(Guarantee.STRICT, new Series(1, 1, 1, 1_000, false), ResetEvery.NEVER);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final CountDownLatch isOver = new CountDownLatch(1);
    private final List<String> received = new CopyOnWriteArrayList<>();
    private HttpServer silent;
    private String address;

    @BeforeEach
    void listen() throws IOException {
        silent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        silent.setExecutor(Executors.newCachedThreadPool());
        silent.createContext("/", exchange -> {
            received.add(exchange.getRequestMethod());
            try {
                isOver.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        silent.start();
        address = "http://127.0.0.1:" + silent.getAddress().getPort() + "/devstoreaccount1";
    }

    private DefinitionStore store(Duration requestTimeout) {
        String connection = "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=a2V5;TableEndpoint="
                + address + ";QueueEndpoint=" + address + ";";
        return new StorageAccount(new StorageConnection.ConnectionString(connection), requestTimeout)
                .stores()
                .definitions();
    }

    @AfterEach
    void stop() {
        isOver.countDown();
        silent.stop(0);
    }

    private Duration taken(Runnable request) {
        long began = System.nanoTime();
        request.run();
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private StoreFailure failed(Runnable request) {
        return assertThrows(StoreFailure.class, request::run);
    }

    private static WriteResult insert(DefinitionStore store) {
        return store.insert(Defined.stored(NAME, DEFINITION, false, null, null), Defined.change());
    }

    /** Returns a deadline whose remaining time is constant, regardless of how long the test takes. */
    private static Deadline in(Duration duration) {
        return Deadline.in(duration, TestClock.alone());
    }

    @Test
    void aReadEndsAtTheDeadline() {
        DefinitionStore store = store(LONG);
        Duration taken = taken(() ->
                assertTrue(failed(() -> in(SHORT).limit(() -> store.find(NAME))).isWorthRetrying()));
        assertTrue(taken.compareTo(LONG) < 0, taken::toString);
        assertEquals(List.of("GET"), received);
    }

    @Test
    void aReadLongBeforeTheDeadlineEndsAtItsTimeout() {
        DefinitionStore store = store(SHORT);
        Duration taken = taken(() -> failed(() -> in(LONG).limit(() -> store.find(NAME))));
        assertTrue(taken.compareTo(LONG) < 0, taken::toString);
    }

    @Test
    void withoutADeadlineAReadHasItsWholeTimeout() {
        DefinitionStore store = store(SHORT);
        Duration taken = taken(() -> failed(() -> store.find(NAME)));
        assertTrue(taken.compareTo(SHORT) >= 0, taken::toString);
    }

    /** A write that the deadline cut short would have an unknown outcome although its answer may be on its way. */
    @Test
    void aWriteThatIsSentInTimeKeepsItsWholeTimeout() {
        DefinitionStore store = store(SHORT);
        Duration taken = taken(() -> assertInstanceOf(
                WriteResult.Unknown.class, in(SHORT.dividedBy(10)).limit(() -> insert(store))));
        assertTrue(taken.compareTo(SHORT) >= 0, taken::toString);
    }

    @Test
    void afterTheDeadlineNothingIsSentAndNothingWasWritten() {
        DefinitionStore store = store(SHORT);
        Deadline over = in(Duration.ZERO);
        StoreFailure read = failed(() -> over.limit(() -> store.find(NAME)));
        StoreFailure written = failed(() -> over.limit(() -> insert(store)));
        assertEquals(List.of(), received);
        for (StoreFailure failure : List.of(read, written)) {
            assertTrue(failure.isWorthRetrying());
            assertTrue(failure.getMessage().contains("the time of the call was over"), failure::getMessage);
        }
    }
}
