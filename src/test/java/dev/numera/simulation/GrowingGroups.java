package dev.numera.simulation;

import dev.numera.contract.CounterTable;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * An instance whose groups do not freeze. When a write of a group has no answer and the counter does not contain its
 * id, other calls join, and the larger group is written under the operation id of the first write.
 */
final class GrowingGroups extends WrongStore {
    private static final String VERSION = "as if another instance had written";

    /** The operation id of the write without an answer; null before that write. */
    private String first;
    /** The operation id that the instance believes the larger group has; null before the larger group is written. */
    private String larger;

    private String version;

    GrowingGroups(CounterTable store) {
        super(store);
    }

    @Override
    public WriteResult write(Transaction write) {
        String id = write.state().operationId();
        if (first != null && larger == null && !id.equals(first)) {
            larger = id;
        }
        WriteResult result = super.write(id.equals(larger) ? underFirstId(write) : write);
        if (first == null && result instanceof WriteResult.Unknown) {
            first = id;
        }
        return result;
    }

    private Transaction underFirstId(Transaction write) {
        return new Transaction(
                write.id(),
                VERSION.equals(write.version()) ? version : write.version(),
                renamed(write.state(), each -> each.equals(larger) ? first : each),
                write.rows(),
                write.removed(),
                write.change(),
                write.answered(),
                write.definitionVersion());
    }

    /** Reports the first write as lost to another instance's write, so that the group may grow. */
    @Override
    public Optional<Versioned<CounterState>> read(CounterId id) {
        return super.read(id).map(this::reported);
    }

    private Versioned<CounterState> reported(Versioned<CounterState> read) {
        if (larger != null) {
            return new Versioned<>(renamed(read.value(), each -> each.equals(first) ? larger : each), read.version());
        }
        version = read.version();
        return first == null || read.value().isWrittenBy(first) ? read : new Versioned<>(read.value(), VERSION);
    }

    private static CounterState renamed(CounterState state, UnaryOperator<String> name) {
        List<String> ids = state.operationIds().stream().map(name).toList();
        return CarelessWriter.with(state, ids);
    }
}
