package dev.numera.fault;

import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.history.SoundHistory;
import dev.numera.maintain.history.HistoryChecker;
import dev.numera.maintain.history.LedgerEntry;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.Progression;
import dev.numera.maintain.history.Violation;
import dev.numera.sequences.definition.Precondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A guarantee as callers use it, with its promises. */
enum Promise {
    STRICT(Guarantee.STRICT, false),
    STRICT_WITH_KEYS(Guarantee.STRICT, true),
    GAPLESS(Guarantee.GAPLESS, true),
    CACHED(Guarantee.CACHED, false);

    private final Guarantee guarantee;
    private final boolean hasKeys;

    Promise(Guarantee guarantee, boolean hasKeys) {
        this.guarantee = guarantee;
        this.hasKeys = hasKeys;
    }

    Guarantee guarantee() {
        return guarantee;
    }

    boolean hasKeys() {
        return hasKeys;
    }

    /** Declares a template from which sequences with this name are created in any scope. */
    SequenceName defineTemplate(Instance instance, String room, int cacheSize) {
        return defineTemplate(instance, room, cacheSize, ResetEvery.NEVER);
    }

    SequenceName defineTemplate(Instance instance, String room, int cacheSize, ResetEvery resetEvery) {
        SequenceName template = new SequenceName(SequenceName.TEMPLATES, room + "-" + name().toLowerCase(Locale.ROOT));
        DefinitionDraft draft = DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, guarantee)
                .with(DefinitionField.CACHE_SIZE, cacheSize)
                .with(DefinitionField.RESET_EVERY, resetEvery)
                .with(DefinitionField.TIME_ZONE, "UTC");
        instance.sequences().editor().put(template, draft, Precondition.ABSENT, ChangeNote.NONE);
        return template;
    }

    /**
     * Throws an AssertionError unless the promise was kept. Pass all calls of the sequence, after all of them have
     * ended.
     */
    void requireKept(List<ObservedCall> calls, SequenceName sequence, RawTables tables) {
        requireKept(calls, sequence, "", tables);
    }

    /** Like {@link #requireKept(List, SequenceName, RawTables)}, for one period of a sequence. */
    void requireKept(List<ObservedCall> calls, SequenceName sequence, String period, RawTables tables) {
        HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, calls);
        List<LedgerEntry> ledger = hasKeys ? tables.ledger(sequence, period) : List.of();
        SoundHistory.require(
                switch (this) {
                    case STRICT -> checker.strict();
                    case STRICT_WITH_KEYS -> both(checker.strict(), checker.ledgerAsTold(ledger));
                    case GAPLESS -> checker.gapless(ledger);
                    case CACHED -> checker.cached();
                });
    }

    private static List<Violation> both(List<Violation> some, List<Violation> others) {
        List<Violation> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }
}
