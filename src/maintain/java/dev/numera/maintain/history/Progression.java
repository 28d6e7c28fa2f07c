package dev.numera.maintain.history;

/** The numbers that a sequence may allocate, in this order: start, start + increment and so on, from min to max. */
public record Progression(long start, long increment, long min, long max) {
    /** 1, 2, 3 and so on to the default maximum. */
    public static final Progression DEFAULT = new Progression(1, 1, 1, (1L << 53) - 1);

    boolean contains(long number) {
        boolean reached = increment > 0 ? number >= start : number <= start;
        return reached && number >= min && number <= max && residue(number) == residue(start);
    }

    /** As the other, or before the start: only another system can have allocated it. */
    boolean mayBeImported(long number) {
        return number >= min && number <= max && residue(number) == residue(start);
    }

    /** Grows from number to number, whatever the sign of the increment. */
    long position(long number) {
        return increment > 0 ? number : -number;
    }

    long residue(long number) {
        return Math.floorMod(number, Math.abs(increment));
    }

    @Override
    public String toString() {
        return start + ", " + (start + increment) + " and so on, from " + min + " to " + max;
    }
}
