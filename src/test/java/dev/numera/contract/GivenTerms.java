package dev.numera.contract;

import dev.numera.counter.FixedFields;
import dev.numera.counter.Series;
import dev.numera.counter.Terms;

/** Terms as a test gives them. */
public record GivenTerms(
        FixedFields fixed,
        Series series,
        TextFormat format,
        boolean isDateOrdered,
        boolean isRetired,
        boolean isInUse,
        String version)
        implements Terms {
    /** Of a sequence whose dates have no order. */
    public GivenTerms(
            FixedFields fixed, Series series, TextFormat format, boolean isRetired, boolean isInUse, String version) {
        this(fixed, series, format, false, isRetired, isInUse, version);
    }

    @Override
    public int warnAtPercent() {
        return 90;
    }
}
