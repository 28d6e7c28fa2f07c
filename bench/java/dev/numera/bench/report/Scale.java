package dev.numera.bench.report;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Maps values to positions on an axis, and chooses the values for its ticks.
 *
 * @param note a remark for readers, to be added to the axis title
 */
record Scale(DoubleUnaryOperator measure, double least, double greatest, List<Double> ticks, String note) {
    private static final double TOO_FAR_APART_TO_BE_LINEAR = 100;
    private static final double TICKS_AT_MOST = 6;

    /** Returns a logarithmic scale with a tick at each value, for values that double each time. */
    static Scale ofEach(List<Double> sorted) {
        return new Scale(Math::log, sorted.get(0), sorted.get(sorted.size() - 1), sorted, "");
    }

    /**
     * Returns a linear scale from zero. If the values are too far apart for that, returns a logarithmic scale with a
     * tick at each power of ten.
     */
    static Scale over(double least, double greatest) {
        return greatest / least > TOO_FAR_APART_TO_BE_LINEAR ? tens(least, greatest) : even(greatest);
    }

    /** Returns the position of a value, from 0 for the least value to 1 for the greatest. */
    double share(double value) {
        double zero = measure.applyAsDouble(least);
        return (measure.applyAsDouble(value) - zero) / (measure.applyAsDouble(greatest) - zero);
    }

    private static Scale tens(double least, double greatest) {
        return new Scale(
                Math::log10,
                least,
                greatest,
                IntStream.rangeClosed((int) Math.ceil(Math.log10(least)), (int) Math.floor(Math.log10(greatest)))
                        .mapToObj(exponent -> Math.pow(10, exponent))
                        .toList(),
                ", each grid line ten times the one below");
    }

    private static Scale even(double greatest) {
        double ten = Math.pow(10, Math.floor(Math.log10(greatest / TICKS_AT_MOST)));
        double step = DoubleStream.of(ten, 2 * ten, 5 * ten, 10 * ten)
                .filter(each -> greatest / each <= TICKS_AT_MOST)
                .findFirst()
                .orElseThrow();
        int steps = (int) Math.ceil(greatest / step);
        return new Scale(
                DoubleUnaryOperator.identity(),
                0,
                steps * step,
                IntStream.rangeClosed(0, steps).mapToObj(each -> each * step).toList(),
                "");
    }
}
