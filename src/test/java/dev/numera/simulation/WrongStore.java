package dev.numera.simulation;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** A store that is not what it should be, so that tests can show that they would notice. */
class WrongStore implements CounterStore {
    private final CounterStore store;

    WrongStore(CounterStore store) {
        this.store = store;
    }

    /** Its writes overwrite whatever is there. */
    static CounterStore writingUnconditionally(CounterStore store) {
        return new WrongStore(store) {
            @Override
            public WriteResult replace(CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger) {
                String present = store.read(id).map(Versioned::version).orElse(version);
                return super.replace(id, present, state, ledger);
            }
        };
    }

    /** It reads the version after the value. */
    static CounterStore readingTheVersionApart(CounterStore store) {
        return new WrongStore(store) {
            @Override
            public Optional<Versioned> read(CounterId id) {
                Optional<Versioned> value = super.read(id);
                return value.flatMap(earlier -> super.read(id).map(later -> new Versioned(earlier.state(), later.version())));
            }
        };
    }

    /** It has one epoch for ever. */
    static CounterStore forgettingTheEpoch(CounterStore store) {
        return new WrongStore(store) {
            @Override
            public WriteResult replace(CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger) {
                CounterState old = new CounterState(state.next(), state.allocated(), 1, state.operationId(), state.changedAt());
                return super.replace(id, version, old, ledger);
            }
        };
    }

    /** It takes a write whose answer got lost for one that was won. */
    static CounterStore takingUnknownForWon(CounterStore store) {
        return new WrongStore(store) {
            @Override
            public WriteResult replace(CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger) {
                WriteResult result = super.replace(id, version, state, ledger);
                return result instanceof WriteResult.Unknown ? new WriteResult.Won(null) : result;
            }
        };
    }

    @Override
    public Optional<Versioned> read(CounterId id) {
        return store.read(id);
    }

    @Override
    public void open(CounterId id, FixedFields fixed, CounterState first) {
        store.open(id, fixed, first);
    }

    @Override
    public WriteResult replace(CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger) {
        return store.replace(id, version, state, ledger);
    }

    @Override
    public Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys) {
        return store.find(sequence, keys);
    }
}
