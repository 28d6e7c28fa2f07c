package dev.numera.core.format;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.commons.validator.routines.checkdigit.CheckDigitException;
import org.apache.commons.validator.routines.checkdigit.EAN13CheckDigit;
import org.apache.commons.validator.routines.checkdigit.IBANCheckDigit;
import org.apache.commons.validator.routines.checkdigit.LuhnCheckDigit;
import org.apache.commons.validator.routines.checkdigit.VerhoeffCheckDigit;

/**
 * The methods that compute a check digit from the characters before it, or after it for ISO 11649. Digits are
 * {@code 0-9} and letters {@code A-Z a-z}; a method ignores all other characters.
 *
 * <p>Luhn, Verhoeff, MOD 97-10 and GS1 come from Apache Commons Validator, whose tables are proved in use. It adds one
 * jar of 0.2 MB, loads eight classes and needs none of its declared dependencies here. Damm and the hybrid systems of
 * ISO/IEC 7064 are implemented in this class, because no library that we use has them; so are the checks of payment
 * references.
 *
 * <p>Every method detects each single wrong digit. Damm, Verhoeff, MOD 97-10, ISO 11649 and the Belgian check also
 * detect every swap of two neighboring digits. Undetected swaps: in 731 digits that differ by 5; in the Swiss check 10
 * of 450, of digits that differ by 3 or 7; in MOD 97-10 with letters 1 and B, 2 and M, 3 and X; in Luhn 0 and 9; in GS1
 * digits that differ by 5; in MOD 11,10 one swap in 45 and in MOD 37,36 one in 630, always of characters with
 * successive values, or with the lowest and the highest value.
 */
enum CheckDigit implements CheckMethod {
    /** ISO/IEC 7812-1, annex B: weights 2 and 1 from the right. */
    LUHN("luhn", 1, 10) {
        @Override
        String compute(String digits) throws CheckDigitException {
            // The library refuses a sum of zero, which by the formula has the check digit 0.
            return ONLY_ZEROS.matcher(digits).matches() ? "0" : LuhnCheckDigit.LUHN_CHECK_DIGIT.calculate(digits);
        }
    },

    /** H. Michael Damm, Total anti-symmetrische Quasigruppen, Marburg 2004: his table of order 10. */
    DAMM("damm", 1, 10) {
        @Override
        String compute(String digits) {
            int interim = 0;
            for (int i = 0; i < digits.length(); i++) {
                interim = DAMM_TABLE[interim].charAt(digits.charAt(i) - '0') - '0';
            }
            return Integer.toString(interim);
        }
    },

    /** J. Verhoeff, Error Detecting Decimal Codes, Amsterdam 1969: the dihedral group of order 10. */
    VERHOEFF("verhoeff", 1, 10) {
        @Override
        String compute(String digits) throws CheckDigitException {
            return VerhoeffCheckDigit.VERHOEFF_CHECK_DIGIT.calculate(digits);
        }
    },

    /**
     * ISO/IEC 7064 MOD 97-10, with letters as A = 10 to Z = 35 like in an LEI (ISO 17442) or an IBAN (ISO 13616).
     * Lower-case letters have the values of upper-case letters.
     */
    MOD97("mod97", 2, 36) {
        @Override
        String compute(String characters) throws CheckDigitException {
            // The check of an IBAN moves its first four characters to the end. So the last two covered characters and
            // the two check digits are put first here.
            String padded = "000" + characters;
            int lastTwo = padded.length() - 2;
            return IBANCheckDigit.IBAN_CHECK_DIGIT.calculate(
                    padded.substring(lastTwo) + "00" + padded.substring(0, lastTwo));
        }
    },

    /** GS1 General Specifications, 7.9: weights 3 and 1 from the right, as in GTIN and SSCC. */
    GS1("gs1", 1, 10) {
        @Override
        String compute(String digits) throws CheckDigitException {
            // The library refuses a sum of zero, as it does for Luhn.
            return ONLY_ZEROS.matcher(digits).matches() ? "0" : EAN13CheckDigit.EAN13_CHECK_DIGIT.calculate(digits);
        }
    },

    /** ISO/IEC 7064 MOD 11,10. */
    MOD11_10("mod11-10", 1, 10) {
        @Override
        String compute(String digits) {
            return hybrid(digits);
        }
    },

    /** ISO/IEC 7064 MOD 37,36, letters counted as in {@link #MOD97}; the check itself may be a capital letter. */
    MOD37_36("mod37-36", 1, 36) {
        @Override
        String compute(String characters) {
            return hybrid(characters);
        }
    },

    /**
     * ISO 11649: MOD 97-10 over the reference that follows and {@code RF}, with letters counted as in {@link #MOD97}.
     * The reference has at most 21 characters.
     */
    ISO11649("iso11649", 2, 36) {
        @Override
        String compute(String characters) throws CheckDigitException {
            return MOD97.compute(characters + "RF");
        }

        @Override
        public int mostCovered() {
            return 21;
        }
    },

    /**
     * Febelfin, structured communication of Belgian credit transfers: the remainder of ten digits by 97, and 97 instead
     * of 0.
     */
    BE_OGM("be-ogm", 2, 10) {
        @Override
        String compute(String digits) {
            int remainder = 0;
            for (int i = 0; i < digits.length(); i++) {
                remainder = (10 * remainder + digits.charAt(i) - '0') % 97;
            }
            return String.format(Locale.ROOT, "%02d", remainder == 0 ? 97 : remainder);
        }

        @Override
        public int leastCovered() {
            return 10;
        }

        @Override
        public int mostCovered() {
            return 10;
        }
    },

    /** SIX, Swiss Implementation Guidelines QR-bill, annex B: modulo 10, recursive. */
    MOD10_RECURSIVE("mod10-recursive", 1, 10) {
        @Override
        String compute(String digits) {
            int carry = 0;
            for (int i = 0; i < digits.length(); i++) {
                carry = RECURSIVE_TABLE.charAt((carry + digits.charAt(i) - '0') % 10) - '0';
            }
            return Integer.toString((10 - carry) % 10);
        }
    },

    /**
     * Finance Finland, structure of the Finnish reference number: weights 7, 3 and 1 from the right, 3 to 19 digits.
     */
    SEVEN_THREE_ONE("731", 1, 10) {
        @Override
        String compute(String digits) {
            int sum = 0;
            for (int i = 0; i < digits.length(); i++) {
                sum += WEIGHTS_731[i % 3] * (digits.charAt(digits.length() - 1 - i) - '0');
            }
            return Integer.toString((10 - sum % 10) % 10);
        }

        @Override
        public int leastCovered() {
            return 3;
        }

        @Override
        public int mostCovered() {
            return 19;
        }
    };

    private static final Pattern ONLY_ZEROS = Pattern.compile("0+");

    private static final String RECURSIVE_TABLE = "0946827135";
    private static final int[] WEIGHTS_731 = {7, 3, 1};

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
    private final int radix;

    /** @param radix 10 to cover digits, 36 to cover letters too */
    CheckDigit(String token, int length, int radix) {
        this.token = token;
        this.length = length;
        this.radix = radix;
    }

    /** Returns the method that the argument of a {@code check} token names, such as {@code luhn}. */
    static Optional<CheckMethod> named(String argument) {
        return Arrays.stream(values())
                .filter(method -> method.token.equals(argument))
                .map(method -> (CheckMethod) method)
                .findFirst();
    }

    @Override
    public String token() {
        return "check:" + token;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public boolean isOfFirstVersions() {
        return compareTo(MOD37_36) <= 0;
    }

    @Override
    public boolean covers(char character) {
        return character <= 'z' && Character.digit(character, radix) >= 0;
    }

    @Override
    public String calculate(String covered) {
        try {
            return compute(covered);
        } catch (CheckDigitException e) {
            throw new IllegalStateException("No check digit " + token + " over '" + covered + "'.", e);
        }
    }

    abstract String compute(String covered) throws CheckDigitException;

    /** ISO/IEC 7064, hybrid systems: MOD radix + 1, radix. */
    String hybrid(String covered) {
        int product = radix;
        for (int i = 0; i < covered.length(); i++) {
            int sum = (product + Character.digit(covered.charAt(i), radix)) % radix;
            product = (sum == 0 ? radix : sum) * 2 % (radix + 1);
        }
        return Integer.toString(Math.floorMod(1 - product, radix), radix).toUpperCase(Locale.ROOT);
    }
}
