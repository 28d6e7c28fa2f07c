package dev.numera.bench;

import dev.numera.azure.StorageAccount;
import dev.numera.azure.StorageConnection;
import dev.numera.bench.harness.Crew;
import dev.numera.bench.http.HttpEndToEnd;
import dev.numera.bench.http.LongCalls;
import dev.numera.bench.http.Memory;
import dev.numera.bench.start.ColdStart;
import dev.numera.bench.strategy.Catalogue;
import dev.numera.bench.strategy.Connections;
import dev.numera.bench.virtual.VirtualTable;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.localhost.Azurite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The main class of the benchmarks: starts the stores, measures, and prints tables. A full run, and the run at a
 * distance, write their figures to docs/benchmarks.md and their charts to docs/benchmarks. Any other run writes both to
 * target/bench.
 */
final class Benchmarks {
    private static final Path WORK = Path.of("target", "bench");
    private static final Path PACKAGE = Path.of(System.getProperty("numera.package", "target/azure-functions/numera"));

    private final Options options;
    private final Page page;

    private Benchmarks(Options options) throws IOException {
        this.options = options;
        this.page = options.isForTheDocs() ? Page.ofTheDocs() : Page.copyIn(WORK);
    }

    /** Takes its options from system properties: see {@link Options}. */
    public static void main(String[] arguments) throws IOException {
        Files.createDirectories(WORK);
        new Benchmarks(Options.ofSystemProperties()).run();
        System.exit(0);
    }

    private void run() throws IOException {
        if (options.parts().contains(Options.Part.PARTITION)) {
            stressPartition();
            return;
        }
        if (options.parts().contains(Options.Part.DISTANCE)) {
            measureAtADistance();
            return;
        }
        page.fill("run", page.run());
        try (Azurite azurite = Azurite.inMemory()) {
            createTables(azurite.connectionString());
            withCrew(azurite);
            if (options.parts().contains(Options.Part.HTTP)) {
                page.fill("http", HttpEndToEnd.run(azurite, WORK, options.isQuick()));
            }
            if (options.parts().contains(Options.Part.CALLS)) {
                page.fill("calls", LongCalls.run(PACKAGE, options.beside().map(Path::of), options.isQuick()));
            }
            if (options.parts().contains(Options.Part.MEMORY)) {
                page.fill("memory", Memory.run(azurite.connectionString(), options.isQuick()));
            }
            if (options.parts().contains(Options.Part.START)) {
                page.fill("start", ColdStart.run(PACKAGE, azurite.connectionString(), WORK, options.isQuick()));
            }
        }
        page.write();
    }

    private void withCrew(Azurite azurite) throws IOException {
        try (OtherStores others = OtherStores.start(WORK);
                Crew crew = new Crew(
                        new Connections.Addresses(azurite.connectionString(), others.postgresUrl(), others.redisPort()),
                        WORK)) {
            Set<Catalogue.Store> stores = EnumSet.of(Catalogue.Store.AZURE, Catalogue.Store.NONE);
            stores.addAll(others.started());
            if (options.parts().contains(Options.Part.SPEED)) {
                page.fill("speed", SpeedTable.run(crew, options, stores));
            }
            if (options.parts().contains(Options.Part.STRATEGIES)) {
                StrategyComparison comparison = StrategyComparison.run(crew, options, stores);
                comparison.write(page.figures());
                page.fill("strategies", comparison.summary() + "\n" + others.skipped());
            }
            if (options.parts().contains(Options.Part.BACKOFF)) {
                BackoffComparison comparison = BackoffComparison.run(crew, options);
                comparison.write(page.figures());
                page.fill("backoff", comparison.summary());
            }
        }
    }

    /**
     * Measures one sequence with distant storage: in virtual time, checked with real processes, or against a real
     * account that contains no sequences.
     */
    private void measureAtADistance() throws IOException {
        if (options.connection().isPresent()) {
            measureOver(options.connection().get());
        } else {
            Options.Distance distance = options.distance();
            VirtualTable virtual =
                    VirtualTable.run(distance.medianMillis(), distance.sigma(), options.isQuick(), Progress::say);
            virtual.write(page.figures());
            page.fill("distance", "At commit " + page.commit() + ".\n\n" + virtual.summary());
            checkWithProcesses(virtual, distance);
        }
        page.write();
    }

    private void measureOver(String connection) throws IOException {
        createTables(connection);
        requireNoSequences(connection);
        try (Crew crew = new Crew(new Connections.Addresses(connection, null, 0), WORK)) {
            DistanceTable distance = DistanceTable.run(crew, options.isQuick());
            distance.write(page.figures());
            page.fill(
                    "distance",
                    page.run() + "\nThe storage is a real account, over the network as it is.\n" + distance.summary());
        }
    }

    private void checkWithProcesses(VirtualTable virtual, Options.Distance distance) throws IOException {
        try (Azurite azurite = Azurite.inMemory();
                FaultProxy proxy = FaultProxy.before(azurite.ports());
                Crew crew = new Crew(new Connections.Addresses(proxy.connectionString(), null, 0), WORK)) {
            createTables(azurite.connectionString());
            proxy.delay(Duration.ofNanos((long) (distance.medianMillis() * 1e6)), distance.sigma());
            page.fill("processes", page.run() + "\n\n" + ProcessCheck.run(crew, virtual, options.isQuick()));
        }
    }

    private static void requireNoSequences(String connection) {
        StorageAccount account =
                new StorageAccount(new StorageConnection.ConnectionString(connection), Duration.ofSeconds(10));
        if (!account.stores().definitions().walk(1, null).items().isEmpty()) {
            throw new IllegalArgumentException(
                    "-Dconnection: the account holds sequences. The benchmark writes thousands"
                            + " of rows into the app's tables: give it an account of its own, and delete its tables afterwards.");
        }
    }

    /** Prints the result without saving it, because it belongs to the owner of the account. */
    private void stressPartition() {
        if (options.connection().isPresent()) {
            System.out.println(PartitionStress.run(options.connection().get(), options.isQuick()));
            return;
        }
        try (Azurite azurite = Azurite.inMemory()) {
            System.out.println(PartitionStress.run(azurite.connectionString(), options.isQuick()));
        }
    }

    private static void createTables(String connection) throws StoreFailure {
        new StorageAccount(new StorageConnection.ConnectionString(connection), Duration.ofSeconds(10)).createTables();
    }
}
