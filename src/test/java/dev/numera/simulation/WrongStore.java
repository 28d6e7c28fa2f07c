package dev.numera.simulation;

import dev.numera.contract.CounterTable;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A store that is not what it should be, so that tests can show that they would notice. */
class WrongStore implements CounterTable {
    /**
     * Where it is wrong.
     *
     * @param client what an instance makes of its way to the table
     * @param table what the table makes of the requests that arrive
     * @param counters how many counters of one sequence a process has
     * @param scenario the scenarios that notice it best
     */
    record Wrong(
            UnaryOperator<CounterTable> client,
            Function<MemoryCounterStore, CounterTable> table,
            int counters,
            UnaryOperator<Scenario> scenario) {
        static final Wrong NOTHING = new Wrong(UnaryOperator.identity(), table -> table, 1, UnaryOperator.identity());

        /** Nothing is wrong, and a run is the same each time, whenever the garbage collector works. */
        static final Wrong REPEATABLE = new Wrong(NOTHING.client, NOTHING.table, 1, Scenario::keepingCounters);

        private static Wrong client(UnaryOperator<CounterTable> client) {
            return new Wrong(client, NOTHING.table, 1, NOTHING.scenario);
        }

        private static Wrong table(Function<MemoryCounterStore, CounterTable> table) {
            return new Wrong(NOTHING.client, table, 1, NOTHING.scenario);
        }
    }

    private static final String NOT_INSERTED = "not inserted";

    private final CounterTable store;

    WrongStore(CounterTable store) {
        this.store = store;
    }

    /** Its writes overwrite whatever is there. */
    static Wrong writingUnconditionally() {
        return Wrong.client(store -> new WrongStore(store) {
            @Override
            public WriteResult write(Transaction write) {
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
            public Optional<Versioned<CounterState>> read(CounterId id) {
                Optional<Versioned<CounterState>> value = super.read(id);
                return value.flatMap(
                        earlier -> super.read(id).map(later -> new Versioned<>(earlier.value(), later.version())));
            }
        });
    }

    /** It has one epoch for ever. */
    static Wrong forgettingTheEpoch() {
        return Wrong.client(store -> new WrongStore(store) {
            @Override
            public WriteResult write(Transaction write) {
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
                return super.write(new Transaction(
                        write.id(),
                        write.version(),
                        old,
                        write.rows(),
                        write.removed(),
                        write.change(),
                        write.answered().stream()
                                .map(answered -> answered.answered(answered.allocations(), old))
                                .toList(),
                        write.definitionVersion()));
            }
        });
    }

    /** It takes a write whose answer got lost for one that was won. */
    static Wrong takingUnknownForWon() {
        return Wrong.client(store -> new WrongStore(store) {
            @Override
            public WriteResult write(Transaction write) {
                WriteResult result = super.write(write);
                return result instanceof WriteResult.Unknown ? new WriteResult.Won(null) : result;
            }
        });
    }

    /** It marks whatever definition is there. */
    static Wrong markingUnconditionally() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(Transaction write) {
                String present =
                        table.find(write.id().sequence()).map(Sequence::version).orElse(write.definitionVersion());
                return super.write(new Transaction(
                        write.id(),
                        write.version(),
                        write.state(),
                        write.rows(),
                        write.removed(),
                        write.change(),
                        write.answered(),
                        write.marksDefinition() ? present : null));
            }
        });
    }

    /** Its openings overwrite the counter that is there. */
    static Wrong openingUnconditionally() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(Transaction write) {
                String present = write.opens()
                        ? table.read(write.id()).map(Versioned::version).orElse(null)
                        : write.version();
                return super.write(at(present, write));
            }
        });
    }

    /** It posts over any row, in whatever state. */
    static Wrong postingUnconditionally() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult post(CounterId id, PeerRequest request) {
                String present = table.find(id, request.process())
                        .map(PeerRequest::version)
                        .orElse(null);
                return super.post(id, request.at(present));
            }
        });
    }

    /** Its peer requests are answered beside the counter's transaction, which may be lost. */
    static Wrong answeringApart() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(Transaction write) {
                write.answered().forEach(answered -> table.answer(write.id(), answered));
                return super.write(without(write, List.of()));
            }
        });
    }

    /** It answers what was closed, or answered already. */
    static Wrong answeringWhateverBecameOfTheAsk() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(Transaction write) {
                List<PeerRequest> present = write.answered().stream()
                        .map(answered -> table.find(write.id(), answered.process())
                                .map(row -> answered.at(row.version()))
                                .orElse(answered))
                        .toList();
                return super.write(without(write, present));
            }
        });
    }

    /** A process closes its row at the version that it has, also where that is of an answer that it did not take. */
    static Wrong closingOverAnswers() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult post(CounterId id, PeerRequest request) {
                String version = table.find(id, request.process())
                        .filter(row -> row.state() == PeerRequest.State.ANSWERED
                                && row.id().equals(request.id())
                                && request.state() == PeerRequest.State.CLOSED)
                        .map(PeerRequest::version)
                        .orElse(request.version());
                return super.post(id, request.at(version));
            }
        });
    }

    /** A row is inserted open, so that an insert which arrives after the row's removal opens it again. */
    static Wrong insertingOpen() {
        UnaryOperator<CounterTable> client = store -> new WrongStore(store) {
            @Override
            public WriteResult post(CounterId id, PeerRequest request) {
                return request.version() == null
                        ? new WriteResult.Won(NOT_INSERTED)
                        : super.post(id, NOT_INSERTED.equals(request.version()) ? request.at(null) : request);
            }
        };
        Function<MemoryCounterStore, CounterTable> table = memory -> new WrongStore(memory) {
            @Override
            public WriteResult post(CounterId id, PeerRequest request) {
                boolean isInsert = request.version() == null;
                WriteResult result = super.post(id, isInsert ? request.closed() : request);
                return isInsert && result instanceof WriteResult.Won inserted
                        ? super.post(id, request.at(inserted.version()))
                        : result;
            }
        };
        return new Wrong(client, table, 1, Scenario::onlyVeryLate);
    }

    /** A process has two counters of one sequence, and both use one row for their peer requests. */
    static Wrong sharingARow() {
        return new Wrong(store -> new SharedRow(store), Wrong.NOTHING.table(), 2, Wrong.NOTHING.scenario());
    }

    /** Requests that do not fit at once follow later ones: the answers are not in the order listed. */
    static Wrong askingInAnotherOrder() {
        return Wrong.client(ReorderedPeerRequests::new);
    }

    private static Transaction without(Transaction write, List<PeerRequest> answered) {
        return new Transaction(
                write.id(),
                write.version(),
                write.state(),
                write.rows(),
                write.removed(),
                write.change(),
                answered,
                write.definitionVersion());
    }

    private static Transaction at(String version, Transaction write) {
        return new Transaction(
                write.id(),
                version,
                write.state(),
                write.rows(),
                write.removed(),
                write.change(),
                write.answered(),
                write.definitionVersion());
    }

    @Override
    public Optional<Versioned<CounterState>> read(CounterId id) {
        return store.read(id);
    }

    @Override
    public WriteResult write(Transaction write) {
        return store.write(write);
    }

    @Override
    public Map<String, Result<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
        return store.find(sequence, keys, atMost);
    }

    @Override
    public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        return store.rowsFrom(id, number, limit);
    }

    @Override
    public List<PeerRequest> open(CounterId id) {
        return store.open(id);
    }

    @Override
    public boolean removeOld(CounterId id) {
        return store.removeOld(id);
    }

    @Override
    public Optional<PeerRequest> find(CounterId id, String process) {
        return store.find(id, process);
    }

    @Override
    public WriteResult post(CounterId id, PeerRequest request) {
        return store.post(id, request);
    }
}
