package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Prints and reads the example of each row of the table of payment references in docs/formats.md. */
class ReferenceTableTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ([^|]+) \\| [^|]+ \\| `([^`]*\\{check:([^}]+)}[^`]*)` \\| `([^`]+)` \\|$");
    private static final LocalDate DAY = LocalDate.of(2006, 4, 21);
    private static final long LARGEST_EXACT = (1L << 53) - 1;

    @Test
    void theExamplesOfTheTableHaveTheirFormatsAndTheRightCheck() throws IOException {
        String page = Files.readString(Path.of("docs/formats.md"));
        String table = page.substring(page.indexOf("## Payment references"), page.indexOf("## Ranges"));
        List<MatchResult> rows = ROW.matcher(table).results().toList();
        assertEquals(9, rows.size());
        for (MatchResult row : rows) {
            String example = row.group(4);
            Format format = Format.declare(row.group(2));
            long maxValue = row.group(1).contains("maxValue 9999999999") ? 9_999_999_999L : LARGEST_EXACT;
            FormatContext context = new FormatContext("1", "order", 1, maxValue, ResetEvery.NEVER, 1);
            format.requireDistinctTexts(context, DAY);
            long number = format.parse(example, context, DAY).number();
            assertEquals(example, format.text(context, DAY, number));
            assertEquals(
                    number,
                    format.parseTyped(example.replace(" ", ""), context, DAY).number());
            assertTrue(PublishedChecks.isRight(row.group(3), example), example);
        }
    }
}
