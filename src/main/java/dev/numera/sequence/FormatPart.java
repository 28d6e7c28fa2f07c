package dev.numera.sequence;

import java.time.LocalDate;

/** One piece of a compiled template: how it is written, and how it is read back. Immutable. */
sealed interface FormatPart {
    /** Appends what stands for this part in the text of a number. */
    void append(StringBuilder text, FormatContext context, LocalDate date, long number);

    /** Reads what {@link #append} may have written; throws {@link TextUnreadableException} at anything else. */
    void read(TextReader reader);

    /** Length in UTF-16 units, the same for every date; 0 for a number, whose length differs from text to text. */
    int length(FormatContext context);

    /** The greatest length in UTF-16 units, whatever the sequence, the date and the number. */
    int maxLength();

    /** Refuses a sequence whose texts this part could not write, with an {@link InvalidFieldException}. */
    default void requireFits(FormatContext context) { }

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

    record Scope() implements Fixed {
        @Override
        public String text(FormatContext context) {
            return context.scope();
        }

        @Override
        public int maxLength() {
            return FormatContext.MAX_NAME_LENGTH;
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

    record PaddedScope(int width) implements Fixed {
        @Override
        public String text(FormatContext context) {
            requireFits(context);
            return "0".repeat(width - context.scope().length()) + context.scope();
        }

        @Override
        public int maxLength() {
            return width;
        }

        @Override
        public void requireFits(FormatContext context) {
            String scope = context.scope();
            if (scope.isEmpty() || scope.length() > width || !isDigits(scope)) {
                throw new InvalidFieldException("scope", "'" + scope + "' does not fit {scope:" + width
                        + "} of the format: use a scope of 1 to " + width + " digits, or {scope} in the format.");
            }
        }

        private static boolean isDigits(String scope) {
            for (int i = 0; i < scope.length(); i++) {
                if (!TextReader.isDigit(scope.charAt(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    record DateField(DateToken token) implements FormatPart {
        @Override
        public void append(StringBuilder text, FormatContext context, LocalDate date, long number) {
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
    }

    /** {@code {n}} is {@code {n:1}}. A minus sign stands before the digits and does not count. */
    record Number(int width) implements FormatPart {
        @Override
        public void append(StringBuilder text, FormatContext context, LocalDate date, long number) {
            if (number < 0) {
                text.append('-');
            }
            ZeroPadded.append(text, Math.abs(number), width);
        }

        @Override
        public void read(TextReader reader) {
            reader.readNumber(width);
        }

        @Override
        public int length(FormatContext context) {
            return 0;
        }

        @Override
        public int maxLength() {
            return "-".length() + ZeroPadded.MAX_DIGITS;
        }
    }

    /** maxValue minus the number: as wide as its width, always, so that text order is the reverse of number order. */
    record ReversedNumber(int width) implements FormatPart {
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
        public int length(FormatContext context) {
            return 0;
        }

        @Override
        public int maxLength() {
            return width;
        }

        @Override
        public void requireFits(FormatContext context) {
            // With a minValue below zero the difference may be greater than maxValue.
            int digits = ZeroPadded.digits(Math.max(context.maxValue(), context.maxValue() - context.minValue()));
            if (digits > width) {
                throw new InvalidFieldException("format", "{r:" + width + "} is too narrow for minValue " + context.minValue()
                        + " and maxValue " + context.maxValue() + ": use {r:" + digits + "} or a lower maxValue.");
            }
        }
    }

    record Check(CheckDigit method) implements FormatPart {
        @Override
        public void append(StringBuilder text, FormatContext context, LocalDate date, long number) {
            text.append(method.of(text, text.length()));
        }

        @Override
        public void read(TextReader reader) {
            reader.readCheck(method);
        }

        @Override
        public int length(FormatContext context) {
            return method.length();
        }

        @Override
        public int maxLength() {
            return method.length();
        }
    }
}
