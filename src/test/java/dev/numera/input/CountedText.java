package dev.numera.input;

/** A text that counts how often it is looked at, and refuses to be looked at more often than is allowed. */
final class CountedText implements CharSequence {
    /** The matcher went beyond the budget. */
    static final class LookedAtTooOften extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final String text;
    private long looksLeft;

    CountedText(String text, long looksAllowed) {
        this.text = text;
        this.looksLeft = looksAllowed;
    }

    @Override
    public char charAt(int index) {
        if (looksLeft-- == 0) {
            throw new LookedAtTooOften();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
