package dev.numera.bench.report;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/** Lines over the number of callers, both axes logarithmic, as an SVG file. */
public final class LineChart {
    private static final int WIDTH_PIXELS = 1_100;
    private static final int HEIGHT_PIXELS = 620;
    /** A logarithm has no zero. */
    private static final double LEAST = 0.001;

    private LineChart() {}

    /** @param lines for each title its points, callers first */
    public static void write(Path file, String title, String yTitle, Map<String, List<double[]>> lines) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH_PIXELS).height(HEIGHT_PIXELS).title(title).xAxisTitle("callers").yAxisTitle(yTitle).build();
        chart.getStyler()
                .setLegendPosition(Styler.LegendPosition.OutsideE)
                .setChartBackgroundColor(Color.WHITE)
                .setAntiAlias(true);
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
        lines.forEach((name, points) -> chart.addSeries(name,
                points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> Math.max(point[1], LEAST)).toArray()));
        try (OutputStream out = Files.newOutputStream(file)) {
            ChartEncoder.saveChart(chart, out, "svg");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
