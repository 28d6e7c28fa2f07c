package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Prints thousands of numbers with each check of payment references, and mistypes every digit of every text in every
 * way. {@link PublishedChecks} and the app have to agree about each of these texts.
 */
class MistypedTextTest {
    private static final LocalDate DATE = LocalDate.of(2026, 11, 21);
    private static final long FIRST = 9_100_000_000L;
    private static final int NUMBERS = 400;
    private static final long STEP = 2_100_013;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // method, template, undetected wrong digits in percent, undetected swaps by the difference of the
                // digits
                "iso11649        | RF{check:iso11649}{n:10}          | 0 |",
                "iso11649        | RF{check:iso11649} A{n:10}        | 0 |",
                "iso11649        | RF{check:iso11649} {n:4 4 2}      | 0 |",
                "be-ogm          | +++{n:3/4/3}{check:be-ogm}+++     | 0 |",
                "be-ogm          | +++{n:10}{check:be-ogm}+++        | 0 |",
                "mod10-recursive | 21 00000{n:10}{check:mod10-recursive} | 0 | 3 7",
                "731             | {n:10}{check:731}                 | 0 | 5",
                "mod11:2-7:-     | {n:10}{check:mod11:2-7:-}         | 0 |",
                "mod11:2-7:X     | {n:10}/{check:mod11:2-7:X}        | 0 |",
                "mod11:2-9:X     | 7{n:10}{check:mod11:2-9:X}        | 0 |",
                "mod11:2-7:1     | {n:10}{check:mod11:2-7:1}         | 2 |",
                "mod11:2-7:0     | {n:10}{check:mod11:2-7:0}         | 2 |",
                "mod11:2-9:0     | {n:10}{check:mod11:2-9:0}         | 2 |",
                "mod11:2-9:1     | {n:10}{check:mod11:2-9:1}         | 2 |",
            })
    void everyWrongDigitAndSwapIsFoundAsTheStandardSays(
            String method, String template, int undetectedPercent, String undetectedSwaps) {
        Mistyping mistyping = new Mistyping(method, template);
        for (int i = 0; i < NUMBERS; i++) {
            mistyping.tryAll(FIRST + i * STEP);
        }
        assertTrue(
                mistyping.missedDigits * 100L <= undetectedPercent * (long) mistyping.wrongDigits,
                () -> mistyping.missedDigits + " of " + mistyping.wrongDigits + " wrong digits pass");
        if (undetectedPercent == 0) {
            assertEquals(undetectedSwaps == null ? "" : undetectedSwaps, mistyping.missedSwaps());
        }
    }

    /** Counts the mistyped texts of one format that its check does not reveal. */
    private static final class Mistyping {
        private final String method;
        private final Format format;
        private final FormatContext context = new FormatContext("1", "order", 0, 9_999_999_999L, ResetEvery.NEVER, 1);
        private final Set<String> texts = new HashSet<>();
        private final Set<Integer> missedDifferences = new TreeSet<>();
        private int wrongDigits;
        private int missedDigits;

        Mistyping(String method, String template) {
            this.method = method;
            this.format = Format.declare(template);
            format.requireDistinctTexts(context, DATE);
        }

        String missedSwaps() {
            return String.join(
                    " ", missedDifferences.stream().map(String::valueOf).toList());
        }

        void tryAll(long number) {
            String text = format.text(context, DATE, number);
            assertTrue(texts.add(text), () -> text + " is the text of two numbers");
            assertTrue(isAccepted(text), text);
            assertEquals(number, format.parse(text, context, DATE).number());
            for (int at = 0; at < text.length(); at++) {
                if (ZeroPadded.isDigit(text.charAt(at))) {
                    tryDigits(text, at);
                    trySwap(text, at);
                }
            }
        }

        private void tryDigits(String text, int at) {
            for (char wrong = '0'; wrong <= '9'; wrong++) {
                if (wrong != text.charAt(at)) {
                    wrongDigits++;
                    missedDigits += isAccepted(text.substring(0, at) + wrong + text.substring(at + 1)) ? 1 : 0;
                }
            }
        }

        private void trySwap(String text, int at) {
            if (at + 1 == text.length() || !ZeroPadded.isDigit(text.charAt(at + 1))) {
                return;
            }
            char left = text.charAt(at);
            char right = text.charAt(at + 1);
            if (left != right && isAccepted(text.substring(0, at) + right + left + text.substring(at + 2))) {
                missedDifferences.add(Math.abs(left - right));
            }
        }

        /** Whether a text has the right check. The app and the standard have to agree. */
        private boolean isAccepted(String text) {
            boolean isRight = PublishedChecks.isRight(method, text);
            if (hasFixedPartsOf(text)) {
                assertEquals(isRight, isRead(text), text);
            }
            return isRight;
        }

        /** Whether only digits of the number or of the check were changed, not digits of a literal. */
        private boolean hasFixedPartsOf(String text) {
            String fixed = format.toString().replaceAll("\\{.*", "");
            return text.startsWith(fixed);
        }

        private boolean isRead(String text) {
            try {
                format.parse(text, context, DATE);
                return true;
            } catch (ProblemException unreadable) {
                return false;
            }
        }
    }
}
