package dev.numera.contract;

import dev.numera.model.FixedFields;
import dev.numera.model.Outcome;
import dev.numera.model.Series;
import dev.numera.model.Terms;
import java.util.Objects;

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
    public boolean covers(Outcome.Allocation imported) {
        return imported.formatRevision() == format.revision()
                && Objects.equals(imported.firstText(), format.text(imported.date(), imported.first()));
    }

    @Override
    public int warnAtPercent() {
        return 90;
    }
}
