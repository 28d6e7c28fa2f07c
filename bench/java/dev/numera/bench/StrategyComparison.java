package dev.numera.bench;

import dev.numera.bench.harness.Cell;
import dev.numera.bench.harness.Crew;
import dev.numera.bench.harness.Load;
import dev.numera.bench.harness.Measured;
import dev.numera.bench.report.Figures;
import dev.numera.bench.report.LineChart;
import dev.numera.bench.report.Table;
import dev.numera.bench.strategy.Catalogue;
import dev.numera.bench.strategy.Traffic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Every strategy under every load, side by side. */
final class StrategyComparison {
    private static final int MANY_CALLERS = 64;
    private static final List<Load> LOADS =
            List.of(new Load(1, 1), new Load(1, 16), new Load(1, MANY_CALLERS), new Load(1, 256), new Load(4, 16));
    private static final List<Load> QUICK_LOADS = List.of(new Load(1, 1), new Load(1, MANY_CALLERS), new Load(4, 16));
    private static final Set<Catalogue> YARDSTICKS = EnumSet.of(Catalogue.RAW, Catalogue.RAW_LEDGER);
    /** Of those that a chart names: Numera's, and two that readers know. More could not be read. */
    private static final Map<Catalogue, LineChart.Look> LOOKS = Map.of(
            Catalogue.STRICT, LineChart.Look.BLUE,
            Catalogue.STRICT_KEYS, LineChart.Look.ORANGE,
            Catalogue.GAPLESS, LineChart.Look.BLACK_DASHES,
            Catalogue.CACHED, LineChart.Look.PURPLE,
            Catalogue.MERGE_LOOP, LineChart.Look.GREY,
            Catalogue.POSTGRES_SEQUENCE, LineChart.Look.GREY);

    private static final double NUMBERS_PRICED = 1_000_000;
    private static final double OPERATIONS_PRICED = 10_000;

    private final Options options;
    private final List<Measured> results = new ArrayList<>();

    private StrategyComparison(Options options) {
        this.options = options;
    }

    /** @param stores where there are servers; the strategies of the others are left out */
    static StrategyComparison run(Crew crew, Options options, Set<Catalogue.Store> stores) {
        StrategyComparison comparison = new StrategyComparison(options);
        long windowMillis = options.isQuick() ? 200 : 3_000;
        long warmUpMillis = options.isQuick() ? 50 : 1_000;
        for (Catalogue strategy : EnumSet.complementOf(EnumSet.copyOf(YARDSTICKS))) {
            for (Load load : stores.contains(strategy.store()) ? comparison.loads() : List.<Load>of()) {
                Measured measured = crew.measure(Cell.of(strategy, load, warmUpMillis, windowMillis));
                comparison.results.add(measured);
                Progress.say(strategy.title() + ", " + load + ": " + Figures.of(measured.numbersPerSecond()) + "/s"
                        + (measured.firstFailure() == null
                                ? ""
                                : ", " + measured.failures() + " failures: " + measured.firstFailure()));
            }
        }
        return comparison;
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        for (Load load : loads()) {
            text.append("### ").append(load).append("\n\n").append(table(load)).append('\n');
        }
        return text.append("### What each promises, and what it costs\n\n")
                .append(promises())
                .toString();
    }

    /** Numbers a second and the 99th percentile, each against the callers of one process. */
    void writeCharts(Path folder) {
        LineChart.write(
                folder.resolve("numbers.svg"),
                "How many numbers one sequence gives",
                "callers at one instance",
                "numbers per second",
                lines(Measured::numbersPerSecond));
        LineChart.write(
                folder.resolve("p99.svg"),
                "How long 99 of 100 calls take at most",
                "callers at one instance",
                "milliseconds",
                lines(Measured::p99Millis));
    }

    private List<Load> loads() {
        return options.isQuick() ? QUICK_LOADS : LOADS;
    }

    private List<LineChart.Line> lines(ToDoubleFunction<Measured> figure) {
        return Arrays.stream(Catalogue.values())
                .map(strategy -> LOOKS.containsKey(strategy)
                        ? new LineChart.Line(strategy.shortTitle(), LOOKS.get(strategy), points(strategy, figure))
                        : new LineChart.Line(strategy.title(), LineChart.Look.UNNAMED, points(strategy, figure)))
                .toList();
    }

    private List<LineChart.Point> points(Catalogue strategy, ToDoubleFunction<Measured> figure) {
        return results.stream()
                .filter(result -> result.cell().strategy() == strategy)
                .filter(result -> result.cell().load().processes() == 1)
                .map(result -> new LineChart.Point(result.cell().load().callers(), figure.applyAsDouble(result)))
                .toList();
    }

    private Table table(Load load) {
        Table table = new Table(
                "strategy",
                "numbers/s",
                "p50 ms",
                "p99 ms",
                "max ms",
                "failures",
                "unfinished",
                "duplicates",
                "requests per number",
                "operations per number",
                "conflicts per number");
        results.stream()
                .filter(result -> result.cell().load().equals(load))
                .forEach(result -> table.add(List.of(
                        result.cell().strategy().title(),
                        Figures.of(result.numbersPerSecond()),
                        Figures.of(result.p50Millis()),
                        Figures.of(result.p99Millis()),
                        Figures.of(result.maxMillis()),
                        Figures.of(result.failures()),
                        Figures.of(result.unfinished()),
                        Figures.of(result.duplicates()),
                        Figures.of(result.perNumber(result.traffic().requests())),
                        Figures.of(result.perNumber(result.traffic().operations())),
                        Figures.of(result.perNumber(result.traffic().conflicts())))));
        return table;
    }

    private Table promises() {
        Table table = new Table(
                "strategy",
                "ordered",
                "gaps on a crash",
                "a million numbers on Azure, at " + MANY_CALLERS + " callers");
        for (Catalogue strategy : Catalogue.values()) {
            List<Measured> own = results.stream()
                    .filter(result -> result.cell().strategy() == strategy)
                    .toList();
            if (!own.isEmpty()) {
                table.add(
                        List.of(strategy.title(), ordered(strategy, own), strategy.gapsOnCrash(), cost(strategy, own)));
            }
        }
        return table;
    }

    private static String ordered(Catalogue strategy, List<Measured> own) {
        long inversions = own.stream().mapToLong(Measured::inversions).sum();
        if (inversions > 0) {
            return "broken " + inversions + " times";
        }
        return strategy.isOrdered() ? "yes" : "no";
    }

    private String cost(Catalogue strategy, List<Measured> own) {
        if (strategy.store() != Catalogue.Store.AZURE) {
            return "not on Azure Storage";
        }
        Measured measured = own.stream()
                .filter(result -> result.cell().load().equals(new Load(1, MANY_CALLERS)))
                .findFirst()
                .orElseThrow();
        Traffic.Counts sent = measured.traffic();
        Optional<Double> least = cost(measured, sent.tableRequests(), sent);
        Optional<Double> most = cost(measured, sent.tableOperations(), sent);
        if (least.isEmpty() || most.isEmpty()) {
            return Figures.of(measured.perNumber(sent.requests()) * NUMBERS_PRICED) + " requests, "
                    + Figures.of(measured.perNumber(sent.operations()) * NUMBERS_PRICED) + " operations";
        }
        return least.equals(most) ? Figures.of(least.get()) : Figures.of(least.get()) + " to " + Figures.of(most.get());
    }

    /**
     * Whether a transaction is billed once or for each of its parts is disputed, so both are computed. Empty without
     * the prices it takes.
     */
    private Optional<Double> cost(Measured measured, long tableBilled, Traffic.Counts sent) {
        return part(tableBilled, options.prices().table())
                .flatMap(tables ->
                        part(sent.blobOperations(), options.prices().blob()).map(blobs -> tables + blobs))
                .flatMap(sum ->
                        part(sent.queueOperations(), options.prices().queue()).map(queues -> sum + queues))
                .map(sum -> measured.numbers() == 0
                        ? Double.NaN
                        : sum / measured.numbers() * NUMBERS_PRICED / OPERATIONS_PRICED);
    }

    private static Optional<Double> part(long operations, Optional<Double> price) {
        return operations == 0 ? Optional.of(0.0) : price.map(one -> one * operations);
    }
}
