package dev.numera.contract;

import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Series;
import dev.numera.counter.Terms;
import dev.numera.format.ResetEvery;
import dev.numera.sequence.Definition;
import dev.numera.sequence.FormatHistory;
import dev.numera.sequence.StoredDefinition;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;

/** Definitions without a format, and what they say to their counters. */
public final class Defined {
    private static final FormatHistory NO_FORMATS = new FormatHistory(List.of(), 0);

    private Defined() {}

    public static Definition definition(Guarantee guarantee, Series series, ResetEvery resetEvery) {
        return new Definition(guarantee, series.start(), series.increment(), series.minValue(), series.maxValue(), series.cycle(), 100, null,
                resetEvery, ZoneId.of("UTC"), 1);
    }

    /** @param version null for one that was not stored yet */
    public static StoredDefinition stored(SequenceName name, Definition definition, boolean isInUse, Instant retiredAt, String version) {
        return new StoredDefinition(name, "an id", definition, NO_FORMATS, isInUse, retiredAt, version);
    }

    public static Terms terms(StoredDefinition stored) {
        return new Terms(fixed(stored.definition()), stored.definition().series(), Terms.TextFormat.NONE, stored.isRetired(),
                stored.isInUse(), stored.version());
    }

    public static FixedFields fixed(Definition definition) {
        return new FixedFields(definition.guarantee(), definition.start(), definition.increment(), definition.cycle(),
                definition.resetEvery().name().toLowerCase(Locale.ROOT), definition.timeZone().getId(), definition.fiscalYearStart());
    }
}
