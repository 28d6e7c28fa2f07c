package dev.numera.simulation;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.counter.CounterStore;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.InstanceAsk;
import dev.numera.execution.WriteResult;
import dev.numera.model.Allocation;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.LedgerRow;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Versioned;
import dev.numera.problem.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A store that is not what it should be, so that tests can show that they would notice. */
class WrongStore implements CounterStore {
    /**
     * Where it is wrong.
     *
     * @param client what an instance makes of its way to the table
     * @param table what the table makes of the requests that arrive
     * @param counters how many counters of one sequence a process has
     * @param scenario the scenarios that notice it best
     */
    record Wrong(
            UnaryOperator<CounterStore> client,
            Function<MemoryCounterStore, CounterStore> table,
            int counters,
            UnaryOperator<Scenario> scenario) {
        static final Wrong NOTHING = new Wrong(UnaryOperator.identity(), table -> table, 1, UnaryOperator.identity());

        /** Nothing is wrong, and a run is the same each time, whenever the garbage collector works. */
        static final Wrong REPEATABLE = new Wrong(NOTHING.client, NOTHING.table, 1, Scenario::keepingCounters);

        private static Wrong client(UnaryOperator<CounterStore> client) {
            return new Wrong(client, NOTHING.table, 1, NOTHING.scenario);
        }

        private static Wrong table(Function<MemoryCounterStore, CounterStore> table) {
            return new Wrong(NOTHING.client, table, 1, NOTHING.scenario);
        }
    }

    private static final String NOT_INSERTED = "not inserted";

    private final CounterStore store;

    WrongStore(CounterStore store) {
        this.store = store;
    }

    /** Its writes overwrite whatever is there. */
    static Wrong writingUnconditionally() {
        return Wrong.client(store -> new WrongStore(store) {
            @Override
            public WriteResult write(CounterWrite write) {
                String present = write.opens()
                        ? null
                        : store.read(write.id()).map(Versioned::version).orElse(write.version());
                return super.write(at(present, write));
            }
        });
    }

    /** It reads the version after the value. */
    static Wrong readingTheVersionApart() {
        return Wrong.client(store -> new WrongStore(store) {
            @Override
            public Optional<Versioned> read(CounterId id) {
                Optional<Versioned> value = super.read(id);
                return value.flatMap(
                        earlier -> super.read(id).map(later -> new Versioned(earlier.state(), later.version())));
            }
        });
    }

    /** It has one epoch for ever. */
    static Wrong forgettingTheEpoch() {
        return Wrong.client(store -> new WrongStore(store) {
            @Override
            public WriteResult write(CounterWrite write) {
                CounterState state = write.state();
                CounterState old = new CounterState(
                        state.next(),
                        state.allocated(),
                        1,
                        state.round(),
                        state.operationIds(),
                        state.changedAt(),
                        null,
                        null,
                        null,
                        null);
                return super.write(new CounterWrite(
                        write.id(),
                        write.version(),
                        old,
                        write.ledger(),
                        write.advanced(),
                        write.answered(),
                        write.imported(),
                        write.definitionVersion()));
            }
        });
    }

    /** It takes a write whose answer got lost for one that was won. */
    static Wrong takingUnknownForWon() {
        return Wrong.client(store -> new WrongStore(store) {
            @Override
            public WriteResult write(CounterWrite write) {
                WriteResult result = super.write(write);
                return result instanceof WriteResult.Unknown ? new WriteResult.Won(null) : result;
            }
        });
    }

    /** It marks whatever definition is there. */
    static Wrong markingUnconditionally() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(CounterWrite write) {
                String present =
                        table.find(write.id().sequence()).map(Sequence::version).orElse(write.definitionVersion());
                return super.write(new CounterWrite(
                        write.id(),
                        write.version(),
                        write.state(),
                        write.ledger(),
                        write.advanced(),
                        write.answered(),
                        write.imported(),
                        write.marksDefinition() ? present : null));
            }
        });
    }

    /** Its openings overwrite the counter that is there. */
    static Wrong openingUnconditionally() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(CounterWrite write) {
                String present = write.opens()
                        ? table.read(write.id()).map(Versioned::version).orElse(null)
                        : write.version();
                return super.write(at(present, write));
            }
        });
    }

    /** It posts over whatever stands in the row. */
    static Wrong postingUnconditionally() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
                String present = table.findAsk(id, ask.process())
                        .map(InstanceAsk.Posted::version)
                        .orElse(null);
                return super.post(id, ask, state, present);
            }
        });
    }

    /** Its asks are answered beside the counter's transaction, which may be lost. */
    static Wrong answeringApart() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(CounterWrite write) {
                write.answered().forEach(answered -> table.answer(write.id(), answered, write.state()));
                return super.write(without(write, List.of()));
            }
        });
    }

    /** It answers what was closed, or answered already. */
    static Wrong answeringWhateverBecameOfTheAsk() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(CounterWrite write) {
                List<InstanceAsk.Answered> present = write.answered().stream()
                        .map(answered -> new InstanceAsk.Answered(
                                table.findAsk(
                                                write.id(),
                                                answered.posted().ask().process())
                                        .map(row -> new InstanceAsk.Posted(
                                                answered.posted().ask(), row.state(), null, row.version()))
                                        .orElse(answered.posted()),
                                answered.allocations()))
                        .toList();
                return super.write(without(write, present));
            }
        });
    }

    /** A process closes its row at the version that it has, also where that is of an answer that it did not take. */
    static Wrong closingOverAnswers() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
                String answered = table.findAsk(id, ask.process())
                        .filter(row -> row.state() == InstanceAsk.State.ANSWERED
                                && row.ask().id().equals(ask.id()))
                        .map(InstanceAsk.Posted::version)
                        .orElse(version);
                return super.post(id, ask, state, state == InstanceAsk.State.CLOSED ? answered : version);
            }
        });
    }

    /** A row is inserted open, so that an insert which arrives after the row's removal opens it again. */
    static Wrong insertingOpen() {
        UnaryOperator<CounterStore> client = store -> new WrongStore(store) {
            @Override
            public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
                return version == null
                        ? new WriteResult.Won(NOT_INSERTED)
                        : super.post(id, ask, state, NOT_INSERTED.equals(version) ? null : version);
            }
        };
        Function<MemoryCounterStore, CounterStore> table = memory -> new WrongStore(memory) {
            @Override
            public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
                WriteResult result = super.post(id, ask, version == null ? InstanceAsk.State.CLOSED : state, version);
                return version == null && result instanceof WriteResult.Won inserted
                        ? super.post(id, ask, state, inserted.version())
                        : result;
            }
        };
        return new Wrong(client, table, 1, Scenario::onlyVeryLate);
    }

    /** A process has two counters of one sequence, and both use one row to ask others. */
    static Wrong sharingARow() {
        return new Wrong(store -> new SharedRow(store), Wrong.NOTHING.table(), 2, Wrong.NOTHING.scenario());
    }

    /** What does not fit at once is asked for after what comes behind it: the answers are not in the order listed. */
    static Wrong askingInAnotherOrder() {
        return Wrong.client(ReorderedAsks::new);
    }

    private static CounterWrite without(CounterWrite write, List<InstanceAsk.Answered> answered) {
        return new CounterWrite(
                write.id(),
                write.version(),
                write.state(),
                write.ledger(),
                write.advanced(),
                answered,
                write.imported(),
                write.definitionVersion());
    }

    private static CounterWrite at(String version, CounterWrite write) {
        return new CounterWrite(
                write.id(),
                version,
                write.state(),
                write.ledger(),
                write.advanced(),
                write.answered(),
                write.imported(),
                write.definitionVersion());
    }

    @Override
    public Optional<Versioned> read(CounterId id) {
        return store.read(id);
    }

    @Override
    public WriteResult write(CounterWrite write) {
        return store.write(write);
    }

    @Override
    public Map<String, Answer<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
        return store.find(sequence, keys, atMost);
    }

    @Override
    public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        return store.rowsFrom(id, number, limit);
    }

    @Override
    public List<InstanceAsk.Posted> openAsks(CounterId id) {
        return store.openAsks(id);
    }

    @Override
    public void removeOldAsks(CounterId id) {
        store.removeOldAsks(id);
    }

    @Override
    public Optional<InstanceAsk.Posted> findAsk(CounterId id, String process) {
        return store.findAsk(id, process);
    }

    @Override
    public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
        return store.post(id, ask, state, version);
    }
}
