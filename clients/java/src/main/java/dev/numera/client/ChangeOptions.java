package dev.numera.client;

import java.time.Duration;

/**
 * The options of a change; null means the default. Start with {@link #NONE}.
 *
 * @param actor the person or program that makes the change
 * @param tryFor the total time for which this call is retried
 */
public record ChangeOptions(String actor, Duration tryFor) {
    /** The defaults. */
    public static final ChangeOptions NONE = new ChangeOptions(null, null);

    /** Returns these options with an actor. */
    public ChangeOptions withActor(String name) {
        return new ChangeOptions(name, tryFor);
    }

    /** Returns these options with a total time. */
    public ChangeOptions withTryFor(Duration time) {
        return new ChangeOptions(actor, time);
    }
}
