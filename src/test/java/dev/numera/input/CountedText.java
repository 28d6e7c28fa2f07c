package dev.numera.input;

/** A text that counts how often its characters are read, and throws when this exceeds a limit. */
final class CountedText implements CharSequence {
    /** Thrown when the matcher exceeds the limit. */
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
