package dev.numera.counter;

import dev.numera.format.ResetEvery;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a definition that no longer change once its first counter exists: numbers under two readings of them
 * could be equal. Whatever makes a counter marks the definition as in use in the same transaction, which fixes them.
 *
 * @param fiscalYearStart month 1 to 12
 */
public record FixedFields(
        Guarantee guarantee,
        long start,
        long increment,
        boolean cycle,
        ResetEvery resetEvery,
        ZoneId timeZone,
        int fiscalYearStart) {
    /** Whether there is one counter for ever, not one for each period. */
    public boolean isNeverReset() {
        return resetEvery == ResetEvery.NEVER;
    }

    /** Whether keys are taken: there is a ledger, and no second round that would repeat its numbers. */
    public boolean takesKeys() {
        return guarantee != Guarantee.CACHED && !cycle;
    }

    /** The names of the fields in which another reading differs. */
    public List<String> differences(FixedFields other) {
        List<String> names = new ArrayList<>();
        addIf(names, "guarantee", guarantee != other.guarantee);
        addIf(names, "start", start != other.start);
        addIf(names, "increment", increment != other.increment);
        addIf(names, "cycle", cycle != other.cycle);
        addIf(names, "resetEvery", resetEvery != other.resetEvery);
        addIf(names, "timeZone", !timeZone.equals(other.timeZone));
        addIf(names, "fiscalYearStart", fiscalYearStart != other.fiscalYearStart);
        return names;
    }

    private static void addIf(List<String> names, String name, boolean differs) {
        if (differs) {
            names.add(name);
        }
    }
}
