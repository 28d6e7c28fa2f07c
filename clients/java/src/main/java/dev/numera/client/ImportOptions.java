package dev.numera.client;

import java.time.Duration;

/**
 * The options of an import; null means the default. Start with {@link #NONE}.
 *
 * @param actor the person or program that imports
 * @param onlyRefused whether the result contains only the refused rows
 * @param dryRun whether the import is only checked
 * @param tryFor the total time for which each request is retried
 * @param waitFor the time that the result may take
 */
public record ImportOptions(String actor, boolean onlyRefused, boolean dryRun, Duration tryFor, Duration waitFor) {
    /** The defaults. */
    public static final ImportOptions NONE = new ImportOptions(null, false, false, null, null);

    /** Returns these options with an actor. */
    public ImportOptions withActor(String name) {
        return new ImportOptions(name, onlyRefused, dryRun, tryFor, waitFor);
    }

    /** Returns these options for only the refused rows. */
    public ImportOptions withOnlyRefused() {
        return new ImportOptions(actor, true, dryRun, tryFor, waitFor);
    }

    /** Returns these options for a check without an import. */
    public ImportOptions withDryRun() {
        return new ImportOptions(actor, onlyRefused, true, tryFor, waitFor);
    }

    /** Returns these options with a total time. */
    public ImportOptions withTryFor(Duration time) {
        return new ImportOptions(actor, onlyRefused, dryRun, time, waitFor);
    }

    /** Returns these options with a time for the result. */
    public ImportOptions withWaitFor(Duration time) {
        return new ImportOptions(actor, onlyRefused, dryRun, tryFor, time);
    }
}
