package dev.numera.clients;

import static dev.numera.clients.ClientLanguage.CLIENTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cancels a call in each language while it waits for its next attempt, and bounds one call more tightly than its
 * client. Nothing listens at the address, so each attempt fails at once. The client would retry for two minutes, which
 * is longer than this test may take.
 */
@Timeout(100)
@Tag("long")
class CallLimitsTest {
    private static final byte[] STATE =
            "{\"next\": 1, \"allocated\": 0, \"left\": 9, \"used\": 0}".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @Test
    void javaScriptCallEndsWithItsSignalOrItsTime() throws Exception {
        String program = "import { Numera } from '"
                + CLIENTS.resolve("javascript/numera.js").toUri() + "';\n"
                + """
                const numera = new Numera({ url: 'http://127.0.0.1:1' });
                const stop = new AbortController();
                setTimeout(() => stop.abort(new Error('stopped')), 100);
                await numera.next('a/b', 'k', { signal: stop.signal }).catch((e) => console.log(e.message));
                await numera.next('a/b', 'k', { tryForSeconds: 0.5 }).catch((e) => console.log(e.name, e.attempts));
                """;

        assertEquals(
                new Program(0, "stopped\nNumeraUnavailable 1"),
                Program.run("node", "--input-type=module", "-e", program));
    }

    @Test
    void pythonCallEndsWithItsEventOrItsTime() throws Exception {
        String program =
                """
                import threading, numera_client
                numera = numera_client.Numera('http://127.0.0.1:1')
                stop = threading.Event()
                threading.Timer(0.1, stop.set).start()
                for options in ({'cancel': stop}, {'try_for_seconds': 0.5}):
                    try:
                        numera.next('a/b', 'k', **options)
                    except numera_client.NumeraUnavailable as e:
                        print(e.attempts, 'cancelled' in str(e))
                """;

        assertEquals(new Program(0, "1 True\n1 False"), python(program));
    }

    @Test
    void goCallEndsWithItsContext() throws Exception {
        assumeTrue(Program.isOnPath("go"), "Go is not installed, so its client is not tried");
        Files.writeString(
                folder.resolve("go.mod"),
                "module limits\ngo 1.23\nrequire numera.dev/client v0.0.0\nreplace numera.dev/client => "
                        + CLIENTS.resolve("go") + "\n");
        Files.writeString(
                folder.resolve("main.go"),
                """
                package main

                import (
                	"context"
                	"fmt"
                	"time"

                	numera "numera.dev/client"
                )

                func main() {
                	client, _ := numera.New(numera.Config{URL: "http://127.0.0.1:1"})
                	ctx, stop := context.WithCancel(context.Background())
                	time.AfterFunc(100*time.Millisecond, stop)
                	_, err := client.Next(ctx, "a/b", "k", nil)
                	fmt.Println(err)
                }
                """);

        Map<String, String> environment = Map.of("GOTOOLCHAIN", "local", "GOFLAGS", "-buildvcs=false");
        assertEquals(
                new Program(0, "context canceled"),
                Program.run(environment, "go", "-C", folder.toString(), "run", "."));
    }

    @Test
    void javaCallEndsWithItsFutureOrItsTime() throws Exception {
        Program.compileJava(folder, CLIENTS.resolve("java/src/main/java"));
        Path program = Files.writeString(
                folder.resolve("CallLimits.java"),
                """
                import dev.numera.client.*;
                import java.time.Duration;
                import java.util.concurrent.*;

                class CallLimits {
                    public static void main(String[] arguments) throws Exception {
                        CountDownLatch pausing = new CountDownLatch(1);
                        CountDownLatch ended = new CountDownLatch(1);
                        Numera numera = Numera.at("http://127.0.0.1:1").onRetry(retry -> pausing.countDown()).build();
                        CompletableFuture<Allocation> call = numera.async(client -> {
                            try {
                                return client.next("a/b", "k");
                            } finally {
                                ended.countDown();
                            }
                        });
                        pausing.await();
                        System.out.println(call.cancel(true));
                        ended.await();
                        try {
                            numera.next("a/b", "k", NextOptions.NONE.withTryFor(Duration.ofMillis(500)));
                        } catch (NumeraUnavailable e) {
                            System.out.println(e.attempts());
                        }
                    }
                }
                """);

        assertEquals(
                new Program(0, "true\n1"),
                Program.run(Program.jdk("java"), "-cp", folder.toString(), program.toString()));
    }

    /** A forked process must not share a connection, because both processes would read each other's answers. */
    @Test
    void pythonClientKeepsItsConnectionButNotAcrossAFork() throws Exception {
        Set<Integer> connections = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newCachedThreadPool();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            connections.add(exchange.getRemoteAddress().getPort());
            exchange.sendResponseHeaders(200, STATE.length);
            exchange.getResponseBody().write(STATE);
            // Closing the exchange instead would close its connection.
            exchange.getResponseBody().close();
        });
        server.start();
        try {
            String program = "import os, numera_client\n"
                    + "numera = numera_client.Numera('http://127.0.0.1:"
                    + server.getAddress().getPort() + "/api')\n"
                    + "for _ in range(20): numera.state('a/b')\n"
                    + "if os.fork() == 0:\n    numera.state('a/b')\n    os._exit(0)\n"
                    + "os.wait()\nnumera.state('a/b')\n";

            assertEquals(new Program(0, ""), python(program));
            assertEquals(2, connections.size(), "one of the process, and one of its child");
        } finally {
            server.stop(0);
            threads.shutdownNow();
        }
    }

    private static Program python(String program) throws IOException, InterruptedException {
        assumeTrue(Program.isOnPath("python3"), "Python is not installed, so its client is not tried");
        return Program.run(Map.of("PYTHONPATH", CLIENTS + "/python/src"), "python3", "-B", "-c", program);
    }
}
