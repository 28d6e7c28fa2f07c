package dev.numera.format;

import java.util.regex.Pattern;
import org.apache.commons.validator.routines.checkdigit.CheckDigitException;
import org.apache.commons.validator.routines.checkdigit.IBANCheckDigit;
import org.apache.commons.validator.routines.checkdigit.LuhnCheckDigit;
import org.apache.commons.validator.routines.checkdigit.VerhoeffCheckDigit;

/**
 * The check digits of a text, over the characters before them. Digits are {@code 0-9} and letters {@code A-Z a-z} only;
 * all else is passed over.
 *
 * <p>Luhn, Verhoeff and MOD 97-10 are those of Apache Commons Validator: its check digits are one jar of 0.2 MB, load
 * seven classes and need none of the jars that it asks for. That is little enough to carry algorithms with tables that
 * others have proved. No library at hand has Damm's, so its table stands here.
 *
 * <p>All four find every wrong digit. All but Luhn find every swap of two neighbouring digits; Luhn misses 0 and 9.
 */
enum CheckDigit {
    /** ISO/IEC 7812-1, annex B: weights 2 and 1 from the right. */
    LUHN("luhn", 1) {
        @Override
        String calculate(String digits) throws CheckDigitException {
            // The library refuses a sum of zero, which by the formula has the check digit 0.
            return ONLY_ZEROS.matcher(digits).matches() ? "0" : LuhnCheckDigit.LUHN_CHECK_DIGIT.calculate(digits);
        }
    },

    /** H. Michael Damm, Total anti-symmetrische Quasigruppen, Marburg 2004: his table of order 10. */
    DAMM("damm", 1) {
        @Override
        String calculate(String digits) {
            int interim = 0;
            for (int i = 0; i < digits.length(); i++) {
                interim = DAMM_TABLE[interim].charAt(digits.charAt(i) - '0') - '0';
            }
            return Integer.toString(interim);
        }
    },

    /** J. Verhoeff, Error Detecting Decimal Codes, Amsterdam 1969: the dihedral group of order 10. */
    VERHOEFF("verhoeff", 1) {
        @Override
        String calculate(String digits) throws CheckDigitException {
            return VerhoeffCheckDigit.VERHOEFF_CHECK_DIGIT.calculate(digits);
        }
    },

    /**
     * ISO/IEC 7064 MOD 97-10, letters counted as A = 10 to Z = 35 as in an LEI (ISO 17442) or an IBAN (ISO 13616).
     * Small letters count as capital ones.
     */
    MOD97("mod97", 2) {
        @Override
        boolean covers(char character) {
            return super.covers(character)
                    || character >= 'A' && character <= 'Z'
                    || character >= 'a' && character <= 'z';
        }

        @Override
        String calculate(String characters) throws CheckDigitException {
            // An IBAN is checked with its first four characters moved to the end: the last two covered ones and the
            // check digits.
            String padded = "000" + characters;
            int lastTwo = padded.length() - 2;
            return IBANCheckDigit.IBAN_CHECK_DIGIT.calculate(
                    padded.substring(lastTwo) + "00" + padded.substring(0, lastTwo));
        }
    };

    private static final Pattern ONLY_ZEROS = Pattern.compile("0+");

    private static final String[] DAMM_TABLE = {
        "0317598642",
        "7092154863",
        "4206871359",
        "1750983426",
        "6123045978",
        "3674209581",
        "5869720134",
        "8945362017",
        "9438617205",
        "2581436790",
    };

    private final String token;
    private final int length;

    CheckDigit(String token, int length) {
        this.token = token;
        this.length = length;
    }

    /** The name in {@code {check:name}}. */
    String token() {
        return token;
    }

    /** How many digits it is: 1 or 2. */
    int length() {
        return length;
    }

    /** Whether a character takes part in the check. */
    boolean covers(char character) {
        return character >= '0' && character <= '9';
    }

    /** The check digits of the first {@code end} characters of a text, of which at least one must be covered. */
    String of(CharSequence text, int end) {
        StringBuilder covered = new StringBuilder(end);
        for (int i = 0; i < end; i++) {
            if (covers(text.charAt(i))) {
                covered.append(text.charAt(i));
            }
        }
        try {
            return calculate(covered.toString());
        } catch (CheckDigitException e) {
            throw new IllegalStateException("No check digit " + token + " over '" + covered + "'.", e);
        }
    }

    abstract String calculate(String covered) throws CheckDigitException;
}
