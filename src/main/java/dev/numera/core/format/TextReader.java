package dev.numera.core.format;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a text from left to right, one part of the format after the other. Only the number varies in length, so the
 * length of the text determines where the number ends, and there is only one way to divide the text. One instance reads
 * one text; not thread-safe.
 */
final class TextReader {
    private final boolean isAnyCase;
    /** Whether a person typed the text: it has no blanks, and perhaps no separators of groups. */
    private final boolean isTyped;

    private final FormatContext context;
    private final int numberLength;
    private final Map<DateToken, Integer> dateFields = new EnumMap<>(DateToken.class);
    /**
     * The text to read. If the case is ignored, each part that was read is replaced by the case that the format writes,
     * because check digits depend on it.
     */
    private String text;

    private int position;
    private int datePosition;
    private long number;

    TextReader(String text, Accepting accepting, FormatContext context, int numberLength) {
        this.text = text;
        this.isAnyCase = accepting == Accepting.TYPED_IN_ANY_CASE;
        this.isTyped = accepting != Accepting.EXACT;
        this.context = context;
        this.numberLength = numberLength;
    }

    /** Which texts a reader accepts. */
    enum Accepting {
        EXACT,
        TYPED,
        TYPED_IN_ANY_CASE
    }

    FormatContext context() {
        return context;
    }

    void expect(String literal) {
        if (!hasNext(isTyped ? TypedText.withoutBlanks(literal) : literal)) {
            throw unreadable("'" + literal + "'");
        }
    }

    private boolean hasNext(String expected) {
        int end = position + expected.length();
        if (!text.regionMatches(isAnyCase, position, expected, 0, expected.length())) {
            return false;
        }
        text = text.substring(0, position) + expected + text.substring(end);
        position = end;
        return true;
    }

    void readDateField(DateToken token) {
        int value = Integer.parseInt(digits(position, token.length(), token.expectation()));
        if (!token.contains(value)) {
            throw unreadable(token.expectation());
        }
        Integer before = dateFields.putIfAbsent(token, value);
        if (before != null && before != value) {
            throw unreadable("the same {" + token.token() + "} as before");
        }
        datePosition = position;
        position += token.length();
    }

    void readNumber(Grouping printed) {
        boolean negative = text.startsWith("-", position);
        int start = negative ? position + 1 : position;
        int width = printed.width();
        int end = Math.min(text.length(), Math.max(start, position + numberLength));
        Grouping groups = isTyped ? printed.asTyped(text.substring(start, end)) : printed;
        int length = numberLength - (start - position) - groups.separators().length();
        String expected = expected(groups, width);
        if (length < width) {
            throw unreadable(expected);
        }
        String digits = digits(groups, start, length, expected);
        BigInteger magnitude = new BigInteger(digits);
        boolean needlessZero = length > width && digits.startsWith("0");
        boolean minusZero = negative && magnitude.signum() == 0;
        if (needlessZero || minusZero) {
            throw unreadable(expected);
        }
        accept(negative ? magnitude.negate() : magnitude);
        position += numberLength;
    }

    private static String expected(Grouping groups, int width) {
        if (!groups.separators().isEmpty()) {
            return "a number in groups of " + groups + " digits";
        }
        return width == 1 ? "a number without leading zeros" : "a number zero-padded to " + width + " digits";
    }

    /** Reads as many digits, with the separators between their groups, and returns the digits. */
    private String digits(Grouping groups, int start, int count, String expected) {
        if (groups.separators().isEmpty()) {
            return digits(start, count, expected);
        }
        StringBuilder digits = new StringBuilder();
        int at = start;
        for (char unit : groups.print("0".repeat(count)).toCharArray()) {
            boolean isRight =
                    at < text.length() && (unit == '0' ? ZeroPadded.isDigit(text.charAt(at)) : text.charAt(at) == unit);
            if (!isRight) {
                position = at;
                throw unreadable(expected);
            }
            if (unit == '0') {
                digits.append(text.charAt(at));
            }
            at++;
        }
        return digits.toString();
    }

    void readReversedNumber(int width) {
        String expected = "a number of exactly " + width + " digits";
        if (numberLength != width) {
            throw unreadable(expected);
        }
        BigInteger difference = new BigInteger(digits(position, width, expected));
        accept(BigInteger.valueOf(context.maxValue()).subtract(difference));
        position += width;
    }

    void readCheck(CheckMethod method) {
        expectCheck(method, method.of(text, 0, position));
    }

    /** Reads a check that covers the rest of the text. */
    void readReferenceCheck(CheckMethod method) {
        int end = Math.min(text.length(), position + method.length());
        expectCheck(method, method.of(text, end, text.length()));
    }

    private void expectCheck(CheckMethod method, String expected) {
        if (expected.isEmpty()) {
            throw unreadable("a number that has a check digit");
        }
        if (!hasNext(expected)) {
            throw unreadable("the " + method.token().substring("check:".length()) + " check digit " + expected);
        }
    }

    /**
     * Returns the meaning of the text after all parts were read. {@link Format#parse} defines the meaning of two-digit
     * years.
     */
    ParsedText result(LocalDate lastDate) {
        return new ParsedText(number, period(lastDate));
    }

    private Period period(LocalDate lastDate) {
        position = datePosition;
        List<Period> periods = new DateSearch(dateFields, context, lastDate).periods();
        if (periods.isEmpty()) {
            throw unreadable("date parts that belong to one date");
        }
        if (periods.size() > 1) {
            throw unreadable("date parts of one period, not of both " + periods.get(0) + " and " + periods.get(1));
        }
        return periods.get(0);
    }

    private void accept(BigInteger value) {
        boolean contained = value.bitLength() < Long.SIZE && context.contains(value.longValue());
        if (!contained) {
            throw unreadable("a number from " + context.minValue() + " to " + context.maxValue() + ", not " + value);
        }
        number = value.longValue();
    }

    private String digits(int start, int length, String expected) {
        for (int i = start; i < start + length; i++) {
            if (i >= text.length() || !ZeroPadded.isDigit(text.charAt(i))) {
                position = i;
                throw unreadable(expected);
            }
        }
        return text.substring(start, start + length);
    }

    /**
     * Returns the problem of a text that cannot be read.
     *
     * @param position the position of the first wrong character, in UTF-16 units from 1
     */
    static ProblemException unreadable(String why, int position) {
        return new ProblemException(ProblemType.TEXT_UNREADABLE, why, Map.of("position", position));
    }

    private ProblemException unreadable(String expected) {
        String found =
                position < text.length() ? "but found '" + text.substring(position) + "'" : "where the text ends";
        return unreadable(
                "Expected " + expected + " at character " + (position + 1) + ", " + found + ".", position + 1);
    }
}
