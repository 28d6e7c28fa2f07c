package dev.numera.sequences.lists;

import dev.numera.core.model.FieldParsers;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole numbers in the notation of a file, such as {@code 1.041,00}.
 *
 * @param grouping the character between groups of three digits; null if the numbers have none. A blank means any blank,
 *     because programs write no-break and narrow ones
 * @param decimal the character before decimals, which must all be zero; null if the numbers have none
 */
public record NumberNotation(@Nullable Character grouping, @Nullable Character decimal) {
    /** Digits only, after a minus sign if negative. */
    static final NumberNotation PLAIN = new NumberNotation(null, null);

    private static final int GROUP_DIGITS = 3;

    /** @throws ProblemException {@code invalid-request} if both characters are the same */
    public NumberNotation {
        if (grouping != null && grouping.equals(decimal)) {
            throw InvalidRequest.because("decimal", "must be another character than grouping");
        }
    }

    /** Returns the number; empty if it is in another notation, is not whole, or is beyond 4*10^18 either way. */
    OptionalLong read(String cell) {
        String whole = withoutDecimals(cell);
        return FieldParsers.wholeNumber(grouping == null ? whole : withoutGroups(whole));
    }

    /** Returns the cell without its decimals; the whole cell, which is no number then, if one is not zero. */
    private String withoutDecimals(String cell) {
        int end = decimal == null ? -1 : cell.indexOf(decimal);
        boolean isWhole = end >= 0
                && end + 1 < cell.length()
                && cell.chars().skip(end + 1L).allMatch(unit -> unit == '0');
        return isWhole ? cell.substring(0, end) : cell;
    }

    /** Returns the digits; the whole cell, which is no number then, if its groups are not of three from the right. */
    private String withoutGroups(String cell) {
        List<String> groups = new ArrayList<>();
        int start = 0;
        for (int at = 0; at < cell.length(); at++) {
            if (isGrouping(cell.charAt(at))) {
                groups.add(cell.substring(start, at));
                start = at + 1;
            }
        }
        groups.add(cell.substring(start));
        int first = groups.get(0).startsWith("-")
                ? groups.get(0).length() - 1
                : groups.get(0).length();
        boolean isGrouped = first >= 1
                && first <= GROUP_DIGITS
                && groups.stream().skip(1).allMatch(group -> group.length() == GROUP_DIGITS);
        return isGrouped || groups.size() == 1 ? String.join("", groups) : cell;
    }

    private boolean isGrouping(char unit) {
        return grouping != null && (unit == grouping || grouping == ' ' && PrintableText.isBlank(unit));
    }

    /** Describes this notation after "must be a whole number" in a problem. */
    String expectation() {
        return (grouping == null ? "" : ", with '" + grouping + "' between groups of three digits")
                + (decimal == null ? "" : ", with only zeros after '" + decimal + "'");
    }
}
