package dev.numera.functions;

import dev.numera.azure.StorageAccount;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.lists.BoundedUploadStore;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.OldUploads;
import dev.numera.sequences.lists.UploadReader;
import dev.numera.sequences.lists.UploadStore;
import dev.numera.sequences.lists.Uploads;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The app in this process: creates the objects that all functions share. If a setting is wrong, every call is answered
 * with that problem. Thread-safe.
 */
public final class App {
    /** The version of the app, such as {@code 0.2.0}, from a resource that the build writes. */
    public static final String VERSION =
            PackagedFile.read("version.txt", "text/plain").text().strip();

    private static final Logger LOG = Logger.getLogger(App.class.getName());

    private static final String INDEX_INCOMPLETE =
            "The table numerasequences lacks sequences that this instance uses: run numera-maintain.jar reindex.";

    /** The objects that exist only if all settings are valid. */
    private record Wiring(
            StorageAccount storage,
            Sequences sequences,
            ListWork batches,
            Uploads uploads,
            UploadReader uploadReader,
            OldUploads oldUploads,
            Settings settings) {
        static Wiring of(Settings settings) {
            StorageAccount account = new StorageAccount(settings.storage(), settings.storageTimeout());
            Sequences sequences = Sequences.over(account.stores(), settings.autoCreate(), settings.limits());
            ListWork batches = new ListWork(sequences.allocator(), sequences.imports());
            RetryPolicy retries = new RetryPolicy(settings.limits(), Clock.SYSTEM, () -> ThreadLocalRandom.current()
                    .nextDouble());
            UploadStore lists = new BoundedUploadStore(account.uploads(), sequences.bulkhead(), retries);
            OldUploads old = new OldUploads(lists, InstantSource.system(), settings.keepsUploads());
            return new Wiring(
                    account,
                    sequences,
                    batches,
                    new Uploads(lists, batches, old, InstantSource.system()),
                    new UploadReader(lists, sequences.ledger()),
                    old,
                    settings);
        }
    }

    private final Result<Wiring> wiring;
    private final boolean requiresRights;
    private final OncePerSecond tables;
    private final OncePerSecond health;
    private volatile boolean isIndexIncomplete;

    /** @param environment the app settings, which the host passes as environment variables */
    public App(Map<String, String> environment) {
        LOG.info("Numera " + VERSION);
        this.wiring = wired(environment);
        this.requiresRights = !wiring.isRefused() && wiring.orThrow().settings().requiresRights();
        this.tables = new OncePerSecond(this::createTables);
        this.health = new OncePerSecond(this::checkStorage);
    }

    private static Result<Wiring> wired(Map<String, String> environment) {
        try {
            Settings settings = Settings.of(environment);
            settings.warnings().forEach(LOG::severe);
            return Result.of(Wiring.of(settings));
        } catch (ProblemException e) {
            LOG.log(Level.SEVERE, e.getMessage());
            return Result.refused(e);
        }
    }

    /**
     * Returns all operations on sequences.
     *
     * @throws ProblemException {@code misconfigured}, or {@code storage-unavailable} as long as the tables could not be
     *     created
     */
    public Sequences sequences() {
        return ready().sequences();
    }

    /** @throws ProblemException as {@link #sequences} */
    public ListWork batches() {
        return ready().batches();
    }

    /** @throws ProblemException as {@link #sequences} */
    public Uploads uploads() {
        return ready().uploads();
    }

    /** @throws ProblemException as {@link #sequences} */
    public UploadReader uploadReader() {
        return ready().uploadReader();
    }

    /** @throws ProblemException as {@link #sequences} */
    public OldUploads oldUploads() {
        return ready().oldUploads();
    }

    /**
     * Returns about how many messages have failed.
     *
     * @throws ProblemException as {@link #sequences}, and if the queue cannot be queried
     */
    public long failedMessages() {
        return ready().storage().queue(Queues.POISON).approximateCount();
    }

    private Wiring ready() {
        Wiring wired = wiring.orThrow();
        tables.requireOnce();
        return wired;
    }

    /** @throws ProblemException as {@link #sequences} */
    Settings settings() {
        return ready().settings();
    }

    public StorageAccount storage() {
        return wiring.orThrow().storage();
    }

    /**
     * Checks that every table can be read. Queries storage at most once a second.
     *
     * @throws ProblemException {@code misconfigured} or {@code storage-unavailable}
     */
    public void requireHealthy() {
        requireConfigured();
        health.require();
    }

    /**
     * Returns the warnings for the operator, one sentence each. The app works in spite of them.
     *
     * @throws ProblemException {@code misconfigured}
     */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(wiring.orThrow().settings().warnings());
        if (isIndexIncomplete) {
            warnings.add(INDEX_INCOMPLETE);
        }
        return List.copyOf(warnings);
    }

    /** @throws ProblemException {@code misconfigured} */
    public void requireConfigured() {
        wiring.orThrow();
    }

    /** @throws ProblemException {@code misconfigured} */
    public boolean hasConsole() {
        return wiring.orThrow().settings().hasConsole();
    }

    /**
     * Whether calls need the header with their rights. False while a setting is invalid, which answers every call that
     * needs a key.
     */
    public boolean requiresRights() {
        return requiresRights;
    }

    private void createTables() {
        if (wiring.orThrow().settings().createsTables()) {
            storage().createTables();
        }
    }

    private void checkStorage() {
        tables.requireOnce();
        storage().check();
        Optional<SequenceName> missing =
                wiring.orThrow().sequences().indexCheck().missing();
        if (missing.isPresent() && !isIndexIncomplete) {
            LOG.log(Level.WARNING, "{0} The first is {1}.", new Object[] {INDEX_INCOMPLETE, missing.get()});
        }
        isIndexIncomplete = missing.isPresent();
    }
}
