package dev.numera.functions;

import dev.numera.counter.StoreFailure;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Sequences;
import dev.numera.storage.StorageAccount;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The app in this process: what the functions share, wired once. Where a setting is wrong there is no app, and every call is told so.
 * Thread-safe.
 */
public final class App {
    private static final Logger LOG = Logger.getLogger(App.class.getName());

    private final ProblemException misconfigured;
    private final StorageAccount storage;
    private final Sequences sequences;
    private final OncePerSecond tables;
    private final OncePerSecond health;

    /** @param environment the app settings, which the host passes as environment variables */
    App(Map<String, String> environment) {
        ProblemException wrong = null;
        StorageAccount account = null;
        Sequences wired = null;
        try {
            Settings settings = Settings.of(environment);
            account = new StorageAccount(settings.storage(), settings.storageTimeout());
            wired = Sequences.over(account.stores(), settings.autoCreate(), settings.counterLimits(), settings.maxIdleCounters());
        } catch (ProblemException e) {
            LOG.log(Level.SEVERE, e.getMessage());
            wrong = e;
        }
        this.misconfigured = wrong;
        this.storage = account;
        this.sequences = wired;
        this.tables = new OncePerSecond(this::createTables);
        this.health = new OncePerSecond(this::checkStorage);
    }

    /**
     * All that can be done with sequences.
     *
     * @throws ProblemException {@code misconfigured}, or {@code storage-unavailable} as long as the tables could not be created
     */
    Sequences sequences() {
        requireConfigured();
        tables.requireOnce();
        return sequences;
    }

    StorageAccount storage() {
        requireConfigured();
        return storage;
    }

    /** @throws ProblemException {@code misconfigured} or {@code storage-unavailable}; asks storage at most once a second */
    void requireHealthy() {
        requireConfigured();
        health.require();
    }

    /** @throws ProblemException {@code misconfigured} */
    void requireConfigured() {
        if (misconfigured != null) {
            throw misconfigured;
        }
    }

    private void createTables() {
        orUnavailable(storage::createTables);
    }

    private void checkStorage() {
        tables.requireOnce();
        orUnavailable(storage::check);
    }

    private static void orUnavailable(Runnable request) {
        try {
            request.run();
        } catch (StoreFailure e) {
            throw new ProblemException(ProblemType.STORAGE_UNAVAILABLE, e.getMessage());
        }
    }
}
