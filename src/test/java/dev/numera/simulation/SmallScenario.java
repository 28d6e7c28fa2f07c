package dev.numera.simulation;

import dev.numera.contract.Defined;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Definition;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Series;
import dev.numera.core.retry.Backoff;
import dev.numera.fixtures.TestLimits;
import java.time.Duration;
import java.util.List;

/**
 * A few calls. An {@link Exploration} enumerates all their schedules.
 *
 * @param callers each makes its calls one after the other
 * @param isOpen whether numbers were allocated before
 * @param hasThreads whether a process has threads besides its callers' threads; without them it looks for nothing in
 *     the background
 * @param isRestored whether an operator restores the table from a copy that is older than the first call
 * @param lossesBeforePeerRequest the number of lost writes after which an instance requests numbers from its peers
 */
record SmallScenario(
        Guarantee guarantee,
        List<Caller> callers,
        boolean isOpen,
        boolean hasThreads,
        boolean isRestored,
        int lossesBeforePeerRequest) {
    /** A caller of one process. */
    record Caller(String process, List<Ask> calls) {}

    /**
     * One call.
     *
     * @param key null for a call without a key
     * @param advanceTo a number to advance to; null for a call that requests one number
     */
    record Ask(String key, Long advanceTo) {
        static final Ask ONE = new Ask(null, null);

        static Ask key(String key) {
            return new Ask(key, null);
        }

        boolean isAdvance() {
            return advanceTo != null;
        }
    }

    /** The special conditions of a scenario. */
    enum Setting {
        /** Two instances with one call each. */
        PAIR,
        /** Two instances with two calls each. */
        PLAIN,
        /** The instances request the same key. */
        KEYS,
        /** One of the calls advances the counter. */
        ADVANCE,
        /** The sequence has no number yet. */
        FIRST,
        /** Two calls wait in one instance. */
        TOGETHER,
        /** An instance that loses once requests its number from the other instance. Each instance makes one call. */
        PEERS,
        /** Like {@link #PEERS}, but one instance makes a second call. */
        PEERS_AGAIN,
        /** The table is restored by the runbook while each of two instances makes one call. */
        RESTORE,
        /** Like {@link #RESTORE}, but one instance makes a second call. */
        RESTORE_BETWEEN_CALLS;

        /** Whether the setting suits the guarantee: cached sequences have no keys. */
        boolean isFor(Guarantee guarantee) {
            return this != KEYS || guarantee != Guarantee.CACHED;
        }

        SmallScenario of(Guarantee guarantee) {
            return new SettingCalls(guarantee).scenario(this);
        }
    }

    /** The key of the number that was allocated before. */
    static final String EARLIER = "earlier";

    private static final int CACHE_SIZE = 2;
    private static final int MAX_ATTEMPTS = 3;
    private static final int NEVER = 100;
    private static final long ADVANCE_TO = 6;

    Definition definition() {
        Definition plain =
                Defined.definition(guarantee, new Series(1, 1, 1, Definition.LARGEST_EXACT, false), ResetEvery.NEVER);
        return new Definition(plain.fixed(), plain.minValue(), plain.maxValue(), CACHE_SIZE, plain.format());
    }

    TestLimits limits() {
        return new TestLimits(
                MAX_ATTEMPTS,
                Duration.ofSeconds(2),
                new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)),
                Wire.TIMEOUT,
                lossesBeforePeerRequest,
                100,
                100);
    }

    /** Whether the definition stays in use, and unchanged, throughout the schedule. */
    boolean isDefinitionFixed() {
        return isOpen && !isRestored;
    }

    boolean isCached() {
        return guarantee == Guarantee.CACHED;
    }

    /** Whether several callers share a process. */
    boolean isShared() {
        return callers.stream().map(Caller::process).distinct().count() < callers.size();
    }

    private SmallScenario notOpen() {
        return new SmallScenario(guarantee, callers, false, hasThreads, isRestored, lossesBeforePeerRequest);
    }

    private SmallScenario withThreads(int losses) {
        return new SmallScenario(guarantee, callers, isOpen, true, isRestored, losses);
    }

    private SmallScenario restored() {
        return new SmallScenario(guarantee, callers, isOpen, hasThreads, true, lossesBeforePeerRequest);
    }

    /** The calls of each setting. */
    private record SettingCalls(Guarantee guarantee) {
        SmallScenario scenario(Setting setting) {
            return switch (setting) {
                case PAIR -> of(List.of(caller("i1", one("a")), caller("i2", one("b"))));
                case PLAIN -> of(pairs());
                case KEYS ->
                    of(List.of(caller("i1", Ask.key("a"), Ask.key("b")), caller("i2", Ask.key("a"), Ask.key("b"))));
                case ADVANCE ->
                    of(List.of(caller("i1", one("a"), one("b")), caller("i2", new Ask(null, ADVANCE_TO), one("c"))));
                case FIRST -> of(pairs()).notOpen();
                case TOGETHER ->
                    of(List.of(caller("i1", one("a")), caller("i1", one("b")), caller("i2", one("c"))))
                            .withThreads(NEVER);
                case PEERS ->
                    of(List.of(caller("i1", one("a")), caller("i2", one("c")))).withThreads(1);
                case PEERS_AGAIN ->
                    of(List.of(caller("i1", one("a"), one("b")), caller("i2", one("c"))))
                            .withThreads(1);
                case RESTORE ->
                    of(List.of(caller("i1", one("a")), caller("i2", one("c")))).restored();
                case RESTORE_BETWEEN_CALLS ->
                    of(List.of(caller("i1", one("a"), one("b")), caller("i2", one("c"))))
                            .restored();
            };
        }

        private List<Caller> pairs() {
            return List.of(caller("i1", one("a"), one("b")), caller("i2", one("c"), one("d")));
        }

        private SmallScenario of(List<Caller> callers) {
            return new SmallScenario(guarantee, callers, true, false, false, NEVER);
        }

        private static Caller caller(String process, Ask... calls) {
            return new Caller(process, List.of(calls));
        }

        /** Returns a request for one number, with a key if the guarantee requires one. */
        private Ask one(String key) {
            return guarantee == Guarantee.GAPLESS ? Ask.key(key) : Ask.ONE;
        }
    }
}
