package dev.numera.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/** Lines over a number of callers or instances, both axes logarithmic, as an SVG file. */
public final class LineChart {
    private static final int WIDTH_PIXELS = 1_100;
    private static final int HEIGHT_PIXELS = 620;
    private static final float GRID_LINE_PIXELS = 0.5f;
    /** A logarithm has no zero. */
    private static final double LEAST = 0.001;

    private static final Pattern NEEDLESS_DIGITS = Pattern.compile("(\\d\\.\\d)\\d+");

    private LineChart() {}

    /** @param lines for each title its points, the horizontal value first */
    public static void write(Path file, String title, String xTitle, String yTitle, Map<String, List<double[]>> lines) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH_PIXELS)
                .height(HEIGHT_PIXELS)
                .title(title)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        chart.getStyler()
                .setLegendPosition(Styler.LegendPosition.OutsideE)
                .setChartBackgroundColor(Color.WHITE)
                .setAntiAlias(true);
        // Dashes would be drawn one by one, and make up most of the file.
        chart.getStyler()
                .setPlotGridLinesStroke(new BasicStroke(GRID_LINE_PIXELS))
                .setXAxisLogarithmic(true)
                .setYAxisLogarithmic(true);
        lines.forEach((name, points) -> chart.addSeries(
                name,
                points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> Math.max(point[1], LEAST)).toArray()));
        try {
            ByteArrayOutputStream svg = new ByteArrayOutputStream();
            ChartEncoder.saveChart(chart, svg, "svg");
            // Letters are drawn as shapes, in coordinates of 15 digits: one after the point is enough, and a third of
            // the size.
            Files.writeString(
                    file,
                    NEEDLESS_DIGITS
                            .matcher(svg.toString(StandardCharsets.UTF_8))
                            .replaceAll("$1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
