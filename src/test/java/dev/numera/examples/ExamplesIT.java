package dev.numera.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.sun.net.httpserver.HttpServer;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.Program;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.localhost.Azurite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the programs in {@code clients/examples} as users copy them, behind a proxy that loses, cuts off and refuses
 * their requests. A program is skipped if its language is not installed.
 */
@Timeout(600)
@Tag("long")
class ExamplesIT {
    private static final Path EXAMPLES = Path.of("clients", "examples").toAbsolutePath();
    private static final Path MODULES = Path.of("src", "test", "tables").toAbsolutePath();
    private static final int MAX_LINES = 80;
    private static final List<String> ORDERS = List.of("order-1", "Bestellung-Ä", "order 3");

    private static Azurite azurite;
    private static HostProcess host;
    private static FaultProxy proxy;

    @TempDir
    private static Path javaClient;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        Program.compileJava(javaClient, Path.of("clients", "java", "src", "main", "java"));
        azurite = Azurite.inMemory();
        QueueServiceClient queues = new QueueServiceClientBuilder()
                .connectionString(azurite.connectionString())
                .buildClient();
        List.of("numbering-requests", "numbering-results")
                .forEach(name -> queues.getQueueClient(name).createIfNotExists());
        host = HostProcess.start(azurite.connectionString(), Map.of());
        proxy = FaultProxy.before(new Azurite.Ports(0, 0, host.baseUri().getPort()));
    }

    @AfterAll
    static void stop() {
        proxy.close();
        host.close();
        azurite.close();
    }

    @Test
    void eachIsShortEnoughToBeCopied() throws IOException {
        try (Stream<Path> listed = Files.list(EXAMPLES)) {
            List<Path> files = listed.toList();
            assertFalse(files.isEmpty(), "there are no examples");
            for (Path file : files) {
                assertTrue(Files.readAllLines(file).size() <= MAX_LINES, file::toString);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"checkout.mjs", "checkout.py", "Checkout.java"})
    void aCheckoutNumbersNoOrderTwiceWhateverFails(String example) throws Exception {
        String sequence = "faults/" + example;
        List<Fault> faults = List.of(
                Fault.replyLost(),
                Fault.retryAfter(503, 1),
                Fault.replyCut(),
                Fault.closedBeforeForwarding(),
                Fault.committedButStatus(500, ErrorBody.NONE),
                Fault.forwardedTwice());
        for (int i = 0; i < faults.size(); i++) {
            proxy.inject(faults.get(i), Nth.any(i + 1));
        }

        String said = run(sequence, example, ORDERS);

        assertEquals("order-1 1\nBestellung-Ä 2\norder 3 3\n", said);
        assertEquals(said, run(sequence, example, ORDERS), "the same once more");
        assertEquals(4, next(sequence), "each order took one number");
        proxy.heal();
    }

    @ParameterizedTest
    @ValueSource(strings = {"checkout.mjs", "checkout.py", "Checkout.java"})
    void aCheckoutOutlivesTheApp(String example) throws Exception {
        String sequence = "killed/" + example;
        proxy.traffic().forget();
        proxy.inject(Fault.replyLost(), Nth.any(2));
        Process checkout = start(sequence, example, ORDERS);
        while (proxy.traffic().forwarded(RequestKind.INSERT) < 2) {
            assertTrue(checkout.isAlive(), "it has ended");
            Thread.onSpinWait();
        }
        host.kill();
        HostProcess killed = host;
        host = HostProcess.restart(killed, azurite.connectionString());
        killed.close();

        assertEquals("order-1 1\nBestellung-Ä 2\norder 3 3\n", finished(checkout));
        assertEquals(4, next(sequence), "each order took one number");
        proxy.heal();
    }

    @Test
    void aRefusedRequestIsNotRetried() throws Exception {
        new NumeraClient(host.baseUri())
                .send("PUT", "/api/sequences/refused/cached", "{\"guarantee\": \"cached\"}", "If-None-Match", "*")
                .expect(201);
        for (String example : List.of("checkout.mjs", "checkout.py", "Checkout.java")) {
            proxy.traffic().forget();
            Process checkout = start("refused/cached", example, ORDERS);
            String said = new String(checkout.getInputStream().readAllBytes());

            assertTrue(checkout.waitFor() != 0, said);
            assertEquals("", said);
            assertEquals(1, proxy.traffic().forwarded(RequestKind.INSERT), example);
        }
    }

    @Test
    void aFileIsNumberedByAnUpload() throws Exception {
        Path orders = Files.writeString(folder.resolve("orders.csv"), "order,customer\na,4711\nb,4712\na c,4713\n");
        Path numbered = folder.resolve("numbered.csv");
        proxy.inject(Fault.replyLost(), Nth.any(1));
        proxy.inject(Fault.retryAfter(503, 1), Nth.any(3));

        run("shop/nightly", "nightly_upload.py", List.of(orders.toString(), numbered.toString()));

        String expected =
                "order,customer,number,text,problem,stored_date\r\na,4711,1,,,\r\nb,4712,2,,,\r\na c,4713,3,,,\r\n";
        assertEquals(expected, Files.readString(numbered));
        run("shop/nightly", "nightly_upload.py", List.of(orders.toString(), numbered.toString()));
        assertEquals(expected, Files.readString(numbered));
        assertEquals(4, next("shop/nightly"));
        proxy.heal();
    }

    @Test
    void aListIsNumberedByTheQueue() throws Exception {
        List<String> words = new ArrayList<>(List.of("nightly-2026-11-21"));
        StringBuilder expected = new StringBuilder();
        for (int i = 1; i <= 200; i++) {
            words.add("order-" + i);
            expected.append("order-").append(i).append(' ').append(i).append('\n');
        }

        List<String> said =
                run("shop/queue", "nightly-queue.mjs", words).lines().toList();

        assertEquals(200, said.size());
        assertEquals(
                200, said.stream().map(line -> line.split(" ")[1]).distinct().count());
        assertEquals(
                said.stream().sorted().toList(),
                run("shop/queue", "nightly-queue.mjs", words).lines().sorted().toList());
        assertEquals(201, next("shop/queue"));
    }

    /** An answer of an earlier run may be split at other keys. Its parts once counted as those of this run. */
    @Test
    void keysAreNotLostIfAnEarlierAnswerWasSplitElsewhere() throws Exception {
        new QueueServiceClientBuilder()
                .connectionString(azurite.connectionString())
                .buildClient()
                .getQueueClient("numbering-results")
                .sendMessage(
                        "{\"id\": \"split-1\", \"status\": \"numbered\", \"part\": 1, \"parts\": 1, \"allocations\": ["
                                + "{\"key\": \"a\", \"first\": 1, \"last\": 1, \"count\": 1, \"increment\": 1}]}");

        assertEquals("a 1\nb 2\nc 3\n", run("shop/split", "nightly-queue.mjs", List.of("split", "a", "b", "c")));
    }

    @Test
    void theQueueExampleSignsInWithAnIdentityOnAzure() throws Exception {
        BlockingQueue<String> tokenRequests = new LinkedBlockingQueue<>();
        HttpServer identities = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        identities.createContext("/", exchange -> {
            tokenRequests.add(exchange.getRequestURI().getQuery());
            exchange.sendResponseHeaders(400, -1);
            exchange.close();
        });
        identities.start();
        try {
            Process example = start(
                    "nightly-queue.mjs",
                    List.of("nightly", "order-1"),
                    Map.of(
                            "NUMERA_STORAGE",
                            "https://stnumera.queue.core.windows.net",
                            "AZURE_TOKEN_CREDENTIALS",
                            "ManagedIdentityCredential",
                            "IDENTITY_ENDPOINT",
                            "http://127.0.0.1:" + identities.getAddress().getPort() + "/msi/token",
                            "IDENTITY_HEADER",
                            "secret"));

            assertTrue(example.waitFor(120, TimeUnit.SECONDS));
            assertTrue(example.exitValue() != 0, "it numbered without a token");
            assertFalse(tokenRequests.isEmpty(), this::errors);
            assertTrue(tokenRequests.remove().contains("resource=https://storage.azure.com"), tokenRequests::toString);
        } finally {
            identities.stop(0);
        }
    }

    @Test
    void theLedgerIsWrittenForASpreadsheet() throws Exception {
        NumeraClient client = new NumeraClient(host.baseUri());
        for (String key : List.of("a", "b", "=1+1", "Ä", "e")) {
            client.next("shop/ledger", "?date=2026-11-21&key=" + URLEncoder.encode(key, StandardCharsets.UTF_8), null)
                    .expect(200);
        }
        Path ledger = folder.resolve("ledger.csv");
        proxy.inject(Fault.retryAfter(503, 1), Nth.any(2));

        run(
                "shop/ledger",
                "ledger_to_csv.py",
                List.of(ledger.toString(), "limit=2", "dateFrom=2026-11-01", "dateTo=2026-11-30"));

        List<String> lines = Files.readAllLines(ledger);
        assertEquals(
                "\uFEFFkind,number,to,text,key,period,date,allocatedAt,status,reason,statusAt,actor,statusActor,actorId,statusActorId",
                lines.get(0));
        assertEquals(
                List.of("1 a", "2 b", "3 '=1+1", "4 Ä", "5 e"),
                lines.stream()
                        .skip(1)
                        .map(line -> line.split(",")[1] + " " + line.split(",")[4])
                        .toList());
        proxy.heal();
    }

    private static long next(String sequence) {
        return new NumeraClient(host.baseUri())
                .get("/api/sequences/" + sequence + "/state")
                .expect(200)
                .body()
                .get("next")
                .longValue();
    }

    private String run(String sequence, String example, List<String> arguments) throws Exception {
        return finished(start(sequence, example, arguments));
    }

    private String finished(Process process) throws Exception {
        String said = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(120, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), () -> said + errors());
        return said;
    }

    private String errors() {
        try {
            return Files.readString(folder.resolve("errors.txt"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Process start(String sequence, String example, List<String> arguments) throws Exception {
        return start(
                example,
                arguments,
                Map.of(
                        "NUMERA_URL",
                        "http://127.0.0.1:" + proxy.port() + "/api",
                        "NUMERA_SEQUENCE",
                        sequence,
                        "NUMERA_STORAGE",
                        azurite.connectionString()));
    }

    private Process start(String example, List<String> arguments, Map<String, String> environment) throws Exception {
        Path file = EXAMPLES.resolve(example);
        List<String> command = new ArrayList<>();
        if (example.endsWith(".java")) {
            command.addAll(List.of(Program.jdk("java"), "-cp", javaClient.toString()));
        } else if (example.endsWith(".py")) {
            assumeTrue(Program.isOnPath("python3"), "Python is not installed");
            command.add("python3");
        } else {
            command.add("node");
        }
        if (Files.readString(file).contains("@azure/storage-queue")) {
            file = besideItsModules(file);
        }
        command.add(file.toString());
        command.addAll(arguments);
        ProcessBuilder process = new ProcessBuilder(command)
                .redirectError(folder.resolve("errors.txt").toFile());
        process.environment().putAll(environment);
        return process.start();
    }

    /** Copies an example next to its modules, because Node searches for modules from the folder of the program. */
    private static Path besideItsModules(Path example) throws Exception {
        Program.installPackages(MODULES);
        Path copies = Files.createDirectories(Path.of("target", "examples").toAbsolutePath());
        Path link = copies.resolve("node_modules");
        if (Files.notExists(link)) {
            Files.createSymbolicLink(link, MODULES.resolve("node_modules"));
        }
        return Files.copy(example, copies.resolve(example.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
}
