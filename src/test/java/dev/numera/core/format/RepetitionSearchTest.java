package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.RefusedField;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepetitionSearchTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);

    @ParameterizedTest
    @CsvSource({
        "INV-{n:6},          YEAR,  1,  2026-01-01, 2027-01-01, INV-000001",
        "{MM}-{n},           YEAR,  1,  2026-01-01, 2027-01-01, 01-1",
        "{MM}{dd}-{DDD}-{n}, YEAR,  1,  2026-01-01, 2027-01-01, 0101-001-1",
        "{ww}-{DDD}-{n},     YEAR,  1,  2026-01-04, 2027-01-04, 01-004-1",
        "{yyyy}-{n},         MONTH, 1,  2026-01-01, 2026-02-01, 2026-1",
        "{yyyy}-{n},         YEAR,  4,  2026-01-01, 2026-04-01, 2026-1",
        "{yy}-{n},           YEAR,  12, 2026-01-01, 2026-12-01, 26-1",
        "{gggg}{ww}-{n},     YEAR,  1,  2026-12-28, 2027-01-01, 202653-1",
        "{gggg}{ww}-{n},     YEAR,  4,  2026-03-30, 2026-04-01, 202614-1",
        "{gggg}{ww}-{n},     MONTH, 1,  2026-01-26, 2026-02-01, 202605-1",
        "{gggg}{ww}-{n},     DAY,   1,  2026-01-01, 2026-01-02, 202601-1",
        "{yyyy}{MM}-{n},     DAY,   1,  2026-01-01, 2026-01-02, 202601-1",
        "{yyyy}{dd}-{n},     DAY,   1,  2026-01-01, 2026-02-01, 202601-1",
        "{fy}{MM}-{n},       DAY,   4,  2026-01-01, 2026-01-02, 202601-1",
        "{yyyy}-{MM}-{fy}{n},MONTH, 4,  '',         '',         ''",
        "{fy}{MM}{n},        MONTH, 4,  '',         '',         ''",
        "{fy}{MM}{dd}{n},    DAY,   4,  '',         '',         ''",
        "{fy}{DDD}{n},       DAY,   4,  2027-04-01, 2028-03-31, 20280911",
        "{fy}-{n},           YEAR,  4,  '',         '',         ''",
        "{fy:2}-{n},         YEAR,  4,  '',         '',         ''",
        "{fy:2}-{n},         YEAR,  1,  '',         '',         ''",
        "{fy:2-2}-{n},       YEAR,  12, '',         '',         ''",
        "{fy:2}{MM}-{n},     MONTH, 4,  '',         '',         ''",
        "{fy:2}-{n},         MONTH, 4,  2026-01-01, 2026-02-01, 26-1",
        "{fy:2-2}{MM}-{n},   DAY,   4,  2026-01-01, 2026-01-02, 25-2601-1",
        "{yyyy}{MM}-{n},     YEAR,  4,  '',         '',         ''",
        "{yy}{MM}-{n},       YEAR,  4,  '',         '',         ''",
        "{yy}-{n},           YEAR,  1,  '',         '',         ''",
        "{yy}{DDD}-{n},      DAY,   7,  '',         '',         ''",
        "{fy}{q}-{n},        QUARTER, 4, '',        '',         ''",
        "{fy:2}{q}-{n},      QUARTER, 1, '',        '',         ''",
        "{yyyy}{MM}-{n},     QUARTER, 4, '',        '',         ''",
        "{fy}-{n},           QUARTER, 4, 2026-04-01, 2026-07-01, 2027-1",
        "{q}-{n},            QUARTER, 1, 2026-01-01, 2027-01-01, 1-1",
        "{yyyy}{q}-{n},      QUARTER, 5, 2026-01-01, 2026-11-01, 20263-1",
        "{fy}{q}-{n},        MONTH,  4, 2026-01-01, 2026-02-01, 20264-1",
        "{fy}-{n},           YEAR,   04-06, '',     '',         ''",
        "{fy}{q}-{n},        QUARTER, 04-06, '',    '',         ''",
        "{yyyy}{MM}-{n},     YEAR,   04-06, 2026-04-01, 2026-04-06, 202604-1",
        "{yyyy}{MM}{dd}-{n}, YEAR,   04-06, '',     '',         ''",
        "{fy}{MM}-{n},       MONTH,  04-06, 2026-04-06, 2027-04-01, 202704-1",
        "{yyyy}{MM}-{n},     MONTH,  04-06, '',     '',         ''",
        "{n},                NEVER, 4,  '',         '',         ''",
    })
    void twoPeriodsNeverShareATextOrAnExampleSaysSo(
            String template, ResetEvery resetEvery, String fiscalYearStart, String first, String second, String text) {
        FormatContext context = new FormatContext("1", "order", 1, 999_999, resetEvery, start(fiscalYearStart));
        Format format = Format.compile(template);
        if (first.isEmpty()) {
            assertDoesNotThrow(() -> format.requireDistinctTexts(context, TODAY));
        } else {
            ProblemException refusal = RefusedField.requireProblem(
                    ProblemType.TEXTS_COULD_REPEAT, () -> format.requireDistinctTexts(context, TODAY));
            assertEquals(LocalDate.parse(first), examples(refusal).get(0).date());
            assertEquals(LocalDate.parse(second), examples(refusal).get(1).date());
            assertEquals(text, examples(refusal).get(0).text());
            assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
            assertIsARepetition(format, context, refusal);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "YEAR, 1, {yyyy}",
        "YEAR, 4, {fy}",
        "QUARTER, 1, {yyyy}{q}",
        "QUARTER, 4, {fy}{q}",
        "MONTH, 4, {yyyy}{MM}",
        "DAY, 1, {yyyy}{MM}{dd}"
    })
    void theAdviceHelps(ResetEvery resetEvery, int fiscalYearStart, String advice) {
        FormatContext context = new FormatContext("1", "order", 1, 999_999, resetEvery, fiscalYearStart);
        ProblemException refusal = RefusedField.requireProblem(
                ProblemType.TEXTS_COULD_REPEAT, () -> Format.compile("{n:6}").requireDistinctTexts(context, TODAY));
        assertTrue(refusal.getMessage().contains("put " + advice + " into the format"), refusal.getMessage());
        assertDoesNotThrow(() -> Format.compile(advice + "{n:6}").requireDistinctTexts(context, TODAY));
    }

    @ParameterizedTest
    @CsvSource({"48214, 99999, 48214", "-10, -2, -2", "0, 0, 0", "-5, 5, 1"})
    void theExampleIsANumberOfTheSequence(long min, long max, long number) {
        FormatContext context = new FormatContext("1", "order", min, max, ResetEvery.YEAR, 1);
        ProblemException refusal = RefusedField.requireProblem(
                ProblemType.TEXTS_COULD_REPEAT, () -> Format.compile("{n}").requireDistinctTexts(context, TODAY));
        assertEquals(number, number(refusal));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0001-01-01", "9999-12-31"})
    void theSearchStaysWithinSupportedDates(LocalDate today) {
        FormatContext context = new FormatContext("1", "order", 1, 9, ResetEvery.YEAR, 12);
        assertDoesNotThrow(() -> Format.compile("{fy}{n}").requireDistinctTexts(context, today));
        RefusedField.requireProblem(
                ProblemType.TEXTS_COULD_REPEAT, () -> Format.compile("{n}").requireDistinctTexts(context, today));
    }

    @Test
    void aScopeThatDoesNotFitIsRefusedFirst() {
        FormatContext context = new FormatContext("~", "order", 1, 9, ResetEvery.NEVER, 1);
        RefusedField.fieldOf(() -> Format.compile("{scope:6}{n}").requireDistinctTexts(context, TODAY));
    }

    private static YearStart start(String text) {
        return YearStart.of(text).orElseGet(() -> YearStart.ofMonth(Integer.parseInt(text)));
    }

    private static void assertIsARepetition(Format format, FormatContext context, ProblemException refusal) {
        for (Example example : examples(refusal)) {
            assertEquals(examples(refusal).get(0).text(), format.text(context, example.date(), number(refusal)));
            assertEquals(Period.of(example.date(), context.resetEvery(), context.fiscalYearStart()), example.period());
        }
        assertNotEquals(
                examples(refusal).get(0).period(), examples(refusal).get(1).period());
    }

    private record Example(LocalDate date, Period period, String text) {}

    private static List<Example> examples(ProblemException refusal) {
        List<Example> examples = ((List<?>) refusal.members().get("examples"))
                .stream().map(RepetitionSearchTest::example).toList();
        assertEquals(2, examples.size());
        return examples;
    }

    private static Example example(Object json) {
        Map<?, ?> members = (Map<?, ?>) json;
        return new Example(
                LocalDate.parse((String) members.get("date")), new Period((String) members.get("period")), (String)
                        members.get("text"));
    }

    private static long number(ProblemException refusal) {
        return Long.parseLong(refusal.getMessage().replaceFirst("^Texts could repeat: number (-?\\d+) is .*", "$1"));
    }
}
