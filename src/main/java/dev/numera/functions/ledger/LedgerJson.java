package dev.numera.functions.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.functions.Fields;
import dev.numera.model.SequenceName;
import dev.numera.sequence.Ledger;
import dev.numera.sequence.LedgerCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entries of a ledger, and the result of a check, in JSON. */
final class LedgerJson {
    private LedgerJson() {}

    /** @param continuation null on the last page */
    static ObjectNode of(List<Ledger.Entry> entries, @Nullable String continuation) {
        return new Fields()
                .putEach("entries", entries, LedgerJson::of)
                .put("continuation", continuation)
                .json();
    }

    private static ObjectNode of(Ledger.Entry entry) {
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
                .put("reason", entry.advanceReason())
                .putAll(entry.status().fields())
                .json();
    }

    static Fields of(SequenceName sequence, LedgerCheck.Page page) {
        return new Fields()
                .put("scope", sequence.scope())
                .put("name", sequence.name())
                .putPeriod(page.period())
                .put("from", page.from())
                .put("to", page.to())
                .put("checkedAt", page.checkedAt())
                .put("allocated", page.allocated())
                .put("void", page.voided())
                .put("reserved", page.reserved())
                .put("gaps", page.gaps());
    }
}
