package dev.numera.bench;

import dev.numera.bench.harness.Cell;
import dev.numera.bench.harness.Crew;
import dev.numera.bench.harness.Load;
import dev.numera.bench.harness.Measured;
import dev.numera.bench.report.Figures;
import dev.numera.bench.report.LineChart;
import dev.numera.bench.report.Table;
import dev.numera.bench.strategy.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Measures every strategy under every load. */
final class StrategyComparison {
    private static final Load ONE = new Load(1, 1);
    private static final Load MANY = new Load(1, 64);
    private static final Load SPREAD = new Load(4, 16);
    private static final List<Load> LOADS = List.of(ONE, new Load(1, 16), MANY, new Load(1, 256), SPREAD);
    private static final List<Load> QUICK_LOADS = List.of(ONE, MANY, SPREAD);
    private static final Set<Catalogue> YARDSTICKS = EnumSet.of(Catalogue.RAW, Catalogue.RAW_LEDGER);
    /**
     * The named lines of a chart: Numera's strategies, and two that readers know. With more names, the chart would be
     * unreadable.
     */
    private static final Map<Catalogue, LineChart.Look> LOOKS = Map.of(
            Catalogue.STRICT, LineChart.Look.BLUE,
            Catalogue.STRICT_KEYS, LineChart.Look.ORANGE,
            Catalogue.GAPLESS, LineChart.Look.BLACK_DASHES,
            Catalogue.CACHED, LineChart.Look.PURPLE,
            Catalogue.MERGE_LOOP, LineChart.Look.GREY,
            Catalogue.POSTGRES_SEQUENCE, LineChart.Look.GREY);

    private final Options options;
    private final List<Measured> results = new ArrayList<>();

    private StrategyComparison(Options options) {
        this.options = options;
    }

    /** @param stores the stores that started; strategies for other stores are left out */
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

    /** Returns a table with a row for each strategy. */
    String summary() {
        Table table = new Table(
                "strategy",
                ONE.toString(),
                MANY.toString(),
                SPREAD.processes() + " x " + SPREAD.callersEach(),
                "p99 ms",
                "requests",
                "operations",
                "duplicates",
                "ordered",
                "gaps on a crash");
        for (Catalogue strategy : Catalogue.values()) {
            List<Measured> own = of(strategy);
            if (!own.isEmpty()) {
                Measured many = under(MANY, own);
                table.add(List.of(
                        strategy.title(),
                        Figures.of(under(ONE, own).numbersPerSecond()),
                        Figures.of(many.numbersPerSecond()),
                        Figures.of(under(SPREAD, own).numbersPerSecond()),
                        Figures.of(many.p99Millis()),
                        Figures.of(many.perNumber(many.traffic().requests())),
                        Figures.of(many.perNumber(many.traffic().operations())),
                        Figures.of(own.stream().mapToLong(Measured::duplicates).sum()),
                        ordered(strategy, own),
                        strategy.gapsOnCrash()));
            }
        }
        return table.toString();
    }

    /**
     * Writes every figure, and two charts over the number of callers of one process: numbers per second, and the 99th
     * percentile.
     */
    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("strategies.csv"), all().csv());
        LineChart.write(
                folder.resolve("numbers.svg"),
                "How many numbers one sequence allocates",
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
        return of(strategy).stream()
                .filter(result -> result.cell().load().processes() == 1)
                .map(result -> new LineChart.Point(result.cell().load().callers(), figure.applyAsDouble(result)))
                .toList();
    }

    private Table all() {
        Table table = new Table(
                "load",
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
        for (Load load : loads()) {
            results.stream()
                    .filter(result -> result.cell().load().equals(load))
                    .forEach(result -> table.add(List.of(
                            load.toString(),
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
        }
        return table;
    }

    private List<Measured> of(Catalogue strategy) {
        return results.stream()
                .filter(result -> result.cell().strategy() == strategy)
                .toList();
    }

    private static Measured under(Load load, List<Measured> results) {
        return results.stream()
                .filter(result -> result.cell().load().equals(load))
                .findFirst()
                .orElseThrow();
    }

    private static String ordered(Catalogue strategy, List<Measured> own) {
        long inversions = own.stream().mapToLong(Measured::inversions).sum();
        if (inversions > 0) {
            return "broken " + inversions + " times";
        }
        return strategy.isOrdered() ? "yes" : "no";
    }
}
