package dev.numera.problem;

import java.util.Optional;

/**
 * The texts that callers choose and people read: printable, in any script, without a blank at either end, and with
 * something to see in it, so that no two of them differ only by what is invisible.
 */
public enum PrintableText {
    /** The caller's own name for a request within its sequence. */
    KEY(255),
    /** Why a caller did something, in the caller's own words. */
    REASON(200),
    /** Who does it, as the caller stated. */
    ACTOR(100),
    DESCRIPTION(500),
    CONTACT(200);

    /** Unicode's Bidi_Control: with them a text looks like another one. */
    private static final String DIRECTION_CONTROLS =
            "\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069";
    /** Of other categories than format characters: joiners, fillers, variation selectors, and Braille's blank. */
    private static final String INVISIBLE = "\u034F\u115F\u1160\u17B4\u17B5\u180B\u180C\u180D\u180F\u2800\u3164\uFFA0"
            + "\uFE00\uFE01\uFE02\uFE03\uFE04\uFE05\uFE06\uFE07\uFE08\uFE09\uFE0A\uFE0B\uFE0C\uFE0D\uFE0E\uFE0F";

    private static final int FIRST_VARIATION = 0xE0100;
    private static final int LAST_VARIATION = 0xE01EF;

    private final int maxUnits;

    PrintableText(int maxUnits) {
        this.maxUnits = maxUnits;
    }

    /** How many UTF-16 units such a text has at most. */
    public int maxUnits() {
        return maxUnits;
    }

    /** @throws ProblemException {@code invalid-request} for that field */
    public void require(String field, String text) {
        flaw(text).ifPresent(flaw -> {
            throw InvalidRequest.because(field, flaw);
        });
    }

    /** What is wrong with a text, to be read on after the field's name. */
    public Optional<String> flaw(String text) {
        return flaw(text, maxUnits);
    }

    /** As {@link #flaw(String)}, for a text that may have another length. */
    public static Optional<String> flaw(String text, int maxUnits) {
        if (text.isEmpty() || text.length() > maxUnits) {
            return Optional.of("must have 1 to " + maxUnits + " characters");
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

    private static boolean isBlank(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
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
                && INVISIBLE.indexOf(codePoint) < 0
                && (codePoint < FIRST_VARIATION || codePoint > LAST_VARIATION);
    }
}
