package dev.numera.core.format;

import java.math.BigInteger;
import java.util.List;

/**
 * Validates printed references as their standards describe it, without the code of the app: each method reads the whole
 * text with its check, while the app computes the check of the rest.
 */
final class PublishedChecks {
    private static final BigInteger MOD = BigInteger.valueOf(97);

    /** The table of the Swiss guidelines: the row is the carry, the column the next digit. */
    private static final List<String> SWISS_ROWS = List.of(
            "0946827135",
            "9468271350",
            "4682713509",
            "6827135094",
            "8271350946",
            "2713509468",
            "7135094682",
            "1350946827",
            "3509468271",
            "5094682713");

    private static final String SWISS_CHECKS = "0987654321";

    private PublishedChecks() {}

    /** Whether the check of a text is right. Blanks and separators of groups do not matter. */
    static boolean isRight(String method, String text) {
        String[] words = method.split(":");
        String digits = text.replaceAll("[^0-9A-Za-z]", "");
        return switch (words[0]) {
            case "iso11649" -> isReference(digits);
            case "be-ogm" -> isBelgian(digits);
            case "mod10-recursive" -> isSwiss(digits);
            case "731" -> weighted(digits.substring(0, digits.length() - 1), "731") % 10 == lacksTo10(digits);
            case "luhn" -> isLuhn(digits);
            case "mod11" -> isModulus11(text, Integer.parseInt(words[1].substring(2)), words[2]);
            default -> throw new IllegalArgumentException(method);
        };
    }

    private static boolean isReference(String text) {
        String moved = text.substring(4) + text.substring(0, 4);
        StringBuilder number = new StringBuilder();
        moved.chars().forEach(character -> number.append(Character.digit(character, 36)));
        return text.startsWith("RF")
                && text.substring(2, 4).matches("0[2-9]|[1-8][0-9]|9[0-8]")
                && new BigInteger(number.toString()).mod(MOD).equals(BigInteger.ONE);
    }

    private static boolean isBelgian(String digits) {
        int remainder = new BigInteger(digits.substring(0, 10)).mod(MOD).intValue();
        int check = Integer.parseInt(digits.substring(10));
        return digits.length() == 12 && check == (remainder == 0 ? 97 : remainder);
    }

    private static boolean isSwiss(String digits) {
        int carry = 0;
        for (char digit : digits.substring(0, digits.length() - 1).toCharArray()) {
            carry = SWISS_ROWS.get(carry).charAt(digit - '0') - '0';
        }
        return digits.endsWith(String.valueOf(SWISS_CHECKS.charAt(carry)));
    }

    private static boolean isLuhn(String digits) {
        int sum = 0;
        for (int place = 0; place < digits.length(); place++) {
            int digit = Character.getNumericValue(digits.charAt(digits.length() - 1 - place));
            sum += place % 2 == 0
                    ? digit
                    : List.of(0, 2, 4, 6, 8, 1, 3, 5, 7, 9).get(digit);
        }
        return sum % 10 == 0;
    }

    private static int lacksTo10(String digits) {
        return (10 - Character.getNumericValue(digits.charAt(digits.length() - 1))) % 10;
    }

    private static boolean isModulus11(String text, int greatest, String substitute) {
        String weights = "23456789".substring(0, greatest - 1);
        String check = text.substring(text.length() - 1);
        int sum = weighted(text.substring(0, text.length() - 1).replaceAll("\\D", ""), weights);
        boolean isSubstitute = check.equals(substitute) && (sum + 10) % 11 == 0;
        return isSubstitute || check.matches("\\d") && (sum + Integer.parseInt(check)) % 11 == 0;
    }

    private static int weighted(String digits, String weights) {
        int sum = 0;
        for (int place = 0; place < digits.length(); place++) {
            int digit = Character.getNumericValue(digits.charAt(digits.length() - 1 - place));
            sum += digit * Character.getNumericValue(weights.charAt(place % weights.length()));
        }
        return sum;
    }
}
