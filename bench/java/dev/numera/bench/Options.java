package dev.numera.bench;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of a run, from system properties.
 *
 * @param parts {@code -Dbench=strategies,speed}; all by default
 * @param isQuick {@code -Dbench.quick}: windows so short that the figures only show that everything runs
 * @param distance {@code -Dbench.rtt.millis} and {@code -Dbench.rtt.sigma}: the distance of storage in the benchmark at
 *     a distance
 * @param beside {@code -Dbench.beside}: the folder of another packaged app, to compare long calls with
 * @param connection {@code -Dconnection}: the account for the partition stress test, or for the benchmark at a distance
 */
record Options(
        Set<Part> parts, boolean isQuick, Distance distance, Optional<String> beside, Optional<String> connection) {
    /** The parts of the benchmark. */
    enum Part {
        STRATEGIES,
        SPEED,
        BACKOFF,
        HTTP,
        CALLS,
        MEMORY,
        START,
        /** Runs only when the user names it, because it may put load on a real account. */
        DISTANCE,
        /** Runs only when the user names it, because it may put load on a real account. */
        PARTITION;

        static final Set<Part> ALL = EnumSet.complementOf(EnumSet.of(DISTANCE, PARTITION));

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The time of an exchange with storage, which has a log-normal distribution.
     *
     * @param sigma the standard deviation of the logarithm
     */
    record Distance(double medianMillis, double sigma) {}

    private static final Distance DEFAULT_DISTANCE = new Distance(10, 0.4);

    static Options ofSystemProperties() {
        return new Options(
                parts(System.getProperty("bench", "all")),
                Boolean.getBoolean("bench.quick"),
                new Distance(
                        number("bench.rtt.millis", DEFAULT_DISTANCE.medianMillis()),
                        number("bench.rtt.sigma", DEFAULT_DISTANCE.sigma())),
                text("bench.beside"),
                text("connection"));
    }

    /** Whether a page of docs may contain the figures of a run with these options. */
    boolean isForTheDocs() {
        boolean isTheDistanceOfTheDocs =
                parts.equals(EnumSet.of(Part.DISTANCE)) && distance.equals(DEFAULT_DISTANCE) && connection.isEmpty();
        return !isQuick && beside.isEmpty() && (parts.equals(Part.ALL) || isTheDistanceOfTheDocs);
    }

    private static Set<Part> parts(String words) {
        if (words.equals("all")) {
            return Part.ALL;
        }
        return Arrays.stream(words.split(","))
                .map(Options::part)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Part.class)));
    }

    private static Part part(String word) {
        return Arrays.stream(Part.values())
                .filter(part -> part.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("-Dbench=" + word + ": must be all, or some of "
                        + Arrays.stream(Part.values()).map(Part::word).collect(Collectors.joining(", "))
                        + ", separated by commas."));
    }

    private static double number(String property, double byDefault) {
        return text(property).map(Double::valueOf).orElse(byDefault);
    }

    private static Optional<String> text(String property) {
        return Optional.ofNullable(System.getProperty(property)).filter(value -> !value.isBlank());
    }
}
