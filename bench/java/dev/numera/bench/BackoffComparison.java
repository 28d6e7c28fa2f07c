package dev.numera.bench;

import dev.numera.bench.harness.Cell;
import dev.numera.bench.harness.Crew;
import dev.numera.bench.harness.Load;
import dev.numera.bench.harness.Measured;
import dev.numera.bench.report.Figures;
import dev.numera.bench.report.Table;
import dev.numera.bench.strategy.BackoffChoice;
import dev.numera.bench.strategy.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Compares how long to wait after a lost attempt, while more and more processes call one sequence. */
final class BackoffComparison {
    private static final int CALLERS_EACH = 16;
    private static final Set<BackoffChoice> CHOICES = EnumSet.complementOf(EnumSet.of(BackoffChoice.DEFAULT));

    private record Result(BackoffChoice choice, int processes, Measured measured) {}

    private final List<Integer> processes;
    private final List<Result> results = new ArrayList<>();

    private BackoffComparison(List<Integer> processes) {
        this.processes = processes;
    }

    static BackoffComparison run(Crew crew, Options options) {
        BackoffComparison comparison = new BackoffComparison(options.isQuick() ? List.of(4) : List.of(2, 4, 8));
        for (int processes : comparison.processes) {
            for (BackoffChoice choice : CHOICES) {
                Cell cell = Cell.of(
                                Catalogue.STRICT,
                                new Load(processes, CALLERS_EACH),
                                options.isQuick() ? 100 : 2_000,
                                options.isQuick() ? 400 : 10_000)
                        .backoff(choice);
                Result result = new Result(choice, processes, crew.measure(cell));
                comparison.results.add(result);
                Progress.say(String.join(", ", row(result)));
            }
        }
        return comparison;
    }

    /** Writes every figure to {@code backoff.csv}. */
    void write(Path folder) throws IOException {
        Table table = new Table(
                "backoff",
                "processes x 16",
                "numbers/s",
                "p50 ms",
                "p99 ms",
                "max ms",
                "slowest process / mean",
                "attempts of a call",
                "conflicts per number",
                "failures");
        results.forEach(result -> table.add(row(result)));
        Files.writeString(folder.resolve("backoff.csv"), table.csv());
    }

    /** Returns a table with a row for each backoff. */
    String summary() {
        Table table = new Table(Stream.of(
                        Stream.of("backoff"),
                        processes.stream()
                                .map(count -> (count.equals(processes.get(0)) ? "numbers/s, " : "") + load(count)),
                        processes.stream()
                                .map(count -> (count.equals(processes.get(0)) ? "p99 ms, " : "") + load(count)))
                .flatMap(column -> column)
                .toArray(String[]::new));
        for (BackoffChoice choice : CHOICES) {
            table.add(Stream.of(
                            Stream.of(choice.title()),
                            figures(choice, Measured::numbersPerSecond),
                            figures(choice, Measured::p99Millis))
                    .flatMap(column -> column)
                    .toList());
        }
        return table.toString();
    }

    private static String load(int processes) {
        return processes + " x " + CALLERS_EACH;
    }

    private Stream<String> figures(BackoffChoice choice, ToDoubleFunction<Measured> figure) {
        return results.stream()
                .filter(result -> result.choice() == choice)
                .map(result -> Figures.of(figure.applyAsDouble(result.measured())));
    }

    private static List<String> row(Result result) {
        Measured measured = result.measured();
        return List.of(
                result.choice().title(),
                "" + result.processes(),
                Figures.of(measured.numbersPerSecond()),
                Figures.of(measured.p50Millis()),
                Figures.of(measured.p99Millis()),
                Figures.of(measured.maxMillis()),
                Figures.ratio(measured.smallestShare()),
                Figures.of(measured.perNumber(measured.traffic().attempts())),
                Figures.of(measured.perNumber(measured.traffic().conflicts())),
                Figures.of(measured.failures()));
    }
}
