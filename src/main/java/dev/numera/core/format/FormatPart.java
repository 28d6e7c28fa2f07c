package dev.numera.core.format;

import dev.numera.core.problem.InvalidRequest;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** A part of a compiled template, which writes its part of a text and reads it back. Immutable. */
sealed interface FormatPart {
    /** Appends this part of the text of a number. */
    void append(StringBuilder text, FormatContext context, LocalDate date, long number);

    /** Replaces the placeholder of this part, if it has one, after all parts were appended. */
    default void complete(StringBuilder text) {}

    /** Reads this part of a text. Throws {@code text-unreadable} if {@link #append} cannot have written it. */
    void read(TextReader reader);

    /** Returns the length in UTF-16 units, which is the same for every date; 0 for a number, whose length varies. */
    int length(FormatContext context);

    /** Returns the length in a typed text without its blanks. */
    default int lengthWithoutBlanks(FormatContext context) {
        return length(context);
    }

    /** Returns the greatest length in UTF-16 units for any sequence, date and number. */
    int maxLength();

    /** Returns the shape of this part on any date, in the units of a {@link Shape}; empty for a number. */
    String shape(FormatContext context);

    /** Whether versions before feature level 6 know this part. */
    default boolean isOfFirstVersions() {
        return true;
    }

    /** Refuses a sequence whose texts this part cannot write, with {@code invalid-request}. */
    default void requireFits(FormatContext context) {}

    /** A part that is the same in all texts of a sequence. */
    sealed interface Fixed extends FormatPart {
        String text(FormatContext context);

        @Override
        default void append(StringBuilder text, FormatContext context, LocalDate date, long number) {
            text.append(text(context));
        }

        @Override
        default void read(TextReader reader) {
            reader.expect(text(reader.context()));
        }

        @Override
        default int length(FormatContext context) {
            return text(context).length();
        }

        @Override
        default int lengthWithoutBlanks(FormatContext context) {
            return TypedText.withoutBlanks(text(context)).length();
        }

        @Override
        default String shape(FormatContext context) {
            return text(context);
        }
    }

    /** The number. Every template has exactly one such part. */
    sealed interface Numeric extends FormatPart {
        /** Returns the distinct shapes of all numbers from least to greatest. */
        List<String> shapes(long least, long greatest);

        /** Returns the least number of digits. */
        int width();

        /** Returns this part with the least width. */
        Numeric withoutWidth();

        @Override
        default int length(FormatContext context) {
            return 0;
        }

        @Override
        default String shape(FormatContext context) {
            return "";
        }
    }

    record Literal(String text) implements Fixed {
        @Override
        public String text(FormatContext context) {
            return text;
        }

        @Override
        public int maxLength() {
            return text.length();
        }
    }

    record Name() implements Fixed {
        @Override
        public String text(FormatContext context) {
            return context.name();
        }

        @Override
        public int maxLength() {
            return FormatContext.MAX_NAME_LENGTH;
        }
    }

    /**
     * The scope of the sequence.
     *
     * @param width the length that the scope is zero-padded to; 0 for no padding
     */
    record Scope(int width) implements Fixed {
        @Override
        public String text(FormatContext context) {
            requireFits(context);
            String scope = context.scope();
            return "0".repeat(Math.max(0, width - scope.length())) + scope;
        }

        @Override
        public int maxLength() {
            return isPadded() ? width : FormatContext.MAX_NAME_LENGTH;
        }

        boolean isPadded() {
            return width > 0;
        }

        @Override
        public void requireFits(FormatContext context) {
            String scope = context.scope();
            if (isPadded() && (scope.isEmpty() || scope.length() > width || !isDigits(scope))) {
                throw InvalidRequest.because(
                        "scope",
                        "'" + scope + "' does not fit {scope:" + width + "} of the format: use a scope of 1 to " + width
                                + " digits, or {scope} in the format");
            }
        }

        private static boolean isDigits(String scope) {
            for (int i = 0; i < scope.length(); i++) {
                if (!ZeroPadded.isDigit(scope.charAt(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    record DateField(DateToken token) implements FormatPart {
        @Override
        public void append(StringBuilder text, FormatContext context, LocalDate date, long number) {
            requireFits(context);
            ZeroPadded.append(text, token.valueOn(date, context.fiscalYearStart()), token.length());
        }

        @Override
        public void read(TextReader reader) {
            reader.readDateField(token);
        }

        @Override
        public int length(FormatContext context) {
            return token.length();
        }

        @Override
        public int maxLength() {
            return token.length();
        }

        @Override
        public String shape(FormatContext context) {
            return Shape.digits(token.length());
        }

        @Override
        public boolean isOfFirstVersions() {
            return token != DateToken.QUARTER;
        }

        @Override
        public void requireFits(FormatContext context) {
            if (token == DateToken.FISCAL_YEAR_BEGINNING
                    && context.fiscalYearStart().isNewYear()) {
                throw InvalidRequest.because(
                        "format",
                        "{fy:2-2} needs a fiscal year that begins in one year and ends in the next: use {fy:2}, or a "
                                + "fiscalYearStart other than 1");
            }
        }
    }

    /** The number itself. {@code {n}} has one group of width 1. A minus sign precedes the digits and does not count. */
    @SuppressWarnings("JavaLangClash") // The name that templates use; this file does not use java.lang.Number.
    record Number(Grouping groups) implements Numeric {
        @Override
        public int width() {
            return groups.width();
        }

        @Override
        public void append(StringBuilder text, FormatContext context, LocalDate date, long number) {
            if (number < 0) {
                text.append('-');
            }
            if (groups.separators().isEmpty()) {
                ZeroPadded.append(text, Math.abs(number), width());
            } else {
                StringBuilder digits = new StringBuilder();
                ZeroPadded.append(digits, Math.abs(number), width());
                text.append(groups.print(digits.toString()));
            }
        }

        @Override
        public void read(TextReader reader) {
            reader.readNumber(groups);
        }

        @Override
        public List<String> shapes(long least, long greatest) {
            List<String> shapes = new ArrayList<>();
            if (least < 0) {
                addShapes(shapes, "-", Math.max(1, -greatest), -least);
            }
            if (greatest >= 0) {
                addShapes(shapes, "", Math.max(0, least), greatest);
            }
            return shapes;
        }

        @Override
        public Numeric withoutWidth() {
            return new Number(Grouping.none(1));
        }

        private void addShapes(List<String> shapes, String sign, long leastMagnitude, long greatestMagnitude) {
            int longest = Math.max(width(), ZeroPadded.digits(greatestMagnitude));
            for (int length = Math.max(width(), ZeroPadded.digits(leastMagnitude)); length <= longest; length++) {
                shapes.add(sign + groups.print(Shape.digits(length)));
            }
        }

        @Override
        public int maxLength() {
            return "-".length() + ZeroPadded.MAX_DIGITS + groups.separators().length();
        }

        @Override
        public boolean isOfFirstVersions() {
            return groups.separators().isEmpty();
        }
    }

    /** maxValue minus the number, always with {@code width} digits, so that texts sort in reverse number order. */
    record ReversedNumber(int width) implements Numeric {
        @Override
        public void append(StringBuilder text, FormatContext context, LocalDate date, long number) {
            requireFits(context);
            ZeroPadded.append(text, context.maxValue() - number, width);
        }

        @Override
        public void read(TextReader reader) {
            reader.readReversedNumber(width);
        }

        @Override
        public List<String> shapes(long least, long greatest) {
            return List.of(Shape.digits(width));
        }

        @Override
        public Numeric withoutWidth() {
            return new ReversedNumber(1);
        }

        @Override
        public int maxLength() {
            return width;
        }

        @Override
        public void requireFits(FormatContext context) {
            // If minValue is negative, the difference can be greater than maxValue.
            int digits = ZeroPadded.digits(Math.max(context.maxValue(), context.maxValue() - context.minValue()));
            if (digits > width) {
                throw InvalidRequest.because(
                        "format",
                        "{r:" + width + "} is too narrow for minValue " + context.minValue() + " and maxValue "
                                + context.maxValue() + ": use {r:" + digits + "} or a lower maxValue");
            }
        }
    }

    /** A check that follows the characters that it covers. */
    record Check(CheckMethod method) implements Checking {
        @Override
        public void append(StringBuilder text, FormatContext context, LocalDate date, long number) {
            String check = method.of(text, 0, text.length());
            if (check.isEmpty()) {
                throw InvalidRequest.because(
                        "format",
                        "{" + method.token() + "} gives number " + number + " no check digit, because it would be 10:"
                                + " name a substitute, as in {" + method.token() + ":X}, {" + method.token() + ":-}, {"
                                + method.token() + ":0} or {" + method.token() + ":1}");
            }
            text.append(check);
        }

        @Override
        public void read(TextReader reader) {
            reader.readCheck(method);
        }
    }

    /** The check of an ISO 11649 reference: it comes after {@code RF}, and covers the characters that follow it. */
    record ReferenceCheck(CheckMethod method) implements Checking {
        static final String PREFIX = "RF";

        @Override
        public void append(StringBuilder text, FormatContext context, LocalDate date, long number) {
            text.append("00");
        }

        @Override
        public void complete(StringBuilder text) {
            int end = PREFIX.length() + method.length();
            text.replace(PREFIX.length(), end, method.of(text, end, text.length()));
        }

        @Override
        public void read(TextReader reader) {
            reader.readReferenceCheck(method);
        }
    }

    /** A check over other characters of the text. A template has at most one. */
    sealed interface Checking extends FormatPart {
        CheckMethod method();

        @Override
        default int length(FormatContext context) {
            return method().length();
        }

        @Override
        default int maxLength() {
            return method().length();
        }

        @Override
        default String shape(FormatContext context) {
            return Shape.anything(method().length());
        }

        @Override
        default boolean isOfFirstVersions() {
            return method().isOfFirstVersions();
        }
    }
}
