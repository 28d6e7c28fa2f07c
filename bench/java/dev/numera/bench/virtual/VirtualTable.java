package dev.numera.bench.virtual;

import dev.numera.bench.report.Figures;
import dev.numera.bench.report.LineChart;
import dev.numera.bench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Measures one sequence with several instances in virtual time, so that the figures are the same on every machine. */
public final class VirtualTable {
    private static final long SEED = 1;
    private static final int BUSY_SECONDS = 10;
    private static final int PAUSING_SECONDS = 200;
    private static final int TURNS = 2_000;
    private static final int QUICK_PARTS = 20;
    private static final int LIGHT_MILLIS = 50;
    private static final int CALLERS = 4;

    private final Storage storage;
    private final List<Measured> all = new ArrayList<>();

    private VirtualTable(Storage storage) {
        this.storage = storage;
    }

    /**
     * Runs all scenes. Blocks for some minutes, or for some seconds if quick.
     *
     * @param isQuick windows so short that the figures only show that everything runs
     * @param progress receives each row
     */
    public static VirtualTable run(double medianMillis, double sigma, boolean isQuick, Consumer<String> progress) {
        VirtualTable table = new VirtualTable(new Storage(medianMillis, sigma, false, 0));
        for (Scene scene : new Scenes(table.storage).all()) {
            Duration window = window(scene);
            Measured measured = Run.of(scene, isQuick ? window.dividedBy(QUICK_PARTS) : window, SEED);
            table.all.add(measured);
            progress.accept(String.join(", ", row(measured)));
        }
        return table;
    }

    private static Duration window(Scene scene) {
        if (scene.turnMillis() > 0) {
            return Duration.ofMillis((long) TURNS * scene.turnMillis());
        }
        return Duration.ofSeconds(scene.pauseMillis() < LIGHT_MILLIS ? BUSY_SECONDS : PAUSING_SECONDS);
    }

    /** Returns the result for a load without pauses and keys, on storage without stalls and limits. */
    public Measured of(int instances, int callersEach) {
        return all.stream()
                .filter(measured -> measured.scene().equals(new Scene(instances, callersEach, storage)))
                .findFirst()
                .orElseThrow();
    }

    /** Returns a table of some loads. If a figure has a bound, the next column is the ratio to this bound. */
    public String summary() {
        Table table = new Table(
                "load",
                "p50 RTT",
                "p50 / bound",
                "p99 RTT",
                "p99 / bound",
                "smallest share",
                "requests per number",
                "of callers/RTT",
                "of bound",
                "failures");
        Set<Scene> forThePage = Set.copyOf(new Scenes(storage).forThePage());
        all.stream()
                .filter(measured -> forThePage.contains(measured.scene()))
                .forEach(measured -> table.add(Stream.of(0, 2, 3, 4, 5, 7, 8, 10, 11, 12)
                        .map(row(measured)::get)
                        .toList()));
        return table.toString();
    }

    /** Writes every figure and the charts. */
    public void write(Path folder) throws IOException {
        Table csv = new Table(
                "load",
                "numbers/s",
                "p50 RTT",
                "p50 / bound",
                "p99 RTT",
                "p99 / bound",
                "longest RTT",
                "smallest share",
                "requests per number",
                "operations per number",
                "of callers/RTT",
                "of bound",
                "failures");
        all.forEach(measured -> csv.add(row(measured)));
        Files.writeString(folder.resolve("distance.csv"), csv.csv());
        chart(
                folder,
                "distance-numbers.svg",
                "How many numbers one sequence allocates",
                "numbers per second",
                Measured::numbersPerSecond);
        chart(folder, "distance-p99.svg", "How long 99 of 100 calls take at most", "round trips", Measured::p99Rtt);
    }

    private void chart(Path folder, String file, String title, String unit, ToDoubleFunction<Measured> figure) {
        LineChart.write(
                folder.resolve(file),
                title,
                "instances, each with " + CALLERS + " callers; " + Figures.of(storage.medianMillis())
                        + " ms to storage and back",
                unit,
                List.of(
                        line(
                                "at once again",
                                LineChart.Look.BLUE,
                                scene -> scene.isBusy() && !scene.withKeys(),
                                figure),
                        line("after 1 ms", LineChart.Look.PURPLE, scene -> scene.pauseMillis() == 1, figure),
                        line("with keys", LineChart.Look.ORANGE, Scene::withKeys, figure)));
    }

    private LineChart.Line line(
            String name, LineChart.Look look, Predicate<Scene> isOfLine, ToDoubleFunction<Measured> figure) {
        return new LineChart.Line(
                name,
                look,
                all.stream()
                        .filter(measured -> measured.scene().callersEach() == CALLERS)
                        .filter(measured -> measured.scene().storage().equals(storage))
                        .filter(measured -> isOfLine.test(measured.scene()))
                        .map(measured ->
                                new LineChart.Point(measured.scene().instances(), figure.applyAsDouble(measured)))
                        .toList());
    }

    private static List<String> row(Measured measured) {
        Bound bound = new Bound(measured.scene());
        boolean isBusy = measured.scene().isBusy();
        return List.of(
                measured.scene().title(),
                Figures.of(measured.numbersPerSecond()),
                Figures.ratio(measured.p50Rtt()),
                Figures.ratio(measured.p50Rtt() / bound.p50Rtt()),
                Figures.ratio(measured.p99Rtt()),
                Figures.ratio(measured.p99Rtt() / bound.p99Rtt()),
                Figures.of(measured.longestRtt()),
                Figures.ratio(measured.smallestShare()),
                Figures.of(measured.requestsPerNumber()),
                Figures.of(measured.operationsPerNumber()),
                isBusy ? Figures.ratio(measured.ofCallersPerRtt()) : "",
                isBusy ? Figures.ratio(measured.ofCallersPerRtt() / bound.ofCallersPerRtt()) : "",
                Figures.of(measured.failures()));
    }
}
