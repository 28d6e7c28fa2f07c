package dev.numera.sequences.lists;

import dev.numera.core.problem.PrintableText;
import java.text.Normalizer;
import java.util.Locale;

/** Compares texts of a file as a person reads them: without case, and without blanks around them. */
public final class CellText {
    private CellText() {}

    /** Returns a form that is equal for two texts that a person reads as the same. */
    public static String folded(String text) {
        return Normalizer.normalize(stripped(text), Normalizer.Form.NFC)
                .toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT);
    }

    /** Returns the text without any blanks around it. {@link String#strip} would keep no-break spaces. */
    public static String stripped(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && PrintableText.isBlank(text.charAt(from))) {
            from++;
        }
        while (from < to && PrintableText.isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }
}
