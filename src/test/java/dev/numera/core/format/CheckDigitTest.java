package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckDigitTest {
    @ParameterizedTest
    @CsvSource({
        "LUHN, 7992739871, 3",
        "LUHN, 401288888888188, 1",
        "LUHN, 0, 0",
        "DAMM, 572, 4",
        "DAMM, 0, 0",
        "VERHOEFF, 236, 3",
        "VERHOEFF, 12345, 1",
        "VERHOEFF, 0, 4",
        "MOD97, 794, 44",
        "MOD97, 5493001KJTIIGC8Y1R, 12",
        "MOD97, 529900T8BM49AURSDO, 55",
        "MOD97, 213800wsgiizcxf1p5, 72",
        "MOD97, 0, 98",
        "GS1, 400638133393, 1",
        "GS1, 978020137962, 4",
        "GS1, 7351353, 7",
        "GS1, 9841234567890, 8",
        "GS1, 37610425002123456, 9",
        "GS1, 10614141123456789, 7",
        "GS1, 000, 0",
        "MOD11_10, 79462, 3",
        "MOD11_10, 00200667308, 5",
        "MOD11_10, 3657426180, 9",
        "MOD11_10, 0, 2",
        "MOD37_36, A12425GABC1234002, M",
        "MOD37_36, a12425gabc1234002, M",
        "MOD37_36, 00000000D07A0090, Q",
        "MOD37_36, 0, 2",
        "ISO11649, 1000071, 74",
        "ISO11649, 5390 0754 7034, 18",
        "BE_OGM, 1459325, 57",
        "BE_OGM, 0909337554, 93",
        "BE_OGM, 0000000097, 97",
        "MOD10_RECURSIVE, 21 00000 00003 13947 14300 0901, 7",
        "SEVEN_THREE_ONE, 123456, 1",
    })
    @CsvFileSource(resources = "check-digits.csv")
    void publishedExamples(CheckDigit method, String before, String expected) {
        assertEquals(expected, of(method, before));
    }

    @ParameterizedTest
    @EnumSource
    void everythingButDigitsIsPassedOver(CheckDigit method) {
        assertEquals(of(method, "20260042"), of(method, "2026-00/ .é٤42"));
    }

    /** The library requires these classes for other functions than its check digits, so the app does not ship them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.commons.beanutils.BeanUtils",
                "org.apache.commons.collections.FastHashMap",
                "org.apache.commons.digester.Digester",
                "org.apache.commons.logging.Log"
            })
    void nothingElseOfTheLibraryIsNeeded(String absent) {
        assertThrows(ClassNotFoundException.class, () -> Class.forName(absent));
    }

    @Property
    void everyWrongDigitIsFound(
            @ForAll CheckDigit method,
            @ForAll @NumericChars @StringLength(min = 1, max = 40) String digits,
            @ForAll int where,
            @ForAll @CharRange(from = '0', to = '9') char wrong) {
        String checked = digits + of(method, digits);
        int at = Math.floorMod(where, checked.length());
        Assume.that(checked.charAt(at) != wrong);
        assertNotChecked(method, checked.substring(0, at) + wrong + checked.substring(at + 1));
    }

    @Property
    void everySwapOfNeighboursIsFoundButThoseThatAMethodMayMiss(
            @ForAll CheckDigit method,
            @ForAll @NumericChars @StringLength(min = 1, max = 40) String digits,
            @ForAll int where) {
        String checked = digits + of(method, digits);
        int at = Math.floorMod(where, checked.length() - 1);
        char left = checked.charAt(at);
        char right = checked.charAt(at + 1);
        int distance = Math.abs(Character.digit(left, 36) - Character.digit(right, 36));
        Assume.that(distance != 0 && !missedDistances(method).contains(distance));
        assertNotChecked(method, checked.substring(0, at) + right + left + checked.substring(at + 2));
    }

    /**
     * ISO/IEC 7064: with letters written as 10 to 35, the whole text is a number that leaves the remainder 1 when
     * divided by 97.
     */
    @Property
    void mod97LeavesOne(
            @ForAll @NumericChars @CharRange(from = 'A', to = 'Z') @StringLength(min = 1, max = 60) String characters,
            @ForAll @IntRange(max = 60) int split) {
        int at = Math.min(split, characters.length());
        String written =
                characters.substring(0, at) + "-" + characters.substring(at).toLowerCase(Locale.ROOT);
        String number = (characters + of(CheckDigit.MOD97, written))
                .chars()
                .mapToObj(character -> Integer.toString(Character.digit(character, 36)))
                .reduce("", String::concat);
        assertEquals(BigInteger.ONE, new BigInteger(number).mod(BigInteger.valueOf(97)));
    }

    private static Set<Integer> missedDistances(CheckDigit method) {
        return switch (method) {
            case LUHN -> Set.of(9);
            case GS1, SEVEN_THREE_ONE -> Set.of(5);
            case MOD10_RECURSIVE -> Set.of(3, 7);
            case MOD11_10 -> Set.of(1, 9);
            case MOD37_36 -> Set.of(1, 35);
            case DAMM, VERHOEFF, MOD97, ISO11649, BE_OGM -> Set.of();
        };
    }

    private static void assertNotChecked(CheckDigit method, String mistyped) {
        int end = mistyped.length() - method.length();
        assertNotEquals(mistyped.substring(end), of(method, mistyped.substring(0, end)));
    }

    private static String of(CheckDigit method, String before) {
        return method.of(before, 0, before.length());
    }

    /** Finds the three swaps that docs/formats.md lists. */
    @Test
    void mod97MissesThreeSwapsOfADigitAndALetter() {
        String characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        Set<String> missed = new TreeSet<>();
        for (char one : characters.toCharArray()) {
            for (char other : characters.toCharArray()) {
                String text = "" + one + other;
                String swapped = "" + other + one;
                if (one < other && of(CheckDigit.MOD97, text).equals(of(CheckDigit.MOD97, swapped))) {
                    missed.add(text);
                }
            }
        }
        assertEquals(Set.of("1B", "2M", "3X"), missed);
    }
}
