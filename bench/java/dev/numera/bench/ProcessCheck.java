package dev.numera.bench;

import dev.numera.bench.harness.Cell;
import dev.numera.bench.harness.Crew;
import dev.numera.bench.harness.Load;
import dev.numera.bench.harness.Measured;
import dev.numera.bench.report.Figures;
import dev.numera.bench.report.Table;
import dev.numera.bench.strategy.Catalogue;
import dev.numera.bench.virtual.VirtualTable;
import java.util.List;

/**
 * Compares real processes with virtual time, under loads that two cores can carry. RTT is the measured median of the
 * processes, so it includes processor time; virtual time includes none.
 */
final class ProcessCheck {
    private static final int[][] SIZES = {{1, 1}, {1, 16}, {2, 4}};
    private static final int WARM_UP_MILLIS = 5_000;
    private static final int WINDOW_MILLIS = 20_000;
    private static final int QUICK_PARTS = 20;
    private static final double MILLIS_A_SECOND = 1_000;

    private ProcessCheck() {}

    /** Blocks for two minutes, or for some seconds if quick. */
    static String run(Crew crew, VirtualTable virtual, boolean isQuick) {
        double rttMillis = measure(crew, Catalogue.RAW, new Load(1, 1), isQuick).p50Millis();
        Table table = new Table(
                "load",
                "of callers/RTT",
                "in virtual time",
                "p50 RTT",
                "in virtual time",
                "p99 RTT",
                "in virtual time",
                "smallest share",
                "in virtual time");
        for (int[] size : SIZES) {
            Load load = new Load(size[0], size[1]);
            Measured real = measure(crew, Catalogue.STRICT, load, isQuick);
            dev.numera.bench.virtual.Measured same = virtual.of(size[0], size[1]);
            table.add(List.of(
                    size[0] + " x " + size[1],
                    Figures.ratio(real.numbersPerSecond() * rttMillis / MILLIS_A_SECOND / load.callers()),
                    Figures.ratio(same.ofCallersPerRtt()),
                    Figures.ratio(real.p50Millis() / rttMillis),
                    Figures.ratio(same.p50Rtt()),
                    Figures.ratio(real.p99Millis() / rttMillis),
                    Figures.ratio(same.p99Rtt()),
                    Figures.ratio(real.smallestShare()),
                    Figures.ratio(same.smallestShare())));
        }
        return "RTT of the processes: " + Figures.of(rttMillis) + " ms\n\n" + table;
    }

    private static Measured measure(Crew crew, Catalogue strategy, Load load, boolean isQuick) {
        int parts = isQuick ? QUICK_PARTS : 1;
        return crew.measure(Cell.of(strategy, load, WARM_UP_MILLIS / parts, WINDOW_MILLIS / parts));
    }
}
