package dev.numera.functions.http.ledger;

import dev.numera.core.model.Status;
import dev.numera.core.problem.Actor;
import dev.numera.core.problem.EnumWord;
import dev.numera.functions.http.CsvForm;
import dev.numera.sequences.ledger.LedgerLine;
import dev.numera.sequences.lists.ListColumns;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/**
 * Writes the ledger as CSV (RFC 4180): one line for each number, and one for each range that was advanced over. For a
 * spreadsheet, each time is followed by the same time in the sequence's time zone.
 *
 * @param zone the time zone of the sequence; null unless the answer is for a spreadsheet
 */
record LedgerCsv(CsvForm form, @Nullable ZoneId zone) {
    private static final List<String> HEADER = List.of(
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
            "statusActor",
            "actorId",
            "statusActorId");

    private static final List<String> TIMES = List.of("allocatedAt", "statusAt");
    /** The end of the name of a column with local times. */
    private static final String LOCAL = "Local";

    /** The most characters of a line in the plain form, without text, key, reason and actors. */
    private static final int OTHER_COLUMNS = 150;

    /** Returns the most characters that an entry's lines have. */
    long characters(LedgerLine entry) {
        String reason =
                entry.isAdvance() ? entry.advanceReason() : entry.status().reason();
        long ofEachLine = (long) OTHER_COLUMNS
                + form.moreCharacters()
                + length(entry.key())
                + length(reason)
                + length(entry.actor())
                + length(entry.status().actor());
        return entry.characters() + ofEachLine * Math.max(1, entry.count());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    String write(List<LedgerLine> entries) {
        StringBuilder text = new StringBuilder();
        CSVFormat format = CsvForm.separatedBy(form.separatorOr(ListColumns.COMMA));
        try (CSVPrinter printer = new CSVPrinter(text, format)) {
            printer.printRecord(header());
            for (LedgerLine entry : entries) {
                write(entry, printer);
            }
        } catch (IOException e) {
            throw new IllegalStateException("A text in memory can always be written.", e);
        }
        return text.toString();
    }

    private List<String> header() {
        List<String> header = new ArrayList<>();
        for (String column : HEADER) {
            header.add(column);
            if (zone != null && TIMES.contains(column)) {
                header.add(column + LOCAL);
            }
        }
        return header;
    }

    private void write(LedgerLine entry, CSVPrinter out) throws IOException {
        if (entry.isAdvance()) {
            writeAdvance(entry, out);
            return;
        }
        long step = entry.count() == 1 ? 0 : (entry.last() - entry.first()) / (entry.count() - 1);
        for (int i = 0; i < entry.count(); i++) {
            writeNumber(entry, i, entry.first() + i * step, out);
        }
    }

    private void writeAdvance(LedgerLine entry, CSVPrinter out) throws IOException {
        print(out, entry.kind(), form.number(entry.first()), form.number(entry.last()));
        print(out, "", "", form.text(entry.period()), "");
        printTime(out, entry.allocatedAt());
        print(out, "", form.text(entry.advanceReason()));
        printTime(out, null);
        printActors(out, entry.actor(), null);
        out.println();
    }

    private void writeNumber(LedgerLine entry, int place, long number, CSVPrinter out) throws IOException {
        Status status = entry.status();
        String text = entry.texts() == null ? null : entry.texts().get(place);
        print(out, entry.kind(), form.number(number), "");
        print(out, form.text(text), form.text(entry.key()), form.text(entry.period()), form.date(entry.date()));
        printTime(out, entry.allocatedAt());
        print(out, EnumWord.of(status.kind()), form.text(status.reason()));
        printTime(out, status.at());
        printActors(out, entry.actor(), status.actor());
        out.println();
    }

    private void printActors(CSVPrinter out, @Nullable String actor, @Nullable String statusActor) throws IOException {
        print(out, form.text(Actor.name(actor)), form.text(Actor.name(statusActor)));
        print(out, form.text(Actor.id(actor)), form.text(Actor.id(statusActor)));
    }

    private void printTime(CSVPrinter out, @Nullable Instant moment) throws IOException {
        out.print(form.time(moment));
        if (zone != null) {
            out.print(form.localTime(moment, zone));
        }
    }

    /** Prints the next cells of the line. */
    private static void print(CSVPrinter out, String... cells) throws IOException {
        for (String cell : cells) {
            out.print(cell);
        }
    }
}
