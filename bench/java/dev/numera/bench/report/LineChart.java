package dev.numera.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A chart of lines over a number of callers or instances, as an SVG file. A few lines have names at their ends. The
 * others are grey and only serve as a comparison.
 */
public final class LineChart {
    /**
     * The style of a line. Lines of later styles are drawn over earlier ones. Color-blind readers can distinguish the
     * colors.
     */
    public enum Look {
        UNNAMED("#bdbdbd", 1.2, "none"),
        GREY("#6a6a6a", 1.2, "none"),
        BLUE("#0072b2", 4, "none"),
        ORANGE("#c44e00", 4, "none"),
        PURPLE("#aa3377", 4, "none"),
        /** The style of a line that may cover another one: the covered line shows between the dashes. */
        BLACK_DASHES("#222222", 4, "10 10");

        private final String colour;
        private final double width;
        private final String dashes;

        Look(String colour, double width, String dashes) {
            this.colour = colour;
            this.width = width;
            this.dashes = dashes;
        }
    }

    public record Point(double x, double y) {}

    public record Line(String name, Look look, List<Point> points) {
        private Line withoutZeros() {
            return new Line(
                    name, look, points.stream().filter(point -> point.y() > 0).toList());
        }

        private Point end() {
            return points.get(points.size() - 1);
        }
    }

    private static final int WIDTH = 940;
    private static final int HEIGHT = 500;
    private static final int LEFT = 100;
    private static final int RIGHT = 660;
    private static final int TOP = 90;
    private static final int BOTTOM = 430;
    private static final int NAMES_LEFT = RIGHT + 25;
    private static final double NAME_HEIGHT = 19;
    /** The distance from the baseline of a text to its middle. */
    private static final int HALF_A_LETTER = 5;

    private final Scale x;
    private final Scale y;
    private final StringBuilder svg = new StringBuilder();

    private LineChart(List<Line> lines) {
        DoubleSummaryStatistics values = points(lines).mapToDouble(Point::y).summaryStatistics();
        this.x = Scale.ofEach(points(lines).map(Point::x).distinct().sorted().toList());
        this.y = Scale.over(values.getMin(), values.getMax());
    }

    /** Writes a chart. Leaves out points without a value, because a logarithmic axis has no zero. */
    public static void write(Path file, String title, String xTitle, String yTitle, List<Line> lines) {
        List<Line> seen = lines.stream()
                .map(Line::withoutZeros)
                .filter(line -> !line.points().isEmpty())
                .sorted(Comparator.comparing(Line::look))
                .toList();
        LineChart chart = new LineChart(seen);
        chart.drawAxes(title, xTitle, yTitle);
        seen.forEach(chart::draw);
        chart.drawNames(
                seen.stream().filter(line -> line.look() != Look.UNNAMED).toList());
        try {
            Files.writeString(file, chart.svg + "</svg>\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void drawAxes(String title, String xTitle, String yTitle) {
        add(
                "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %1$d %2$d'"
                        + " font-family='Helvetica, Arial, sans-serif' font-size='14' fill='#222222'>",
                WIDTH, HEIGHT);
        add("<rect width='%d' height='%d' fill='#ffffff'/>", WIDTH, HEIGHT);
        add("<text x='20' y='32' font-size='18' font-weight='bold'>%s</text>", title);
        add("<text x='20' y='%d'>%s</text>", TOP - 28, yTitle + y.note());
        add("<text x='%d' y='%d' text-anchor='middle'>%s</text>", (LEFT + RIGHT) / 2, BOTTOM + 50, xTitle);
        for (double tick : y.ticks()) {
            add("<path d='M%d %.1fH%d' stroke='#e4e4e4'/>", LEFT, down(tick), RIGHT);
            add(
                    "<text x='%d' y='%.1f' text-anchor='end'>%s</text>",
                    LEFT - 10, down(tick) + HALF_A_LETTER, writtenOut(tick));
        }
        for (double tick : x.ticks()) {
            add("<path d='M%.1f %dV%d' stroke='#e4e4e4'/>", across(tick), TOP, BOTTOM);
            add("<text x='%.1f' y='%d' text-anchor='middle'>%s</text>", across(tick), BOTTOM + 24, writtenOut(tick));
        }
    }

    /** Draws a line. Its name is also a tooltip, so that readers can identify lines without a visible name. */
    private void draw(Line line) {
        add(
                "<polyline points='%s' fill='none' stroke='%s' stroke-width='%s' stroke-dasharray='%s'>"
                        + "<title>%s</title></polyline>",
                line.points().stream()
                        .map(point -> format("%.1f,%.1f", across(point.x()), down(point.y())))
                        .collect(Collectors.joining(" ")),
                line.look().colour,
                line.look().width,
                line.look().dashes,
                line.name());
    }

    private void drawNames(List<Line> lines) {
        List<Line> fromTheTop = lines.stream()
                .sorted(Comparator.comparingDouble(line -> down(line.end().y())))
                .toList();
        double[] heights = apart(
                fromTheTop.stream().mapToDouble(line -> down(line.end().y())).toArray());
        for (int i = 0; i < heights.length; i++) {
            Line line = fromTheTop.get(i);
            add(
                    "<path d='M%.1f %.1fL%d %.1f' stroke='%s'/>",
                    across(line.end().x()), down(line.end().y()), NAMES_LEFT - 4, heights[i], line.look().colour);
            add(
                    "<text x='%d' y='%.1f' fill='%s'%s>%s</text>",
                    NAMES_LEFT,
                    heights[i] + HALF_A_LETTER,
                    line.look().colour,
                    line.look() == Look.GREY ? "" : " font-weight='bold'",
                    line.name());
        }
    }

    /** Moves overlapping names apart, both by half of the overlap, until no names overlap. */
    private static double[] apart(double[] wanted) {
        double[] heights = wanted.clone();
        for (int round = 0; round < 100; round++) {
            for (int i = 1; i < heights.length; i++) {
                double push = Math.max(0, NAME_HEIGHT - (heights[i] - heights[i - 1])) / 2;
                heights[i - 1] -= push;
                heights[i] += push;
            }
        }
        return heights;
    }

    private double across(double value) {
        return LEFT + x.share(value) * (RIGHT - LEFT);
    }

    private double down(double value) {
        return BOTTOM - y.share(value) * (BOTTOM - TOP);
    }

    private static Stream<Point> points(List<Line> lines) {
        return lines.stream().flatMap(line -> line.points().stream());
    }

    private static String writtenOut(double value) {
        return new DecimalFormat("#,##0.####", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
    }

    private void add(String element, Object... arguments) {
        svg.append(format(element, arguments)).append('\n');
    }

    private static String format(String text, Object... arguments) {
        return String.format(Locale.ROOT, text, arguments);
    }
}
