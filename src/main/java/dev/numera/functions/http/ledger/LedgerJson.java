package dev.numera.functions.http.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.json.Fields;
import dev.numera.sequences.ledger.CheckedPage;
import dev.numera.sequences.ledger.LedgerFilter;
import dev.numera.sequences.ledger.LedgerLine;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes entries of a ledger and the result of a check as JSON. */
final class LedgerJson {
    private LedgerJson() {}

    /** @param continuation null on the last page */
    static ObjectNode of(List<LedgerLine> entries, @Nullable String continuation) {
        return of(entries, continuation, entry -> fields(entry).json());
    }

    private static ObjectNode of(
            List<LedgerLine> entries, @Nullable String continuation, Function<LedgerLine, ObjectNode> write) {
        return new Fields()
                .putEach("entries", entries, write)
                .put("continuation", continuation)
                .json();
    }

    /** Writes the entry of a key, if one exists, with its status history. */
    static ObjectNode ofKey(List<LedgerLine> entries) {
        return of(entries, null, LedgerJson::withHistory);
    }

    private static ObjectNode withHistory(LedgerLine entry) {
        Fields fields = fields(entry);
        List<Status> history = entry.status().history();
        return history.isEmpty()
                ? fields.json()
                : fields.putEach("history", history, LedgerJson::of).json();
    }

    private static ObjectNode of(Status status) {
        return new Fields()
                .put("status", EnumWord.of(status.kind()))
                .put("at", status.at())
                .put("reason", status.reason())
                .putActor(status.actor())
                .json();
    }

    static Fields fields(LedgerLine entry) {
        return new Fields()
                .put("kind", entry.kind())
                .put("key", entry.key())
                .put("first", entry.first())
                .put("last", entry.last())
                .put("count", entry.isAdvance() ? null : entry.count())
                .put("texts", entry.texts())
                .putPeriod(entry.period())
                .put("date", entry.date())
                .put("allocatedAt", entry.allocatedAt())
                .putActor(entry.actor())
                .put("reason", entry.advanceReason())
                .putAll(entry.status().fields());
    }

    /**
     * Writes the result of a check.
     *
     * @param wanted the checked range
     */
    static Fields of(SequenceName sequence, CheckedPage<?> page, LedgerFilter wanted) {
        return new Fields()
                .put("scope", sequence.scope())
                .put("name", sequence.name())
                .putPeriod(page.period())
                .put("from", page.from())
                .put("to", page.to())
                .put("dateFrom", wanted.dateFrom())
                .put("dateTo", wanted.dateTo())
                .put("otherDates", page.otherDates())
                .put("checkedAt", page.checkedAt())
                .put("allocated", page.allocated())
                .put("void", page.voided())
                .put("reserved", page.reserved())
                .put("gaps", page.gaps());
    }
}
