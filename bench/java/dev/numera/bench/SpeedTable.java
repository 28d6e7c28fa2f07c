package dev.numera.bench;

import dev.numera.bench.harness.Cell;
import dev.numera.bench.harness.Crew;
import dev.numera.bench.harness.Load;
import dev.numera.bench.harness.Measured;
import dev.numera.bench.report.Figures;
import dev.numera.bench.report.Table;
import dev.numera.bench.strategy.Catalogue;
import java.util.List;
import java.util.Set;

/**
 * Compares Numera's speed with its promises. Each figure is a ratio to the speed of a single writer on the same
 * storage.
 */
final class SpeedTable {
    private static final int TURNS = 5;
    private static final int WINDOWS = 3;
    private static final int FIRST_KEYS = 5_000;
    private static final int KEYS_A_TRANSACTION = 98;
    private static final int CALLERS = 64;
    private static final Load ONE = new Load(1, 1);
    private static final Load MANY = new Load(1, CALLERS);
    private static final Load PROCESSES = new Load(4, 16);
    private static final double LARGEST_P99_MILLIS = 500;
    private static final double LONGEST_WAIT_MILLIS = 3_000;

    private final Crew crew;
    private final boolean isQuick;
    private final Table table = new Table("case", "measured", "beside", "ratio", "wanted", "reached");

    private SpeedTable(Crew crew, boolean isQuick) {
        this.crew = crew;
        this.isQuick = isQuick;
    }

    static String run(Crew crew, Options options, Set<Catalogue.Store> stores) {
        SpeedTable speed = new SpeedTable(crew, options.isQuick());
        speed.strict();
        speed.gapless(stores.contains(Catalogue.Store.POSTGRES));
        return speed.table.toString();
    }

    private void strict() {
        double raw = best(Catalogue.RAW, ONE).numbersPerSecond();
        atLeast("strict, 1 caller", best(Catalogue.STRICT, ONE).numbersPerSecond(), "raw", raw, 0.9);
        Measured merged = best(Catalogue.STRICT, MANY);
        atLeast("strict, 64 callers", merged.numbersPerSecond(), "64 x raw", CALLERS * raw, 0.6);
        atMost(
                "strict, 64 callers: writes per number",
                merged.perNumber(merged.traffic().requests()),
                "1/64",
                1.0 / CALLERS,
                1.2);
        Measured spread =
                crew.measure(Cell.of(Catalogue.STRICT, PROCESSES, isQuick ? 500 : 5_000, isQuick ? 2_000 : 60_000));
        beside("strict, 4 processes x 16", spread.numbersPerSecond(), "16 x raw", PROCESSES.callersEach() * raw);
        Progress.say("numbers/s of each process: "
                + spread.eachProcess().stream().map(Figures::of).toList());
        atLeast("the slowest of the 4 processes", spread.smallestShare(), "the mean", 1, 0.5);
        atMost("4 processes x 16: p99, ms", spread.p99Millis(), "", LARGEST_P99_MILLIS, 1);
        atMost("4 processes x 16: longest wait, ms", spread.maxMillis(), "", LONGEST_WAIT_MILLIS, 1);
        atMost(
                "4 processes x 16: failures, duplicates and broken order",
                spread.failures() + spread.duplicates() + spread.inversions(),
                "",
                0,
                1);
    }

    private void gapless(boolean hasPostgres) {
        Measured writer = fresh(Catalogue.RAW_LEDGER, ONE, FIRST_KEYS / KEYS_A_TRANSACTION + 1);
        Measured gapless = fresh(Catalogue.GAPLESS, MANY, FIRST_KEYS);
        for (int turn = 1; turn < (isQuick ? 1 : TURNS); turn++) {
            writer = faster(writer, fresh(Catalogue.RAW_LEDGER, ONE, FIRST_KEYS / KEYS_A_TRANSACTION + 1));
            gapless = faster(gapless, fresh(Catalogue.GAPLESS, MANY, FIRST_KEYS));
        }
        atLeast(
                "gapless, 64 callers, the first 5,000 keys",
                gapless.numbersPerSecond(),
                "one writer of full transactions",
                writer.numbersPerSecond(),
                0.75);
        if (hasPostgres) {
            Measured postgres = faster(
                    fresh(Catalogue.POSTGRES_LEDGER, MANY, FIRST_KEYS),
                    fresh(Catalogue.POSTGRES_LEDGER, MANY, FIRST_KEYS));
            beside(
                    "the same beside PostgreSQL",
                    gapless.numbersPerSecond(),
                    "counter row with ledger row, 64 clients",
                    postgres.numbersPerSecond());
        }
    }

    private Measured best(Catalogue strategy, Load load) {
        return crew.measure(Cell.of(strategy, load, isQuick ? 500 : 5_000, isQuick ? 500 : 3_000)
                .windows(WINDOWS));
    }

    /**
     * Measures the first keys of a fresh sequence without a warm-up. The strategies to compare take turns, and the
     * first turn serves as the warm-up.
     */
    private Measured fresh(Catalogue strategy, Load load, int calls) {
        return crew.measure(Cell.of(strategy, load, 0, 60_000).maxCalls(calls));
    }

    private static Measured faster(Measured one, Measured other) {
        return one.numbersPerSecond() >= other.numbersPerSecond() ? one : other;
    }

    private void atLeast(String what, double measured, String beside, double yardstick, double wanted) {
        row(what, measured, beside, yardstick, ">= " + wanted, measured >= wanted * yardstick ? "yes" : "NO");
    }

    private void atMost(String what, double measured, String beside, double yardstick, double wanted) {
        row(what, measured, beside, yardstick, "<= " + wanted, measured <= wanted * yardstick ? "yes" : "NO");
    }

    private void beside(String what, double measured, String beside, double yardstick) {
        row(what, measured, beside, yardstick, "", "");
    }

    private void row(String what, double measured, String beside, double yardstick, String wanted, String reached) {
        String ratio = yardstick == 0 ? "–" : Figures.ratio(measured / yardstick);
        List<String> row = List.of(
                what, Figures.of(measured), (beside + " " + Figures.of(yardstick)).strip(), ratio, wanted, reached);
        Progress.say(String.join(", ", row));
        table.add(row);
    }
}
