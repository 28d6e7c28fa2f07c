package dev.numera.core.problem;

import java.text.Normalizer;
import java.util.Optional;

/**
 * The kinds of text that callers choose and people read. A text is printable in any script, has no blank at either end,
 * and has at least one visible character. A key has no invisible character at either end either, because people could
 * not distinguish it from another key.
 */
public enum PrintableText {
    /** The caller's own name for a request within its sequence. */
    KEY(255),
    /** The caller's reason for a change, in the caller's own words. */
    REASON(200),
    /** The person or system that makes a change, as the caller stated. */
    ACTOR(100),
    DESCRIPTION(500),
    CONTACT(200);

    /** The Unicode property Bidi_Control. These characters can make a text look like another one. */
    private static final String DIRECTION_CONTROLS =
            "\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069";
    /**
     * Invisible characters outside the category of format characters: the grapheme joiner, fillers, inherent vowels and
     * the blank Braille pattern.
     */
    private static final String FILLERS = "\u034F\u115F\u1160\u17B4\u17B5\u2065\u2800\u3164\uFFA0"
            + "\uFFF0\uFFF1\uFFF2\uFFF3\uFFF4\uFFF5\uFFF6\uFFF7\uFFF8";

    private static final String VARIATION_SELECTORS = "\u180B\u180C\u180D\u180F"
            + "\uFE00\uFE01\uFE02\uFE03\uFE04\uFE05\uFE06\uFE07\uFE08\uFE09\uFE0A\uFE0B\uFE0C\uFE0D\uFE0E\uFE0F";

    /**
     * The block that Unicode reserves for ignorable characters, assigned or not: tags and supplementary variation
     * selectors.
     */
    private static final int FIRST_IGNORABLE = 0xE0000;

    private static final int LAST_IGNORABLE = 0xE0FFF;
    private static final int FIRST_VARIATION = 0xE0100;
    private static final int LAST_VARIATION = 0xE01EF;
    private static final int FIRST_TAG = 0xE0020;
    /**
     * The end of a tag sequence. Example: the flag of Wales is a black flag, the tags {@code gbwls} and this character.
     */
    private static final int CANCEL_TAG = 0xE007F;
    /** The first character that has more than one Unicode form. */
    private static final char FIRST_COMPOSED = '\u00C0';

    private final int maxUnits;

    PrintableText(int maxUnits) {
        this.maxUnits = maxUnits;
    }

    /** Returns the maximum length in UTF-16 units. */
    public int maxUnits() {
        return maxUnits;
    }

    /** @throws ProblemException {@code invalid-request} for this field if the text has a flaw */
    public void require(String field, String text) {
        flaw(text).ifPresent(flaw -> {
            throw InvalidRequest.because(field, flaw);
        });
    }

    /** Like {@link #require}, but accepts every text that an earlier version may have stored. */
    public void requireStorable(String field, String text) {
        flawOfStored(text).ifPresent(flaw -> {
            throw InvalidRequest.because(field, flaw);
        });
    }

    /** Returns the flaw of a text, if any, as the end of a sentence that starts with the field's name. */
    public Optional<String> flaw(String text) {
        Optional<String> flaw = flawOfStored(text);
        return flaw.isEmpty() && this == KEY ? flawOfKey(text) : flaw;
    }

    /** Like {@link #flaw(String)}, but accepts every text that an earlier version may have stored. */
    public Optional<String> flawOfStored(String text) {
        return flaw(text, maxUnits);
    }

    /** Returns the flaw that only keys can have, beyond the flaws of any text. */
    private static Optional<String> flawOfKey(String text) {
        if (isVisibleAscii(text)) {
            return Optional.empty();
        }
        if (!isVisible(text.codePointAt(0)) || !isVisible(text.codePointBefore(endOfVisible(text)))) {
            return Optional.of(
                    "must not begin or end with an invisible character, such as U+200B or U+FEFF: leave it out");
        }
        return text.chars().anyMatch(unit -> unit >= FIRST_COMPOSED)
                        && Normalizer.normalize(text, Normalizer.Form.NFC).length() > KEY.maxUnits
                ? Optional.of("must have 1 to " + KEY.maxUnits + " characters in the Unicode form NFC")
                : Optional.empty();
    }

    /**
     * Returns the end of the text without a final tag sequence or variation selector, which belongs to the character
     * before it.
     */
    private static int endOfVisible(String text) {
        int end = endBeforeTags(text);
        int last = text.codePointBefore(end);
        return isVariationSelector(last) ? end - Character.charCount(last) : end;
    }

    private static int endBeforeTags(String text) {
        int length = text.length();
        if (text.codePointBefore(length) != CANCEL_TAG) {
            return length;
        }
        int endOfTags = length - Character.charCount(CANCEL_TAG);
        int end = endOfTags;
        while (end > 0 && isTag(text.codePointBefore(end))) {
            end -= Character.charCount(FIRST_TAG);
        }
        return end > 0 && end < endOfTags ? end : length;
    }

    private static boolean isTag(int codePoint) {
        return codePoint >= FIRST_TAG && codePoint < CANCEL_TAG;
    }

    private static boolean isVariationSelector(int codePoint) {
        return VARIATION_SELECTORS.indexOf(codePoint) >= 0
                || codePoint >= FIRST_VARIATION && codePoint <= LAST_VARIATION;
    }

    /** Like {@link #flawOfStored}, with another maximum length. */
    public static Optional<String> flaw(String text, int maxUnits) {
        if (text.isEmpty() || text.length() > maxUnits) {
            return Optional.of("must have 1 to " + maxUnits + " characters");
        }
        if (isVisibleAscii(text)) {
            return Optional.empty();
        }
        if (isBlank(text.codePointAt(0)) || isBlank(text.codePointBefore(text.length()))) {
            return Optional.of("must not begin or end with a blank");
        }
        if (!text.codePoints().allMatch(PrintableText::isPrintable)) {
            return Optional.of(
                    "must have printable characters only: no control characters, no half of a surrogate pair");
        }
        if (text.codePoints().anyMatch(PrintableText::isDirectionControl)) {
            return Optional.of(
                    "must have no characters that change the direction of text, such as U+202E: leave them out");
        }
        return text.codePoints().anyMatch(PrintableText::isVisible)
                ? Optional.empty()
                : Optional.of("must have at least one visible character");
    }

    /**
     * Whether the text has visible ASCII characters only, like most keys. The other rules find no flaw in such a text.
     */
    private static boolean isVisibleAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    /** Whether a character is white space of any kind, no-break spaces included. */
    public static boolean isBlank(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }

    /** Whether a character is neither seen nor a blank, so that nobody can type a text with it again. */
    public static boolean isInvisible(int codePoint) {
        boolean isVisibleAscii = codePoint > ' ' && codePoint <= '~';
        return !isVisibleAscii && (!isPrintable(codePoint) || !isVisible(codePoint) && !isBlank(codePoint));
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> true;
        };
    }

    private static boolean isDirectionControl(int codePoint) {
        return DIRECTION_CONTROLS.indexOf(codePoint) >= 0;
    }

    private static boolean isVisible(int codePoint) {
        return !isBlank(codePoint)
                && Character.getType(codePoint) != Character.FORMAT
                && FILLERS.indexOf(codePoint) < 0
                && !isVariationSelector(codePoint)
                && (codePoint < FIRST_IGNORABLE || codePoint > LAST_IGNORABLE);
    }
}
