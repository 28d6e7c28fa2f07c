package dev.numera.bench;

import dev.numera.bench.harness.Cell;
import dev.numera.bench.harness.Crew;
import dev.numera.bench.harness.Load;
import dev.numera.bench.harness.Measured;
import dev.numera.bench.report.Figures;
import dev.numera.bench.report.Table;
import dev.numera.bench.strategy.BackoffChoice;
import dev.numera.bench.strategy.Catalogue;
import java.util.EnumSet;
import java.util.List;

/** What to wait after a lost attempt, with more and more processes at one sequence. */
final class BackoffComparison {
    private static final int CALLERS_EACH = 16;

    private BackoffComparison() {}

    static String run(Crew crew, Options options) {
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
        for (int processes : options.isQuick() ? List.of(4) : List.of(2, 4, 8)) {
            for (BackoffChoice choice : EnumSet.complementOf(EnumSet.of(BackoffChoice.DEFAULT))) {
                Cell cell = Cell.of(
                                Catalogue.STRICT,
                                new Load(processes, CALLERS_EACH),
                                options.isQuick() ? 100 : 2_000,
                                options.isQuick() ? 400 : 10_000)
                        .backoff(choice);
                Measured measured = crew.measure(cell);
                List<String> row = List.of(
                        choice.title(),
                        "" + processes,
                        Figures.of(measured.numbersPerSecond()),
                        Figures.of(measured.p50Millis()),
                        Figures.of(measured.p99Millis()),
                        Figures.of(measured.maxMillis()),
                        Figures.ratio(measured.smallestShare()),
                        Figures.of(measured.perNumber(measured.traffic().attempts())),
                        Figures.of(measured.perNumber(measured.traffic().conflicts())),
                        Figures.of(measured.failures()));
                Progress.say(String.join(", ", row));
                table.add(row);
            }
        }
        return table.toString();
    }
}
