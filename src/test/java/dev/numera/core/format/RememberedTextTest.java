package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A text is read without its hyphens, blanks, case and the zeros of its number, and with zeros nowhere else. */
class RememberedTextTest {
    private static final LocalDate LAST = LocalDate.of(2075, 12, 31);
    private static final FormatContext CONTEXT =
            new FormatContext("eu-1", "invoice", 1, 9_007_199_254_740_991L, ResetEvery.YEAR, 1);

    private static ParsedText read(String template, String text) {
        return Format.compile(template).parseRemembered(text, CONTEXT, LAST);
    }

    @Test
    void hyphensBlanksCaseAndZerosOfTheNumberMayDiffer() {
        for (String text :
                List.of("INV-2026-000123", "INV-2026-123", "inv 2026 000123", "inv2026123", "INV-2026-0000000123")) {
            ParsedText parsed = read("INV-{yyyy}-{n:6}", text);
            assertEquals(123, parsed.number(), text);
            assertEquals("2026", parsed.period().id(), text);
        }
        assertEquals(1_234_567, read("INV-{yyyy}-{n:6}", "INV 2026 1234567").number());
        assertEquals(7, read("{n:4}/{yyyy}", "7/2026").number());
        assertEquals(7, read("{scope}-{yyyy}-{n:4}", "EU1 2026 7").number());
    }

    @Test
    void anythingElseMustBeWritten() {
        for (String text : List.of("IN-2026-123", "INV-2026", "", "INV-2026-12x", "123")) {
            assertThrows(ProblemException.class, () -> read("INV-{yyyy}-{n:6}", text), text);
        }
    }
}
