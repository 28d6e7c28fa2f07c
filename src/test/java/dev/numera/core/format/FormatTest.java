package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.RefusedField;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormatTest {
    private static final LocalDate DATE = LocalDate.of(2026, 11, 21);
    private static final long MAX_INT = 2_147_483_647L;
    private static final FormatContext SERIES = context("1234", ResetEvery.NEVER, 1);

    @Test
    void equalTemplatesAreEqualFormats() {
        assertEquals(Format.compile("{yyyy}-{n}"), Format.compile("{yyyy}-{n}"));
        assertEquals(
                Format.compile("{yyyy}-{n}").hashCode(),
                Format.compile("{yyyy}-{n}").hashCode());
        assertNotEquals(Format.compile("{yyyy}-{n}"), Format.compile("{yyyy}-{n:4}"));
    }

    @Test
    void onlyDateTokensMakeTextsDependOnTheDate() {
        assertTrue(Format.compile("A-{yy}{n:4}").showsDate());
        assertTrue(Format.compile("{n}/{fy}").showsDate());
        assertFalse(Format.compile("yyyy-{n:4}{check:luhn}").showsDate());
    }

    @Test
    void aFiscalYearBeginsInAMonth() {
        assertThrows(ProblemException.class, () -> new FormatContext("1234", "order", 1, 9, ResetEvery.NEVER, 13));
    }

    @Nested
    class Templates {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{n:6}{nn}              | {nn} at character 6 is not a token",
                    "{N}                    | {N} at character 1 is not a token",
                    "{n }                   | {n } at character 1 is not a token",
                    "{}{n}                  | {} at character 1 is not a token",
                    "{MM:2}{n}              | {MM:2} at character 1 is not a token",
                    "{fy:3}{n}              | {fy:3} at character 1 is not a token",
                    "{fy:2-4}{n}            | {fy:2-4} at character 1 is not a token",
                    "{yy:2}{n}              | use one of {n} {n:6} {r:10} {scope} {scope:6} {name} {yyyy} {yy} {MM} {dd} {DDD} {ww} {gggg} {q} {fy} {fy:2} {fy:2-2}",
                    "INV-{n                 | the { at character 5 is never closed",
                    "{n{yyyy}               | the { at character 1 is never closed",
                    "{:4}{n}                | {:4} at character 1 is not a token",
                    "{n}}                   | the } at character 4 closes no token",
                    "{n:0}                  | the width in {n:0} at character 1 must be a number from 1 to 19",
                    "{n:99}                 | the width in {n:99} at character 1 must be a number from 1 to 19",
                    "{n:20}                 | the width in {n:20} at character 1",
                    "{n:06}                 | the width in {n:06} at character 1",
                    "{n:}                   | the width in {n:} at character 1",
                    "{n:-1}                 | the width in {n:-1} at character 1",
                    "{n:3/}                 | the width in {n:3/} at character 1",
                    "{n:3/4/13}             | the groups in {n:3/4/13} at character 1 must be widths such as 3/4/3",
                    "{n:3/0/3}              | with at most 19 digits together",
                    "{n:3//3}               | the groups in {n:3//3}",
                    "{n:3_3}                | the width in {n:3_3} at character 1",
                    "{r:3/4}                | the width in {r:3/4} at character 1",
                    "{n:٦}                  | the width in {n:٦} at character 1",
                    "{n}{scope:99}          | the width in {scope:99} at character 4",
                    "{r:99}                 | the width in {r:99} at character 1",
                    "{r}                    | {r} at character 1 needs a width",
                    "INV-{yyyy}             | no number",
                    "''                     | no number",
                    "{{n}}                  | no number",
                    "{n}-{n:6}              | {n:6} at character 5 is a second number",
                    "{n}{r:10}              | {r:10} at character 4 is a second number",
                    "{n}{check}             | {check} at character 4 names no method",
                    "{n}{check:crc}         | {check:crc} at character 4 names no method",
                    "{n}{check:}            | {check:} at character 4 names no method",
                    "{check:luhn}{n}        | {check:luhn} at character 1 may have no digit before it",
                    "{n}{check:mod37}       | use one of {check:luhn} {check:damm} {check:verhoeff} {check:mod97} {check:gs1} {check:mod11-10} {check:mod37-36}",
                    "A{check:mod11-10}{n}   | {check:mod11-10} at character 2 may have no digit before it",
                    "A{name}{check:gs1}{n}  | {check:gs1} at character 8 may have no digit before it",
                    "A{scope}{check:damm}{n}| {check:damm} at character 9 may have no digit before it",
                    "{n}{check:luhn}{check:luhn} | {check:luhn} at character 16 is a second check",
                    "{n}{check:mod11}       | names no method: use one of",
                    "{n}{check:mod11:2-8:X} | {check:mod11:2-8:X} at character 4 names no method",
                    "{n}{check:mod11:2-7:Y} | {check:mod11:2-7:X} {check:mod11:2-9:X}",
                    "{check:iso11649}{n}    | {check:iso11649} at character 1 must follow RF at the start of the text",
                    "RF-{check:iso11649}{n} | {check:iso11649} at character 4 must follow RF",
                    "A-RF{check:iso11649}{n}| as in RF{check:iso11649}{n}",
                    "RF{n}{check:iso11649}  | must follow RF at the start of the text",
                    "RF{check:iso11649}{n}{check:luhn} | {check:luhn} at character 22 is a second check",
                    "{yyyy}-W{ww}-{n}       | {ww} at character 9 would be read with the wrong year",
                    "{fy}{ww}{n}            | use {gggg}",
                    "{fy:2}{ww}{n}          | {ww} at character 7 would be read with the wrong year",
                    "{ww}{fy:2-2}{n}        | {ww} at character 1 would be read with the wrong year",
                    "{gggg}{MM}{n}          | {gggg} at character 1 is the year of an ISO week",
                    "{scope}{name}{scope}{name}{n} | texts could have 272 characters",
                })
        void refused(String template, String reason) {
            RefusedField refusal = RefusedField.fieldOf(() -> Format.compile(template));
            assertEquals("format", refusal.field());
            assertTrue(refusal.reason().contains(reason), refusal.reason());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "\t{n}",
                    "{n}\n",
                    "\u0000{n}",
                    "\u202e{n}",
                    "{n}\ud83d",
                    "{n}\u2028",
                    "\ufe0f{n}",
                    "\u3164{n}",
                    "{n}\u2800"
                })
        void invisibleCharactersAreRefused(String template) {
            RefusedField refusal = RefusedField.fieldOf(() -> Format.compile(template));
            String place = "the character at " + (template.startsWith("{") ? 4 : 1) + " (U+";
            assertTrue(refusal.reason().contains(place), refusal.reason());
            assertTrue(refusal.reason().contains("is invisible"), refusal.reason());
        }

        @Test
        void lengthIsBounded() {
            Format.compile("x".repeat(Format.MAX_TEMPLATE_LENGTH - 3) + "{n}");
            RefusedField refusal =
                    RefusedField.fieldOf(() -> Format.compile("x".repeat(Format.MAX_TEMPLATE_LENGTH - 2) + "{n}"));
            assertTrue(refusal.reason().contains("201 characters: use at most 200"), refusal.reason());
        }

        @ParameterizedTest
        @CsvSource({
            "{scope}{name}{scope}{n}, 46",
            "{scope}{name}{scope}{r:10}{yyyy}{check:mod97}, 50",
        })
        void lengthOfTheLongestTextIsBounded(String template, int room) {
            Format.compile("x".repeat(room) + template);
            RefusedField refusal = RefusedField.fieldOf(() -> Format.compile("x".repeat(room + 1) + template));
            assertTrue(refusal.reason().contains("texts could have 256 characters"), refusal.reason());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{scope:6}{check:luhn}-{n}",
                    "7{check:luhn}-{n}",
                    "{yyyy}{check:luhn}{n}",
                    "{name}{check:mod97}{n}",
                    "A{check:mod97}{n}",
                    "A{check:mod37-36}{n}",
                    "{ww}/{n}",
                    "{gggg}-{ww}-{yyyy}-{n}",
                    "{n:19}",
                    "{n:1}",
                    "😀{n}"
                })
        void accepted(String template) {
            assertEquals(template, Format.compile(template).toString());
        }

        /** A check digit before the number is the same in every text, so it cannot reveal a wrong digit. */
        @ParameterizedTest
        @CsvSource({
            "{scope:6}{check:luhn}-{n}, {check:luhn} at character 10, {n} at character 23",
            "7{check:gs1}-{n:6}, {check:gs1} at character 2, {n:6} at character 14",
            "{yyyy}{check:luhn}-{r:10}, {check:luhn} at character 7, {r:10} at character 20",
            "A{check:mod97}{n}, {check:mod97} at character 2, {n} at character 15",
        })
        void aNewOneHasItsCheckAfterTheNumber(String template, String check, String number) {
            RefusedField refusal = RefusedField.fieldOf(() -> Format.declare(template));
            assertEquals("format", refusal.field());
            assertEquals(check + " covers no digit of the number: put it after " + number, refusal.reason());
        }

        @ParameterizedTest
        @ValueSource(strings = {"+++{n:10}{check:mod97}+++", "***{n:10}{check:mod97}***"})
        void aNewOneThatLooksBelgianHasTheBelgianCheck(String template) {
            RefusedField refusal = RefusedField.fieldOf(() -> Format.declare(template));
            assertEquals(
                    "{check:mod97} at character 10 is the check of ISO 7064, but the text looks like a Belgian structured"
                            + " communication: use {check:be-ogm}, as in +++{n:3/4/3}{check:be-ogm}+++",
                    refusal.reason().replace("character 9", "character 10"));
            assertEquals(template, Format.compile(template).toString());
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{n}{check:be-ogm}            | 1  | 9          | must cover 10 characters, but covers 1 in the range 1 to 9",
                    "{n:10}{check:be-ogm}         | 1  | 99999999999 | but covers 10 to 11",
                    "{n:9}{check:be-ogm}          | 1  | 9          | but covers 9 ",
                    "{yyyy}{n:6}{check:be-ogm}    | 1  | 999999     | ''",
                    "{n:10}{check:be-ogm}         | 0  | 9999999999 | ''",
                    "{n}{check:731}               | 1  | 9          | must cover 3 to 19 characters, but covers 1",
                    "{n}{check:731}               | 100| 9          | ''",
                    "1{n:19}{check:731}           | 1  | 9          | but covers 20",
                    "RF{check:iso11649}{n}        | 1  | 9          | ''",
                    "RF{check:iso11649}{name} 123456789012345{n} | 1 | 9 | ''",
                    "RF{check:iso11649}{name} 1234567890123456{n} | 1 | 9 | must cover 1 to 21 characters, but covers 22",
                    "RF{check:iso11649}INV-{n}    | 1  | 9          | only digits, letters and blanks",
                    "RF{check:iso11649}{n}        | -1 | 9          | has no minus sign",
                    "{n:10}{check:be-ogm}         | -1 | 9          | has no minus sign",
                    "{n}{check:mod11:2-7}         | 1  | 9          | gives number 6 no check digit",
                    "{n:4}{check:mod11:2-9}       | 100| 999        | gives number 104 no check digit",
                    "{yyyy}-{n}{check:mod11:2-7}  | 7  | 7          | has no check digit for some numbers",
                    "{n}{check:mod11:2-7:X}       | 1  | 9          | ''",
                })
        void aCheckHasToCoverWhatItsStandardSays(String template, long min, long max, String reason) {
            FormatContext context = new FormatContext("1234", "order", min, Math.max(min, max), ResetEvery.NEVER, 1);
            Executable check = () -> Format.declare(template).requireDistinctTexts(context, DATE);
            if (reason.isEmpty()) {
                assertDoesNotThrow(check);
            } else {
                RefusedField refusal = RefusedField.fieldOf(check);
                assertEquals("format", refusal.field());
                assertTrue(refusal.reason().contains(reason), refusal.reason());
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{n}",
                    "{n}{check:luhn}",
                    "{yyyy}-{n:6}-{check:mod97}",
                    "{r:10}{check:damm}{scope}",
                    "{n} {yyyy}{check:gs1}-{MM}"
                })
        void aNewOneIsAsGoodAsBefore(String template) {
            assertEquals(Format.compile(template), Format.declare(template));
        }

        @Test
        void onlyAReversedFormatDependsOnMaxValue() {
            assertTrue(Format.compile("{r:10}").isReversed());
            assertFalse(Format.compile("{n:10}").isReversed());
        }
    }

    @Nested
    class Texts {
        @ParameterizedTest
        @CsvSource({
            "{scope:6}{n:6},            28,         001234000028",
            "{n:10},                    42,         0000000042",
            "INV-{yyyy}-{n:6},          42,         INV-2026-000042",
            "{r:10},                    1,          2147483646",
            "{r:10},                    2147483647, 0000000000",
            "{r:12},                    1,          002147483646",
            "{n:3},                     1234567,    1234567",
            "{n},                       0,          0",
            "{n:3/4/3},                 1459325,    000/1459/325",
            "{n:1/2/3},                 123456789,  1234/56/789",
            "{n:1 3 3}.,                42,         0 000 042.",
            "{n:2-2.2},                 -42,        -00-00.42",
            "{n:4 3}{check:luhn},       1234567,    1234 5674",
            "{n},                       -42,        -42",
            "{n:6},                     -42,        -000042",
            "{scope}/{name}/{n},        7,          1234/order/7",
            "{yy}{MM}{dd}-{DDD}-{n},    7,          261121-325-7",
            "{gggg}-W{ww}-{n},          7,          2026-W47-7",
            "{fy}-{n},                  7,          2026-7",
            "{fy:2}-{n},                7,          26-7",
            "{{{n}}}{{}},               7,          {7}{}",
            "{n:5}{check:luhn},         7992,       079921",
            "{n:4}{check:luhn},         7992,       79921",
            "{n}-{check:damm},          572,        572-4",
            "{n}{check:verhoeff},       236,        2363",
            "{n}/{check:mod97},         794,        794/44",
            "4006381{n:5}{check:gs1},    33393,      4006381333931",
            "00-{n:17}{check:gs1},      1061414112,   00-000000010614141129",
            "{n}/{check:mod11-10},      79462,        79462/3",
            "A1-2425G-ABC{n}-{check:mod37-36}, 1234002, A1-2425G-ABC1234002-M",
            "{n}{check:luhn}-{yyyy},    0,          00-2026",
            "RF{n:5}{check:mod97},      42,         RF0004248",
            "{n}{check:mod11:2-7:1},    41261533,   412615336",
            "{n}{check:mod11:2-7:-},    6,          6-",
            "{n}{check:mod11:2-7:0},    6,          60",
        })
        void examples(String template, long number, String text) {
            assertEquals(text, Format.compile(template).text(SERIES, DATE, number));
            assertEquals(
                    number, Format.compile(template).parse(text, SERIES, DATE).number());
        }

        @ParameterizedTest
        @CsvSource({
            "RF{check:iso11649}{n},              1000071, RF741000071",
            "RF{check:iso11649} {yyyy}{n:4},     71,      RF81 20260071",
            "RF{check:iso11649}{scope}{n:4}AX,   71,      RF3812340071AX",
            "+++{n:10}{check:be-ogm}+++,         1459325, +++000145932557+++",
            "{n:3}{check:731},                   123456,  1234561",
        })
        void references(String template, long number, String text) {
            FormatContext context = new FormatContext("1234", "order", 0, 9_999_999, ResetEvery.NEVER, 1);
            Format format = Format.declare(template);
            assertEquals(text, format.text(context, DATE, number));
            assertEquals(number, format.parse(text, context, DATE).number());
            String wrong = text.replaceFirst("1", "2");
            RefusedField.requireProblem(ProblemType.TEXT_UNREADABLE, () -> format.parse(wrong, context, DATE));
            RefusedField.requireProblem(ProblemType.TEXT_UNREADABLE, () -> format.parse("RF7", context, DATE));
        }

        @ParameterizedTest
        @CsvSource({
            "2027-01-01, 1, {gggg}-{ww} {DDD} {fy},         2026-53 001 2027",
            "2027-01-01, 1, {gggg}-W{ww},                   2026-W53",
            "2026-11-21, 4, {fy},                           2027",
            "2024-12-30, 1, {gggg}-{ww} {DDD} {fy},         2025-01 365 2024",
            "2024-12-31, 4, {yyyy}-{MM}-{dd} {DDD} {fy},    2024-12-31 366 2025",
            "2026-03-31, 4, {fy},                           2026",
            "2026-04-01, 4, {fy},                           2027",
            "2026-03-31, 4, {fy:2-2} {fy:2},                25-26 26",
            "2026-04-01, 4, {fy:2-2} {fy:2},                26-27 27",
            "2099-12-31, 12, {fy:2-2} {fy:2},               99-00 00",
            "0001-01-01, 2, {fy:2-2} {fy:2},                00-01 01",
            "9999-03-31, 4, {fy:2-2} {fy:2},                98-99 99",
            "0001-01-01, 1, {yyyy} {yy} {gggg} {ww} {fy},   0001 01 0001 01 0001",
            "9999-12-31, 1, {yyyy} {yy} {gggg} {ww} {fy},   9999 99 9999 52 9999",
        })
        void dates(LocalDate date, int fiscalYearStart, String tokens, String text) {
            FormatContext context = context("1234", ResetEvery.NEVER, fiscalYearStart);
            Format format = Format.compile(tokens + "/{n}");
            assertEquals(text + "/5", format.text(context, date, 5));
            assertEquals(5, format.parse(text + "/5", context, date).number());
        }

        @ParameterizedTest
        @CsvSource({"0000-12-31, 1", "+10000-01-01, 1", "9999-04-01, 4"})
        void datesBeyondFourDigitYearsAreRefusedWithOrWithoutDateTokens(LocalDate date, int fiscalYearStart) {
            FormatContext context = context("1234", ResetEvery.NEVER, fiscalYearStart);
            for (String template : new String[] {"{n}", "{MM}{n}", "{fy}{n}"}) {
                Format format = Format.compile(template);
                assertEquals(
                        "date",
                        RefusedField.fieldOf(() -> format.text(context, date, 1))
                                .field());
            }
        }

        @Test
        void theYearsOfAFiscalYearThatIsTheCalendarYearAreRefused() {
            Format format = Format.compile("{fy:2-2}/{n}");
            for (Executable use : List.<Executable>of(
                    () -> format.requireFits(SERIES),
                    () -> format.requireDistinctTexts(SERIES, DATE),
                    () -> format.text(SERIES, DATE, 7),
                    () -> format.parse("25-26/7", SERIES, DATE))) {
                RefusedField refusal = RefusedField.fieldOf(use);
                assertEquals("format", refusal.field());
                assertTrue(refusal.reason().contains("use {fy:2}"), refusal.reason());
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"1234567", "12a", "-1", "App", "~", "", "١٢"})
        void aScopeThatDoesNotFitIsRefused(String scope) {
            Format format = Format.compile("{scope:6}{n:6}");
            FormatContext context = context(scope, ResetEvery.NEVER, 1);
            assertEquals(
                    "scope",
                    RefusedField.fieldOf(() -> format.requireFits(context)).field());
            assertEquals(
                    "scope",
                    RefusedField.fieldOf(() -> format.text(context, DATE, 1)).field());
            assertEquals(
                    "scope",
                    RefusedField.fieldOf(() -> format.parse("000001000001", context, DATE))
                            .field());
        }

        @ParameterizedTest
        @CsvSource({
            "{r:9},  1,           2147483647,          use {r:10}",
            "{r:2},  -1,          99,                  use {r:3}",
            "{r:18}, -4000000000000000000, 4000000000000000000, use {r:19}",
            "{r:2},  -100,        -1,                  ''",
            "{r:1},  -100,        -1,                  use {r:2}",
            "{r:2},  1,           99,                  ''",
            "{r:2},  1,           100,                 use {r:3}",
        })
        void reversedNumbersNeedRoomForTheWholeRange(String template, long min, long max, String advice) {
            FormatContext context = new FormatContext("1234", "order", min, max, ResetEvery.NEVER, 1);
            Format format = Format.compile(template);
            if (advice.isEmpty()) {
                format.requireFits(context);
                assertEquals(max - min, Long.parseLong(format.text(context, DATE, min)));
            } else {
                RefusedField refusal = RefusedField.fieldOf(() -> format.requireFits(context));
                assertEquals("format", refusal.field());
                assertTrue(refusal.reason().contains(advice), refusal.reason());
                RefusedField.fieldOf(() -> format.text(context, DATE, max));
                RefusedField.fieldOf(() -> format.parse("0", context, DATE));
            }
        }

        @Test
        void theExtremesOfTheRange() {
            FormatContext context =
                    new FormatContext("1234", "order", -FormatContext.LIMIT, FormatContext.LIMIT, ResetEvery.NEVER, 1);
            Format format = Format.compile("{n:19}");
            assertEquals("-4000000000000000000", format.text(context, DATE, -FormatContext.LIMIT));
            assertEquals("4000000000000000000", format.text(context, DATE, FormatContext.LIMIT));
            assertThrows(IllegalArgumentException.class, () -> format.text(context, DATE, FormatContext.LIMIT + 1));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new FormatContext("a", "b", 0, FormatContext.LIMIT + 1, ResetEvery.NEVER, 1));
            assertThrows(IllegalArgumentException.class, () -> new FormatContext("a", "b", 2, 1, ResetEvery.NEVER, 1));
        }
    }

    @Nested
    class TextsReadBack {
        @ParameterizedTest
        @CsvSource({
            "{n:6},                42,                 1, zero-padded to 6 digits",
            "{n:6},                0000042,            1, zero-padded to 6 digits",
            "{n:6},                '',                 1, where the text ends",
            "{n:6},                -00042,             1, zero-padded to 6 digits",
            "{n:6},                -000000,            1, zero-padded to 6 digits",
            "{n:6},                ' 00042',           1, zero-padded to 6 digits",
            "{n:6},                00004٢,             6, zero-padded to 6 digits",
            "{n:3/4/3},            0001459325,         1, in groups of 3/4/3 digits",
            "{n:3/4/3},            0/00/1459325,       2, in groups of 3/4/3 digits",
            "{n:1/2},              01/23,              1, in groups of 1/2 digits",
            "{n:1/2},              -0/00,              1, in groups of 1/2 digits",
            "{n},                  042,                1, without leading zeros",
            "{n},                  -0,                 1, without leading zeros",
            "{n},                  +1,                 1, without leading zeros",
            "{n},                  --1,                2, without leading zeros",
            "{n},                  2147483648,         1, 'from -2147483648 to 2147483647, not 2147483648'",
            "{n},                  99999999999999999999999999, 1, from -2147483648 to 2147483647",
            "{n},                  18446744073709551658, 1, not 18446744073709551658",
            "{n},                  18446744073709551574, 1, not 18446744073709551574",
            "{r:10},               214748364,          1, exactly 10 digits",
            "{r:10},               02147483646,        1, exactly 10 digits",
            "{r:10},               9999999999,         1, from -2147483648 to 2147483647",
            "INV-{yyyy}-{n:6},     inv-2026-000042,    1, 'INV-'",
            "INV-{yyyy}-{n:6},     INV-,               5, a year from 0001 to 9999",
            "INV-{yyyy}-{n:6},     INV-0000-000042,    5, a year from 0001 to 9999",
            "INV-{yyyy}-{n:6},     INV-2026_000042,    9, '-'",
            "INV-{yyyy}-{n:6},     INV-2026-000042X,  16, zero-padded",
            "INV-{yyyy}-{n:6},     INV-2026-00O042,   12, zero-padded",
            "{yyyy}{MM}{dd}{n:2},  2026023001,         7, belong to one date",
            "{yyyy}{MM}{dd}{n:2},  2026130101,         5, a month from 01 to 12",
            "{MM}{dd}{n:2},        023001,             3, belong to one date",
            "{yyyy}{DDD}{n:2},     202636601,          5, belong to one date",
            "{yy}{DDD}{n:2},       2636601,            3, belong to one date",
            "{MM}{dd}-{DDD}-{n},   1231-364-1,         6, belong to one date",
            "{gggg}{ww}{n:2},      20275301,           5, belong to one date",
            "{yyyy}-{fy}-{n},      2026-2027-1,        6, belong to one date",
            "{yyyy}-{yyyy}-{n},    2026-2027-1,        6, the same {yyyy} as before",
            "{yy}-{fy:2}-{n},      26-27-1,            4, belong to one date",
            "{fy:2}-{n},           2-1,                2, the last two digits of a fiscal year from 00 to 99",
            "{scope:6}{n:6},       001235000028,       1, '001234'",
            "{name}{n},            orders1,            6, without leading zeros",
            "{n}{check:luhn},      79922,             5, luhn check digit 1",
            "{n}{check:mod97},     79443,              4, mod97 check digit 44",
            "{n}{check:gs1},       73513538,           8, gs1 check digit 7",
            "{n}{check:mod11-10},  794624,             6, mod11-10 check digit 3",
            "{n}{check:mod11:2-7}, 66,                  2, a number that has a check digit",
            "GABC{n}{check:mod37-36}, GABC1234002m,   12, mod37-36 check digit ",
        })
        void refused(String template, String text, int position, String reason) {
            FormatContext context = new FormatContext("1234", "order", -MAX_INT - 1, MAX_INT, ResetEvery.NEVER, 1);
            ProblemException refusal = RefusedField.requireProblem(
                    ProblemType.TEXT_UNREADABLE, () -> Format.compile(template).parse(text, context, DATE));
            assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
            assertTrue(refusal.getMessage().contains(" at character " + position + ", "), refusal.getMessage());
            assertEquals(position, refusal.members().get("position"), refusal.getMessage());
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                ignoreLeadingAndTrailingWhitespace = false,
                value = {
                    "RF{check:iso11649}{n}|RF741000071|RF74 1000 071|rf74 1000 071",
                    "RF{check:iso11649} {n:4 3}|RF74 1000 071|RF741000071|  Rf74 100 0071 ",
                    "+++{n:3/4/3}{check:be-ogm}+++|+++000/1000/07101+++|+++000100007101+++|+++ 000 / 1000 / 07101 +++",
                    "{n:4-2.1}A|1000-07.1A|1000071A|10 00 071a",
                    "{n:4-3}|1000-071|1000 071|1000 - 071",
                    "{n:4-3}-{check:luhn}|1000-071-9|1000071-9|10 00 071-9",
                    "{n:4-3}-{yyyy}|1000-071-2026|1000071-2026|1000 071-2026",
                    "{n:7}|1000071|10 000 71|1000\u00a0071",
                })
        void typedTextsNeedNeitherBlanksNorSeparators(String template, String text, String typed, String inAnyCase) {
            FormatContext context = new FormatContext("1234", "order", 0, 9_999_999, ResetEvery.NEVER, 1);
            Format format = Format.declare(template);
            assertEquals(text, format.text(context, DATE, 1_000_071));
            for (String way : List.of(text, typed)) {
                assertEquals(1_000_071, format.parseTyped(way, context, DATE).number(), way);
            }
            assertEquals(
                    1_000_071, format.parseAnyCase(inAnyCase, context, DATE).number());
            for (String way : List.of(typed, inAnyCase)) {
                assertTrue(TypedText.isLike(text, way), way);
                RefusedField.requireProblem(ProblemType.TEXT_UNREADABLE, () -> format.parse(way, context, DATE));
            }
        }

        @ParameterizedTest
        @CsvSource({
            "{n:3/4/3},  000/1000071",
            "{n:3/4/3},  000-1000-071",
            "{n:3/4/3},  1000071",
            "A-{n:4 3},  A1000 071",
            "A-{n:4 3},  a-1000 071",
            "{n:4-3},    -1000-071",
        })
        void otherwiseTypedTextsAreExact(String template, String typed) {
            FormatContext context = new FormatContext("1234", "order", 0, 9_999_999, ResetEvery.NEVER, 1);
            RefusedField.requireProblem(
                    ProblemType.TEXT_UNREADABLE, () -> Format.declare(template).parseTyped(typed, context, DATE));
        }

        @ParameterizedTest
        @CsvSource({"INV-5, INV5", "1000-071, 1000-072", "A1.5, A15B"})
        void anotherTextIsNotLikeIt(String printed, String typed) {
            assertFalse(TypedText.isLike(printed, typed));
        }

        @Test
        void longestTextIsParsed() {
            String name = "a".repeat(FormatContext.MAX_NAME_LENGTH);
            long limit = FormatContext.LIMIT;
            FormatContext context = new FormatContext(name, name, -limit, limit, ResetEvery.NEVER, 1);
            Format format = Format.compile("x".repeat(46) + "{scope}{name}{scope}{n}");
            String text = format.text(context, DATE, -limit);
            assertEquals(Format.MAX_TEXT_LENGTH, text.length());
            assertEquals(-limit, format.parse(text, context, DATE).number());
        }

        @Test
        void textLongerThanAnyFormatAllowsIsNotParsed() {
            ProblemException refusal =
                    RefusedField.requireProblem(ProblemType.TEXT_UNREADABLE, () -> Format.compile("{n}")
                            .parse("1".repeat(Format.MAX_TEXT_LENGTH + 1), SERIES, DATE));
            assertTrue(refusal.getMessage().contains("at most 255 characters, not of 256"), refusal.getMessage());
        }

        @ParameterizedTest
        @CsvSource({
            "{yyyy}-{n:6},        2026-000042,      YEAR,  1, 2026",
            "{fy}-{n:6},          2027-000042,      YEAR,  4, 2027",
            "{fy}/{MM}-{n:6},     2027/11-000042,   MONTH, 4, 2026-11",
            "{fy}/{MM}-{n:6},     2027/03-000042,   MONTH, 4, 2027-03",
            "{fy:2}-{n:6},        27-000042,        YEAR,  4, 2027",
            "{fy:2}-{n:6},        26-000042,        YEAR,  1, 2026",
            "{fy:2-2}/{n:6},      26-27/000042,     YEAR,  4, 2027",
            "{fy:2-2}/{n:6},      99-00/000042,     YEAR,  4, 2000",
            "{fy:2-2}/{n:6},      26-28/000042,     YEAR,  4, ''",
            "{fy:2}/{MM}-{n:6},   27/11-000042,     MONTH, 4, 2026-11",
            "{fy:2}/{MM}-{n:6},   27/03-000042,     MONTH, 4, 2027-03",
            "{fy:2}{yyyy}-{n:6},  262026-000042,    YEAR,  4, 2026",
            "{yyyy}{MM}-{n:6},    202604-000042,    YEAR,  4, 2027",
            "{yy}{MM}-{n:6},      2603-000042,      YEAR,  4, 2026",
            "{n:6}/{MM}.{yyyy},   000042/11.2026,   MONTH, 1, 2026-11",
            "{yyyy}{DDD}-{n:6},   2026325-000042,   DAY,   1, 2026-11-21",
            "{yyyy}{DDD}-{n:6},   2024366-000042,   MONTH, 1, 2024-12",
            "{gggg}{ww}{dd}{n:6}, 20270101000042,   DAY,   1, ''",
            "{n:6},               000042,           NEVER, 1, ''",
            "{yyyy}{n:6},         2026000042,       NEVER, 1, ''",
        })
        void tellsThePeriod(String template, String text, ResetEvery resetEvery, int fiscalYearStart, String period) {
            FormatContext context = context("1234", resetEvery, fiscalYearStart);
            Format format = Format.compile(template);
            if (resetEvery != ResetEvery.NEVER && period.isEmpty()) {
                RefusedField.requireProblem(ProblemType.TEXT_UNREADABLE, () -> format.parse(text, context, DATE));
            } else {
                assertEquals(new ParsedText(42, new Period(period)), format.parse(text, context, DATE));
            }
        }

        @ParameterizedTest
        @CsvSource({
            "27, 2027-12-26, 2027",
            "26, 2027-01-01, 2026",
            "28, 2027-12-31, 1928",
            "28, 2028-01-01, 2028",
            "99, 2099-12-31, 2099",
            "00, 2099-12-31, 2000",
            "00, 2100-01-01, 2100",
            "01, 2100-01-01, 2001",
            "00, 0001-01-01, 0100",
            "01, 0020-01-01, 0001",
            "99, 9999-12-31, 9999",
            "00, 9999-12-31, 9900",
        })
        void twoDigitYearsAreOfTheHundredYearsThatEndWithTheLastDates(String year, LocalDate lastDate, String period) {
            FormatContext context = context("1234", ResetEvery.YEAR, 1);
            assertEquals(
                    new Period(period),
                    Format.compile("{yy}-{n}")
                            .parse(year + "-1", context, lastDate)
                            .period());
        }

        @ParameterizedTest
        @CsvSource({
            "27, 2027-03-31, 4,  2027",
            "28, 2027-03-31, 4,  1928",
            "28, 2027-04-01, 4,  2028",
            "29, 2027-12-31, 4,  1929",
            "28, 2027-12-31, 1,  1928",
            "99, 9999-12-31, 4,  9999",
            "01, 0020-01-01, 12, 0001",
        })
        void twoDigitFiscalYearsAreOfTheHundredThatEndWithTheLastDates(
                String year, LocalDate lastDate, int fiscalYearStart, String period) {
            FormatContext context = context("1234", ResetEvery.YEAR, fiscalYearStart);
            assertEquals(
                    new Period(period),
                    Format.compile("{fy:2}-{n}")
                            .parse(year + "-1", context, lastDate)
                            .period());
        }

        @ParameterizedTest
        @CsvSource({
            "{yy}-{n},              true",
            "{fy:2}-{n},            true",
            "{fy:2-2}-{n},          true",
            "{fy:2}-{fy}-{n},       false",
            "{fy:2-2}{yyyy}-{n},    false",
            "{fy:2}{gggg}{ww}-{n},  false",
            "{n}/{MM}{yy},          true",
            "{n},                   false",
            "{MM}-{n},              false",
            "{yyyy}-{n},            false",
            "{yy}{yyyy}-{n},        false",
            "{yy}{gggg}{ww}-{n},    false",
            "{n}-{yy}{fy},          false",
        })
        void aYearOfTwoDigitsIsKnownAsSuch(String template, boolean expected) {
            assertEquals(expected, Format.compile(template).tellsYearByTwoDigits());
        }

        @Test
        void aFormatThatDoesNotTellPeriodsApartIsNotGuessed() {
            FormatContext context = context("1234", ResetEvery.MONTH, 1);
            ProblemException refusal =
                    RefusedField.requireProblem(ProblemType.TEXT_UNREADABLE, () -> Format.compile("{yyyy}-{n}")
                            .parse("2026-1", context, DATE));
            assertTrue(refusal.getMessage().contains("2026-01 and 2026-02"), refusal.getMessage());
        }

        @Test
        void theLastFiscalYearEndsBeforeTheCalendarDoes() {
            FormatContext context = context("1234", ResetEvery.YEAR, 4);
            Format format = Format.compile("{yyyy}{MM}-{n}");
            assertEquals(
                    new Period("9999"), format.parse("999903-1", context, DATE).period());
            RefusedField.requireProblem(ProblemType.TEXT_UNREADABLE, () -> format.parse("999904-1", context, DATE));
        }
    }

    @Nested
    class Shapes {
        @ParameterizedTest
        @CsvSource({
            "A{n},    0,    9,    A#",
            "A{n},    1,    100,  A# A## A###",
            "A{n:2},  1,    100,  A## A###",
            "A{n},    -12,  -3,   A-# A-##",
            "A{n},    -5,   0,    A-# A#",
            "A{n},    -5,   12,   A-# A# A##",
            "{n:1/2}, -5,   1000, -#/## #/## ##/##",
            "{r:4}B,  -5,   12,   ####B",
        })
        void areThoseOfTheNumbersInTheRange(String template, long least, long greatest, String shapes) {
            assertEquals(
                    shapes,
                    Format.compile(template).shapes(SERIES, least, greatest).stream()
                            .map(Shape::toString)
                            .collect(Collectors.joining(" ")));
        }
    }

    private static FormatContext context(String scope, ResetEvery resetEvery, int fiscalYearStart) {
        return new FormatContext(scope, "order", -MAX_INT - 1, MAX_INT, resetEvery, fiscalYearStart);
    }
}
