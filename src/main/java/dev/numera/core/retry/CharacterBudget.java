package dev.numera.core.retry;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the characters of the answers and uploads in progress, so that no number of callers exhausts the heap. A call
 * takes its share before it writes its answer or parses its body, and returns the share when it ends. Thread-safe; no
 * call blocks.
 */
public final class CharacterBudget {
    /** The budget of this process. */
    public static final CharacterBudget OF_THE_PROCESS =
            new CharacterBudget(Runtime.getRuntime().maxMemory());

    /** A character in progress exists up to four times, as text, JSON, copy and UTF-8, in one or two bytes each. */
    private static final int BYTES_PER_CHARACTER = 8;

    private static final int PART_OF_THE_HEAP = 2;
    /**
     * The characters of each call that do not count. The number of calls is bounded anyway, and long answers must not
     * crowd out short ones.
     */
    private static final long UNCOUNTED_PER_CALL = 4_096;
    /** The least budget. It holds the largest single answer, however small the heap. */
    private static final long MIN_CHARACTERS = 4_000_000;

    private final long characters;
    private final AtomicLong held = new AtomicLong();

    /**
     * @param heapBytes the size of the heap. Answers and uploads in progress may take half of the heap, at eight bytes
     *     for each character
     */
    CharacterBudget(long heapBytes) {
        this.characters = Math.max(MIN_CHARACTERS, heapBytes / PART_OF_THE_HEAP / BYTES_PER_CHARACTER);
    }

    /** The characters that may be in progress at once. */
    public long characters() {
        return characters;
    }

    /** The characters in progress. */
    public long held() {
        return held.get();
    }

    /** An empty share for one call. */
    public Share open() {
        return new Share();
    }

    /** The characters of one call. Not thread-safe. */
    public final class Share implements AutoCloseable {
        private long own;

        private Share() {}

        /** Whether this share could hold this many more characters if no other call held any. */
        public boolean canEverHold(long more) {
            return counted(own + more) <= characters;
        }

        /**
         * Holds this many more characters until the share is closed.
         *
         * @throws ProblemException {@code overloaded}: nothing more is held
         */
        public void hold(long more) {
            long countedMore = counted(own + more) - counted(own);
            long before = countedMore == 0 ? 0 : held.getAndAdd(countedMore);
            if (before + countedMore > characters) {
                held.addAndGet(-countedMore);
                throw new ProblemException(
                        ProblemType.OVERLOADED,
                        String.format(
                                Locale.ROOT,
                                "The call needs room for %,d characters, but the answers and uploads in progress on this"
                                        + " instance hold %,d of %,d. Try again later, or request less at once.",
                                more,
                                before,
                                characters));
            }
            own += more;
        }

        /** Holds at least this many characters in all. Calls {@link #hold} for the difference to the present number. */
        public void holdAtLeast(long all) {
            if (all > own) {
                hold(all - own);
            }
        }

        @Override
        public void close() {
            long counted = counted(own);
            if (counted > 0) {
                held.addAndGet(-counted);
            }
            own = 0;
        }

        private static long counted(long all) {
            return Math.max(0, all - UNCOUNTED_PER_CALL);
        }
    }
}
