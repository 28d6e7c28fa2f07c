package dev.numera.simulation;

import dev.numera.contract.CounterTable;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.RestoredCounters;
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

/** A store with a planted bug, so that tests can show that they notice the bug. */
class WrongStore implements CounterTable {
    /**
     * The parts of a run that a planted bug changes.
     *
     * @param client wraps the store that an instance sends its requests to
     * @param table wraps the table that receives the requests
     * @param counters how many counters of one sequence a process has
     * @param scenario the scenarios that notice the bug best
     */
    record Wrong(
            UnaryOperator<CounterTable> client,
            Function<MemoryCounterStore, CounterTable> table,
            int counters,
            UnaryOperator<Scenario> scenario) {
        static final Wrong NOTHING = new Wrong(UnaryOperator.identity(), table -> table, 1, UnaryOperator.identity());

        /** No bug, but runs that repeat exactly, because they do not depend on the garbage collector. */
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

    /** Overwrites the counter, whatever its version. */
    static Wrong writingUnconditionally() {
        return Wrong.client(store -> new WrongStore(store) {
            @Override
            public WriteResult write(Transaction write) {
                String present = write.createsCounter()
                        ? null
                        : store.read(write.id()).map(Versioned::version).orElse(write.version());
                return super.write(at(present, write));
            }
        });
    }

    /** Reads the version after the value. */
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

    /** Keeps one epoch forever. */
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

    /** Takes a write whose answer got lost for a write that was won. */
    static Wrong takingUnknownForWon() {
        return Wrong.client(store -> new WrongStore(store) {
            @Override
            public WriteResult write(Transaction write) {
                WriteResult result = super.write(write);
                return result instanceof WriteResult.Unknown ? new WriteResult.Won(null) : result;
            }
        });
    }

    /** Marks the definition, whatever its version. */
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

    /** Opens a counter over a counter that exists already. */
    static Wrong openingUnconditionally() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(Transaction write) {
                String present = write.createsCounter()
                        ? table.read(write.id()).map(Versioned::version).orElse(null)
                        : write.version();
                return super.write(at(present, write));
            }
        });
    }

    /** Posts a peer request over any row, whatever its state. */
    static Wrong postingUnconditionally() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult post(CounterId id, PeerRequest request) {
                String present = table.find(id, request.counterName())
                        .map(PeerRequest::version)
                        .orElse(null);
                return super.post(id, request.at(present));
            }
        });
    }

    /** Answers peer requests separately from the counter's transaction, which may be lost. */
    static Wrong answeringApart() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(Transaction write) {
                write.answered().forEach(answered -> table.answer(write.id(), answered));
                return super.write(without(write, List.of()));
            }
        });
    }

    /** Answers peer requests that are closed or answered already. */
    static Wrong answeringWhateverBecameOfTheAsk() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult write(Transaction write) {
                List<PeerRequest> present = write.answered().stream()
                        .map(answered -> table.find(write.id(), answered.counterName())
                                .map(row -> answered.at(row.version()))
                                .orElse(answered))
                        .toList();
                return super.write(without(write, present));
            }
        });
    }

    /** Closes a row at its present version, even if this version is an answer that the process has not taken over. */
    static Wrong closingOverAnswers() {
        return Wrong.table(table -> new WrongStore(table) {
            @Override
            public WriteResult post(CounterId id, PeerRequest request) {
                String version = table.find(id, request.counterName())
                        .filter(row -> row.state() == PeerRequest.State.ANSWERED
                                && row.id().equals(request.id())
                                && request.state() == PeerRequest.State.CLOSED)
                        .map(PeerRequest::version)
                        .orElse(request.version());
                return super.post(id, request.at(version));
            }
        });
    }

    /** Inserts rows open, so that an insert that arrives after the row's removal opens the request again. */
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

    /** Makes a process keep two counters of one sequence that share one row for their peer requests. */
    static Wrong sharingARow() {
        return new Wrong(store -> new SharedRow(store), Wrong.NOTHING.table(), 2, Wrong.NOTHING.scenario());
    }

    /** Posts requests that do not fit at once after later requests, so that the answers are not in the order listed. */
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
    public WriteResult writeTogether(List<Transaction> moves) {
        return store.writeTogether(moves);
    }

    @Override
    public RestoredCounters restored(SequenceName sequence, String firstPeriod, int limit) {
        return store.restored(sequence, firstPeriod, limit);
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
