package dev.numera.contract;

import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.KeyForm;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Standing;
import dev.numera.core.model.Suspension;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;

/** Builds definitions without a format. */
public final class Defined {
    private static final FormatHistory NO_FORMATS = new FormatHistory(List.of(), 0);

    private Defined() {}

    public static Definition definition(Guarantee guarantee, Series series, ResetEvery resetEvery) {
        FixedFields fixed = new FixedFields(
                guarantee, series.start(), series.increment(), series.cycle(), resetEvery, ZoneId.of("UTC"), 1);
        return new Definition(fixed, series.minValue(), series.maxValue(), 100, null);
    }

    /** Returns the definition with an order of dates. */
    public static Definition ordered(Definition plain, DateOrder dateOrder) {
        return new Definition(
                plain.fixed(),
                plain.minValue(),
                plain.maxValue(),
                plain.cacheSize(),
                plain.format(),
                plain.maxLength(),
                dateOrder,
                plain.keys(),
                plain.description(),
                plain.contact(),
                plain.warnAtPercent());
    }

    /**
     * Returns the definition as stored under a name.
     *
     * @param version null if it is not stored yet
     */
    public static Sequence stored(
            SequenceName name, Definition definition, boolean isInUse, Instant retiredAt, String version) {
        return stored(name, "an id", definition, NO_FORMATS, isInUse, retiredAt, version);
    }

    /** Returns a stored definition whose row lacks the window of two-digit years. */
    public static Sequence stored(
            SequenceName name,
            String id,
            Definition definition,
            FormatHistory formats,
            boolean isInUse,
            Instant retiredAt,
            String version) {
        Standing standing = new Standing(isInUse, retiredAt, null, Suspension.NONE, 0, 0, KeyForm.AS_SENT);
        return new Sequence(name, id, definition, formats, Sequence.EARLIER_TWO_DIGIT_YEARS_UNTIL, standing, version);
    }

    /** Returns a change with a random id, for tests that do not look at its content. */
    public static Change change() {
        Change.Position position = new Change.Position(
                Instant.parse("2026-11-21T10:11:12Z"), UUID.randomUUID().toString());
        return new Change(position, Change.Kind.CHANGED, ChangeNote.NONE, List.of(), null);
    }
}
