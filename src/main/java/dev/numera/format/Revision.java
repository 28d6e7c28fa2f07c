package dev.numera.format;

/**
 * A format that a sequence has or had, with the numbers that may have been given under it. Immutable.
 *
 * @param format the template
 * @param least the least number that may have been given, at least -{@value FormatContext#LIMIT}
 * @param greatest the greatest one, from least to maxValue
 * @param maxValue that of the definition at the time, at most {@value FormatContext#LIMIT}: {@code {r}} counts from it
 */
public record Revision(String format, long least, long greatest, long maxValue) {
    /** @throws IllegalArgumentException if the range is empty or out of bounds */
    public Revision {
        if (least < -FormatContext.LIMIT || least > greatest || greatest > maxValue || maxValue > FormatContext.LIMIT) {
            throw new IllegalArgumentException("Format " + format + " cannot have been used for " + least + " to "
                    + greatest + " with maxValue " + maxValue + ".");
        }
    }

    /** Whether a number may have been given under it. */
    public boolean holds(long number) {
        return least <= number && number <= greatest;
    }
}
