package dev.numera.simulation;

import dev.numera.contract.Allocations;
import dev.numera.contract.CounterTable;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Stores whose answers make an instance act as if it had dropped a rule about the outcome of its writes. The store
 * hides from the instance the data that the rule would have it check or wait for.
 */
class CarelessWriter extends WrongStore {
    private CarelessWriter(CounterTable store) {
        super(store);
    }

    /** Hides the operation ids of the instance's writes that were not answered as won. */
    static Wrong withoutLookingForIds() {
        return client(store -> new CarelessWriter(store) {
            private final Set<String> open = new HashSet<>();

            @Override
            public WriteResult write(Transaction write) {
                WriteResult result = super.write(write);
                if (!(result instanceof WriteResult.Won)) {
                    open.add(write.state().operationId());
                }
                return result;
            }

            @Override
            public Optional<Versioned<CounterState>> read(CounterId id) {
                return super.read(id)
                        .map(read -> with(
                                read,
                                read.value().operationIds().stream()
                                        .filter(each -> !open.contains(each))
                                        .toList()));
            }
        });
    }

    /**
     * Extends the list of operation ids back to all that the instance has read, so that an absent id seems to prove a
     * loss.
     */
    static Wrong withoutEndOfList() {
        return client(store -> new CarelessWriter(store) {
            private final Set<String> known = new HashSet<>();

            @Override
            public Optional<Versioned<CounterState>> read(CounterId id) {
                Optional<Versioned<CounterState>> read = super.read(id);
                Optional<Versioned<CounterState>> longer = read.map(present -> {
                    List<String> ids = new ArrayList<>(present.value().operationIds());
                    ids.addAll(known);
                    return with(present, ids);
                });
                read.ifPresent(present -> known.add(present.value().operationId()));
                return longer;
            }
        });
    }

    /** Answers the read after a refusal without reading, as if another instance had written. */
    static Wrong withoutReadAfterRefusal() {
        return client(store -> new CarelessWriter(store) {
            private CounterState last;
            private boolean wasRefused;
            private int refusals;

            @Override
            public WriteResult write(Transaction write) {
                WriteResult result = super.write(write);
                wasRefused = result instanceof WriteResult.Refused;
                return result;
            }

            @Override
            public Optional<Versioned<CounterState>> read(CounterId id) {
                if (wasRefused) {
                    refusals++;
                    return Optional.of(new Versioned<>(last, "of another write " + refusals));
                }
                Optional<Versioned<CounterState>> read = super.read(id);
                read.ifPresent(present -> last = present.value());
                return read;
            }
        });
    }

    /** Makes the instance take each row under its keys for a row that its last write has inserted. */
    static Wrong withoutOwnRow() {
        return client(store -> new CarelessWriter(store) {
            private String last;

            @Override
            public WriteResult write(Transaction write) {
                last = write.state().operationId();
                return super.write(write);
            }

            @Override
            public Map<String, Result<Allocation>> find(
                    SequenceName sequence, Collection<String> keys, Duration atMost) {
                Map<String, Result<Allocation>> found = new HashMap<>(super.find(sequence, keys, atMost));
                found.replaceAll((key, row) -> Result.of(Allocations.by(row.orThrow(), last)));
                return found;
            }
        });
    }

    private static Wrong client(UnaryOperator<CounterTable> client) {
        return new Wrong(client, Wrong.NOTHING.table(), 1, Wrong.NOTHING.scenario());
    }

    /** Returns the same counter with other operation ids. */
    static Versioned<CounterState> with(Versioned<CounterState> read, List<String> ids) {
        return new Versioned<>(with(read.value(), ids), read.version());
    }

    static CounterState with(CounterState state, List<String> ids) {
        return new CounterState(
                state.next(),
                state.allocated(),
                state.epoch(),
                state.round(),
                ids,
                state.changedAt(),
                state.lastDate(),
                state.firstAllocated(),
                state.firstAllocatedAt(),
                state.importedFrom());
    }
}
