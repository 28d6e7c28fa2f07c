package dev.numera.bench.report;

import java.util.Locale;

/** Formats figures for readers, with about three digits. */
public final class Figures {
    private Figures() {}

    /** Formats a count or a rate. */
    public static String of(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        if (value == 0) {
            return "0";
        }
        if (value >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : value >= 0.1 ? "%.2f" : "%.4f", value);
    }

    public static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
