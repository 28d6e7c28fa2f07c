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
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Measures one sequence with several instances and storage as far away as Azure's. Relates every figure to RTT, the
 * median time of one conditional replace at this distance in the same run.
 */
final class DistanceTable {
    private static final int CALLERS = 16;
    private static final int PROCESSES_AT_MOST = 8;
    private static final double MILLIS_A_SECOND = 1_000;

    private record Row(Load load, Measured measured) {}

    private final Crew crew;
    private final boolean isQuick;
    private final List<Row> rows = new ArrayList<>();
    private final Table all = new Table(
            "load",
            "numbers/s",
            "of callers/RTT",
            "p50 ms",
            "p50 RTT",
            "p99 ms",
            "p99 RTT",
            "slowest process / mean",
            "requests per number",
            "operations per number",
            "attempts of a call",
            "failures");
    private final Table summary = new Table(
            "load",
            "numbers/s",
            "of callers/RTT",
            "p50 ms",
            "p99 ms",
            "slowest process / mean",
            "requests per number",
            "failures");

    private double rttMillis;

    private DistanceTable(Crew crew, boolean isQuick) {
        this.crew = crew;
        this.isQuick = isQuick;
    }

    static DistanceTable run(Crew crew, boolean isQuick) {
        DistanceTable distance = new DistanceTable(crew, isQuick);
        distance.rttMillis = distance.measure(Catalogue.RAW, new Load(1, 1)).p50Millis();
        Progress.say("RTT " + Figures.of(distance.rttMillis) + " ms");
        distance.light();
        distance.busy();
        return distance;
    }

    private void light() {
        add(Catalogue.STRICT, new Load(1, 1));
        add(Catalogue.STRICT, new Load(1, 6).pausing(200));
        add(Catalogue.STRICT, new Load(3, 2).pausing(200));
        add(Catalogue.STRICT, new Load(3, 2).pausing(1_000));
    }

    private void busy() {
        add(Catalogue.STRICT, new Load(1, 64));
        for (int instances = 1; instances <= PROCESSES_AT_MOST; instances *= 2) {
            add(Catalogue.STRICT, new Load(instances, CALLERS));
        }
        add(Catalogue.STRICT, new Load(PROCESSES_AT_MOST, 4, 4, 0));
        add(Catalogue.STRICT_KEYS, new Load(4, CALLERS));
        add(Catalogue.STRICT_KEYS, new Load(4, 64));
    }

    String summary() {
        return "RTT: " + Figures.of(rttMillis) + " ms\n\n" + summary;
    }

    /** Writes every figure and the charts. */
    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("distance.csv"), all.csv());
        String instances =
                "instances, each with " + CALLERS + " callers; " + Figures.of(rttMillis) + " ms to storage and back";
        LineChart.write(
                folder.resolve("distance-numbers.svg"),
                "How many numbers one sequence allocates",
                instances,
                "numbers per second",
                List.of(line(Measured::numbersPerSecond)));
        LineChart.write(
                folder.resolve("distance-p99.svg"),
                "How long 99 of 100 calls take at most",
                instances,
                "milliseconds",
                List.of(line(Measured::p99Millis)));
    }

    private LineChart.Line line(ToDoubleFunction<Measured> figure) {
        return new LineChart.Line(
                Catalogue.STRICT.shortTitle(),
                LineChart.Look.BLUE,
                rows.stream()
                        .filter(row -> row.load().callersEach() == CALLERS)
                        .filter(row -> row.measured().cell().strategy() == Catalogue.STRICT)
                        .map(row -> new LineChart.Point(row.load().instances(), figure.applyAsDouble(row.measured())))
                        .toList());
    }

    private Measured measure(Catalogue strategy, Load load) {
        return crew.measure(Cell.of(strategy, load, isQuick ? 500 : 5_000, isQuick ? 1_000 : 20_000));
    }

    private void add(Catalogue strategy, Load load) {
        Measured measured = measure(strategy, load);
        rows.add(new Row(load, measured));
        double bound = load.callers() * MILLIS_A_SECOND / rttMillis;
        List<String> row = List.of(
                load.instances() + " x " + load.callersEach()
                        + (load.pauseMillis() == 0 ? "" : ", pausing " + load.pauseMillis() + " ms")
                        + (strategy == Catalogue.STRICT_KEYS ? ", with keys" : ""),
                Figures.of(measured.numbersPerSecond()),
                load.pauseMillis() == 0 ? Figures.ratio(measured.numbersPerSecond() / bound) : "",
                Figures.of(measured.p50Millis()),
                Figures.of(measured.p50Millis() / rttMillis),
                Figures.of(measured.p99Millis()),
                Figures.of(measured.p99Millis() / rttMillis),
                Figures.ratio(measured.smallestShare()),
                Figures.of(measured.perNumber(measured.traffic().requests())),
                Figures.of(measured.perNumber(measured.traffic().operations())),
                Figures.of(measured.perNumber(measured.traffic().attempts())),
                Figures.of(measured.failures()));
        Progress.say(String.join(", ", row));
        all.add(row);
        summary.add(Stream.of(0, 1, 2, 3, 5, 7, 8, 11).map(row::get).toList());
    }
}
