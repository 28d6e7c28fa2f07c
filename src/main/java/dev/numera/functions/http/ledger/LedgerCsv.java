package dev.numera.functions.http.ledger;

import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.functions.http.CsvCell;
import dev.numera.sequences.ledger.LedgerLine;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/**
 * Writes the ledger as CSV (RFC 4180) for spreadsheets: one line for each number, and one for each range that was
 * advanced over.
 */
final class LedgerCsv {
    private static final String[] HEADER = {
        "kind",
        "number",
        "to",
        "text",
        "key",
        "period",
        "date",
        "allocatedAt",
        "status",
        "reason",
        "statusAt",
        "actor",
        "statusActor"
    };

    /** The most characters of a line, without text, key, reason and actors. */
    private static final int OTHER_COLUMNS = 150;

    private LedgerCsv() {}

    /** Returns the most characters that an entry's lines have. */
    static long characters(LedgerLine entry) {
        String reason =
                entry.isAdvance() ? entry.advanceReason() : entry.status().reason();
        long ofEachLine = (long) OTHER_COLUMNS
                + length(entry.key())
                + length(reason)
                + length(entry.actor())
                + length(entry.status().actor());
        return entry.characters() + ofEachLine * Math.max(1, entry.count());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    static String write(List<LedgerLine> entries) {
        StringBuilder text = new StringBuilder();
        try (CSVPrinter printer = new CSVPrinter(text, CSVFormat.RFC4180)) {
            printer.printRecord((Object[]) HEADER);
            for (LedgerLine entry : entries) {
                write(entry, printer);
            }
        } catch (IOException e) {
            throw new IllegalStateException("A text in memory can always be written.", e);
        }
        return text.toString();
    }

    private static void write(LedgerLine entry, CSVPrinter printer) throws IOException {
        if (entry.isAdvance()) {
            printer.printRecord(
                    entry.kind(),
                    entry.first(),
                    entry.last(),
                    "",
                    "",
                    entry.period(),
                    "",
                    entry.allocatedAt(),
                    "",
                    cell(entry.advanceReason()),
                    "",
                    cell(entry.actor()),
                    "");
            return;
        }
        Status status = entry.status();
        long step = entry.count() == 1 ? 0 : (entry.last() - entry.first()) / (entry.count() - 1);
        for (int i = 0; i < entry.count(); i++) {
            printer.printRecord(
                    entry.kind(),
                    entry.first() + i * step,
                    "",
                    entry.texts() == null ? "" : CsvCell.harmless(entry.texts().get(i)),
                    CsvCell.harmless(Objects.requireNonNull(entry.key(), "An allocation has a key.")),
                    entry.period(),
                    entry.date(),
                    entry.allocatedAt(),
                    EnumWord.of(status.kind()),
                    cell(status.reason()),
                    status.at(),
                    cell(entry.actor()),
                    cell(status.actor()));
        }
    }

    private static String cell(@Nullable String text) {
        return text == null ? "" : CsvCell.harmless(text);
    }
}
