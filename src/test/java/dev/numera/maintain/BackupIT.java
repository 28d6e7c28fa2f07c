package dev.numera.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupBlobs;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.functions.BackupFunction;
import dev.numera.localhost.Azurite;
import dev.numera.sequences.TestSequences;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of the packaged app to blobs: each is complete, or absent and reported as failed. */
class BackupIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static Azurite azurite;
    /** The proxy between the host and its blobs. The host starts no backups by schedule. */
    private static FaultProxy blobs;

    private static HostProcess host;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        azurite = Azurite.inMemory();
        new BackupBlobs(connection(azurite.connectionString())).create();
        Azurite.Ports ports = azurite.ports();
        blobs = FaultProxy.before(new Azurite.Ports(ports.blob(), ports.queue(), ports.blob()));
        host = HostProcess.start(
                Azurite.connectionString(new Azurite.Ports(blobs.port(), ports.queue(), ports.table())), Map.of());
    }

    @AfterAll
    static void stop() {
        host.close();
        blobs.close();
        azurite.close();
    }

    @AfterEach
    void healBlobs() {
        blobs.heal();
    }

    @BeforeEach
    void tablesAreEmpty() {
        TableServiceClient tables = new TableServiceClientBuilder()
                .connectionString(azurite.connectionString())
                .buildClient();
        TableNames.ALL.forEach(name -> {
            tables.deleteTable(name);
            tables.createTable(name);
        });
    }

    private static StorageConnection connection(String text) {
        return new StorageConnection.ConnectionString(text);
    }

    private static List<String> maintain(String... arguments) throws Exception {
        return Maintain.run(
                Map.of("NumeraStorage", azurite.connectionString()), TestClock.alone(Instant.now()), arguments);
    }

    private static String restoreRefused(Path file) {
        return assertThrows(IOException.class, () -> maintain("restore", file.toString()))
                .getMessage();
    }

    private static void await(HostProcess host, int from, String text) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!host.output().substring(from).contains(text)) {
            assertTrue(System.nanoTime() < end, () -> "no '" + text + "' in " + host.output());
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** Starts a backup in the host, in a second of its own, because the names of backups differ by seconds. */
    private static void setOff() throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
        assertEquals(202, host.setOff("Backup"));
    }

    /** Allocates a number with an instance that is not used again. */
    private static void number() {
        NumberRequest request = new NumberRequest("key", 1, null, false);
        assertEquals(
                1,
                TestSequences.over(TestAccount.at(azurite.connectionString()))
                        .start()
                        .allocator()
                        .next(new SequenceName("shop", "order"), List.of(request))
                        .results()
                        .get(0)
                        .orThrow()
                        .first());
    }

    @Test
    void theTimerWritesABackupThatIsRestoredFromTheBlob() throws Exception {
        // The number is allocated first, because a backup made meanwhile could contain the counter without the key.
        number();
        List<String> before = maintain("list");
        try (HostProcess timed =
                HostProcess.start(azurite.connectionString(), Map.of("Numera_BackupSchedule", "*/5 * * * * *"))) {
            await(timed, 0, BackupFunction.WRITTEN + ": ");
        }
        List<String> names =
                maintain("list").stream().filter(name -> !before.contains(name)).toList();
        assertFalse(names.isEmpty());
        String place = "blob:" + names.get(names.size() - 1);
        assertTrue(place.matches("blob:numera-\\d{8}T\\d{6}Z\\.jsonl\\.gz"), place);
        List<String> checked = maintain("check", place);
        assertTrue(
                checked.get(0).matches(".* is complete: [1-9]\\d* rows, started at \\d{4}.*Z\\."), checked::toString);

        tablesAreEmpty();
        maintain("restore", place);
        // No number was allocated after the backup.
        maintain("resume", "--accept-restored", "shop/order");
        maintain("resume", "--all");
        NumeraClient client = new NumeraClient(host.baseUri());
        assertEquals(1, client.next("shop/order", "", "key").expect(200).first());
        assertEquals(2, client.next("shop/order").expect(200).first());
    }

    @Test
    @Tag("long")
    void backupWithoutBlobStorageIsReportedAsFailedAndTheNextSucceeds() throws Exception {
        List<String> before = maintain("list");
        int from = host.output().length();
        blobs.inject(Fault.closedBeforeForwarding(), Nth.every().onPath("comp=blocklist"));
        setOff();
        await(host, from, BackupFunction.FAILED + ": Committing numera-");
        assertEquals(before, maintain("list"));
        assertFalse(host.output().substring(from).contains(BackupFunction.WRITTEN), host::output);
        blobs.heal();
        setOff();
        await(host, from, BackupFunction.WRITTEN);
        assertTrue(maintain("list").size() > before.size());
    }

    /** On Azure, the policy of the container refuses a second commit of a blob. */
    @Test
    void refusedSecondCommitOfACompleteBackupIsNoFailure() throws Exception {
        int from = host.output().length();
        blobs.inject(Fault.committedButStatus(409, ErrorBody.NONE), Nth.every().onPath("comp=blocklist"));
        setOff();
        await(host, from, BackupFunction.WRITTEN);
        assertFalse(host.output().substring(from).contains(BackupFunction.FAILED), host::output);
    }

    @Test
    @Tag("long")
    void backupWithoutTablesLeavesNoBlob() throws Exception {
        number();
        Path file = folder.resolve("numera.jsonl.gz");
        List<String> before = maintain("list");
        try (FaultProxy tables = FaultProxy.before(azurite.ports())) {
            tables.inject(Fault.closedBeforeForwarding(), new Nth(Set.of(RequestKind.READ), "", 2, Long.MAX_VALUE));
            Map<String, String> storage = Map.of("NumeraStorage", tables.connectionString());
            assertThrows(StoreFailure.class, () -> Maintain.run(storage, "export", "blob:half"));
            assertThrows(StoreFailure.class, () -> Maintain.run(storage, "export", file.toString()));
            // Azurite answers a wrong key with an XML body, for which the client would load a parser that the jar
            // lacks.
            tables.heal();
            tables.inject(Fault.status(403, ErrorBody.XML), Nth.every());
            StoreFailure refused =
                    assertThrows(StoreFailure.class, () -> Maintain.run(storage, "export", file.toString()));
            assertTrue(refused.getMessage().contains("403"), refused::getMessage);
        }
        assertEquals(before, maintain("list"));
        try (var files = Files.list(folder)) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void aTruncatedBackupIsRefusedAndNothingIsOverwritten() throws Exception {
        number();
        Path file = folder.resolve("numera.jsonl.gz");
        Path half = folder.resolve("half.jsonl.gz");
        Path changed = folder.resolve("changed.jsonl.gz");
        maintain("export", file.toString());
        byte[] whole = Files.readAllBytes(file);
        List<String> lines = BackupLines.of(file);
        Files.write(half, Arrays.copyOf(whole, whole.length - 20));
        Files.write(
                changed,
                BackupLines.packed(lines.stream()
                        .map(line -> line.replace("\"next\":{\"int64\":\"2\"}", "\"next\":{\"int64\":\"1\"}"))
                        .toList()));

        tablesAreEmpty();
        assertEquals(half + " is cut off or damaged: Unexpected end of ZLIB input stream.", restoreRefused(half));
        assertTrue(restoreRefused(changed).contains(" has another checksum than the lines before it"));
        maintain("export", "blob:nothing");
        assertTrue(
                maintain("check", "blob:nothing").get(0).startsWith("blob:nothing is complete: 0 rows, started at "));

        assertThrows(IllegalStateException.class, () -> maintain("export", "blob:nothing"));
        assertThrows(IllegalStateException.class, () -> maintain("export", file.toString()));
        assertEquals(lines, BackupLines.of(file));
    }
}
