package dev.numera.simulation;

import dev.numera.contract.CounterTable;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.retry.WriteResult;
import java.util.List;
import java.util.function.Function;

/** Tables that do less than one conditional transaction. */
class CarelessTable extends WrongStore {
    private CarelessTable(MemoryCounterStore table) {
        super(table);
    }

    /** Replaces a key row that exists already, instead of refusing the write. */
    static Wrong replacingKeyRows() {
        return table(table -> new CarelessTable(table) {
            @Override
            public WriteResult write(Transaction write) {
                WriteResult result = super.write(write);
                if (result != WriteResult.Refused.EXISTS) {
                    return result;
                }
                table.removeKeys(
                        write.id().sequence(),
                        write.allocations().stream().map(Allocation::key).toList());
                return super.write(write);
            }
        });
    }

    /** Writes the ledger's rows separately from the counter, some time after the end of the history. */
    static Wrong writingRowsApart() {
        return table(table -> new CarelessTable(table) {
            @Override
            public WriteResult write(Transaction write) {
                return super.write(new Transaction(
                        write.id(),
                        write.version(),
                        write.state(),
                        List.of(),
                        write.removed(),
                        write.change(),
                        write.answered(),
                        write.definitionVersion()));
            }
        });
    }

    private static Wrong table(Function<MemoryCounterStore, CounterTable> table) {
        return new Wrong(Wrong.NOTHING.client(), table, 1, Wrong.NOTHING.scenario());
    }
}
