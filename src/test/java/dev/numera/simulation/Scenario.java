package dev.numera.simulation;

import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.KeyPolicy;
import dev.numera.core.model.Series;
import dev.numera.core.retry.Backoff;
import dev.numera.fixtures.TestLimits;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The parameters of a run, drawn from its seed. Most runs have few kinds of calls and faults, and some runs have all
 * kinds: a combination that is rare in a mixture of everything is frequent in some run.
 *
 * @param cacheSize the size of a block of a cached sequence
 * @param limits no idle counters in runs that evict each counter as soon as possible
 * @param faults the probability that a request fails
 * @param definitionFaults the least probability that a read of the definition fails
 * @param faultKinds the kinds of failures of requests
 * @param networkTimeout the time after which a process abandons a request
 * @param pauses the probability, at each step, that a process pauses for minutes
 * @param leaps how often all processes are idle for more than a minute
 * @param lists the probability that a call sends a long list of keys
 * @param replays the probability that a request has a known key
 * @param idling the probability that a client waits before its next call
 * @param isOwned whether the owner changes the definition during the run
 */
record Scenario(
        Definition definition,
        TestLimits limits,
        double faults,
        double definitionFaults,
        List<Faults.NetworkFault> faultKinds,
        Duration networkTimeout,
        double pauses,
        int leaps,
        double advances,
        double skips,
        double imports,
        double statuses,
        double lists,
        double replays,
        double idling,
        boolean isOwned) {
    private static final long MAX = Definition.LARGEST_EXACT;

    /** Formats for the owner to choose from; some may follow each other, others may not. */
    private static final List<String> FORMATS =
            Arrays.asList(null, "{n}", "{n:4}", "A{n}", "A{r:16}", "INV-{n:5}", "1{n:3}", "{n:3}{check:luhn}", "{n}-1");

    private static final List<String> YEARLY_FORMATS =
            Arrays.asList(null, "{yyyy}-{n:4}", "{yyyy}{n}", "{yyyy}/{n:6}", "{n}/{yyyy}");

    static Scenario draw(SplittableRandom random, Guarantee guarantee) {
        return new Draw(random).scenario(guarantee);
    }

    /** Returns the same scenario with one kind of failure: requests that arrive more than a minute late. */
    Scenario onlyVeryLate() {
        return new Scenario(
                definition,
                limits.withMaxIdleCounters(1_000),
                0.3,
                0,
                List.of(Faults.NetworkFault.VERY_LATE),
                networkTimeout,
                0,
                12,
                advances,
                skips,
                imports,
                statuses,
                lists,
                replays,
                idling,
                isOwned);
    }

    /**
     * Returns the same scenario without eviction of counters, because the garbage collector decides when an evicted
     * counter disappears.
     */
    Scenario keepingCounters() {
        return new Scenario(
                definition,
                limits.withMaxIdleCounters(1_000),
                faults,
                definitionFaults,
                faultKinds,
                networkTimeout,
                pauses,
                leaps,
                advances,
                skips,
                imports,
                statuses,
                lists,
                replays,
                idling,
                isOwned);
    }

    /** Returns a format that a sequence with these fields may have. */
    static String format(SplittableRandom random, FixedFields fixed) {
        List<String> formats = fixed.isNeverReset() ? FORMATS : YEARLY_FORMATS;
        return formats.get(random.nextInt(formats.size()));
    }

    boolean isCached() {
        return definition.fixed().guarantee() == Guarantee.CACHED;
    }

    boolean isDated() {
        return definition.isDateOrdered();
    }

    /** The choices of one seed. */
    private record Draw(SplittableRandom random) {
        Scenario scenario(Guarantee guarantee) {
            boolean hasLedger = guarantee != Guarantee.CACHED;
            return new Scenario(
                    definition(guarantee),
                    limits(),
                    any(0.0, 0.02, 0.05, 0.1),
                    any(0.0, 0.0, 0.3),
                    faultKinds(),
                    any(Duration.ofMillis(40), Duration.ofSeconds(2)),
                    any(0.0, 0.0, 0.001, 0.01),
                    any(0, 0, 4),
                    any(0.03, 0.03, 0.2),
                    any(0.0, 0.01, 0.05),
                    hasLedger ? any(0.0, 0.06) : 0,
                    hasLedger ? any(0.0, 0.0, 0.1) : 0,
                    hasLedger ? any(0.0, 0.0, 0.1) : 0,
                    any(0.1, 0.3),
                    any(0.0, 0.1, 0.5),
                    random.nextDouble() < 0.6);
        }

        private Definition definition(Guarantee guarantee) {
            Series series = any(
                    new Series(1, 1, 1, MAX, false),
                    new Series(-7, 3, -7, MAX, false),
                    new Series(100, -2, -MAX, 100, false),
                    new Series(1, 1, 1, 30 + random.nextInt(100), false));
            FixedFields fixed = new FixedFields(
                    guarantee,
                    series.start(),
                    series.increment(),
                    false,
                    any(ResetEvery.NEVER, ResetEvery.NEVER, ResetEvery.YEAR),
                    ZoneId.of("UTC"),
                    1);
            boolean isDated = guarantee != Guarantee.CACHED && random.nextDouble() < 0.3;
            return new Definition(
                    fixed,
                    series.minValue(),
                    series.maxValue(),
                    1 + random.nextInt(8),
                    random.nextDouble() < 0.4 ? null : writable(format(random, fixed), series),
                    null,
                    isDated ? DateOrder.ASCENDING : DateOrder.NONE,
                    KeyPolicy.OPTIONAL,
                    null,
                    null,
                    Definition.DEFAULT_WARN_AT_PERCENT);
        }

        /**
         * Returns null instead of a reversed number, {r}, if the range has negative numbers, because such a format has
         * no room for them.
         */
        private static String writable(String format, Series series) {
            return series.minValue() < 0 && format != null && format.contains("{r") ? null : format;
        }

        private List<Faults.NetworkFault> faultKinds() {
            List<Faults.NetworkFault> kinds = new ArrayList<>();
            for (Faults.NetworkFault kind : Faults.NetworkFault.values()) {
                if (random.nextInt(2) == 0) {
                    kinds.add(kind);
                }
            }
            return kinds.isEmpty() ? List.of(Faults.NetworkFault.LOST_REPLY) : kinds;
        }

        private TestLimits limits() {
            return new TestLimits(
                    any(2, 5, 50),
                    any(Duration.ofMillis(300), Duration.ofSeconds(10)),
                    any(
                            new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)),
                            new Backoff.FullJitter(Duration.ofMillis(16), Duration.ofMillis(64))),
                    Duration.ofMillis(30),
                    any(1, 1, 2, 4),
                    any(3, 100, 100),
                    any(0, 1_000, 1_000, 1_000));
        }

        @SafeVarargs
        private <T> T any(T... choices) {
            return choices[random.nextInt(choices.length)];
        }
    }
}
