package dev.numera.bench.strategy;

import dev.numera.contract.CounterStates;
import dev.numera.contract.Defined;
import dev.numera.contract.Transactions;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.SequenceStores;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Opens a counter for strategies that use the app's store, but not the app's own counter logic. */
public final class OpenCounter {
    static final List<Allocation> NO_LEDGER = List.of();

    private OpenCounter() {}

    static CounterId id(String sequence) {
        return new CounterId(new SequenceName("bench", sequence), "");
    }

    /** Defines the sequence and opens its counter. */
    static void in(SequenceStores stores, CounterId id) {
        WriteResult defined = define(stores, id.sequence(), Guarantee.STRICT);
        in(stores.counters(), id, ((WriteResult.Won) defined).version());
    }

    /** Opens the counter of a definition with this version. */
    public static void in(CounterStore counters, CounterId id, String definitionVersion) {
        CounterState first = CounterStates.of(1, 0, 1, "open", Instant.now());
        WriteResult opened = counters.write(Transactions.of(id, null, first, NO_LEDGER, definitionVersion));
        if (!(opened instanceof WriteResult.Won)) {
            throw new IllegalStateException("The counter of " + id + " could not be opened: " + opened);
        }
    }

    static WriteResult define(SequenceStores stores, SequenceName name, Guarantee guarantee) {
        Sequence defined = definition(name, guarantee);
        return stores.definitions()
                .insert(defined, Change.created(defined.definition(), ChangeNote.NONE, Instant.now()));
    }

    private static Sequence definition(SequenceName name, Guarantee guarantee) {
        Definition plain = Definition.DEFAULT;
        FixedFields fixed = new FixedFields(
                guarantee,
                plain.fixed().start(),
                plain.fixed().increment(),
                plain.fixed().cycle(),
                plain.fixed().resetEvery(),
                plain.fixed().timeZone(),
                plain.fixed().fiscalYearStart());
        Definition definition =
                new Definition(fixed, plain.minValue(), plain.maxValue(), plain.cacheSize(), plain.format());
        return Defined.stored(
                name, UUID.randomUUID().toString(), definition, new FormatHistory(List.of(), 0), false, null, null);
    }
}
