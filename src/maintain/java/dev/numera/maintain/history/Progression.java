package dev.numera.maintain.history;

/** The numbers that a sequence may allocate, in order: start, start + increment and so on, within min and max. */
public record Progression(long start, long increment, long min, long max) {
    /** The default series: 1, 2, 3 and so on to the default maximum. */
    public static final Progression DEFAULT = new Progression(1, 1, 1, (1L << 53) - 1);

    boolean contains(long number) {
        boolean reached = increment > 0 ? number >= start : number <= start;
        return reached && number >= min && number <= max && residue(number) == residue(start);
    }

    /**
     * Like {@link #contains}, but also accepts numbers before the start, which only another system can have allocated.
     */
    boolean mayBeImported(long number) {
        return number >= min && number <= max && residue(number) == residue(start);
    }

    /**
     * Returns the number's position in the order of the series: it grows from each number to the next, even if the
     * increment is negative.
     */
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
