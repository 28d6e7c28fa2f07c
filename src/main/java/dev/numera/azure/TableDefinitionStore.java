package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.IndexEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores definitions in the table {@value TableNames#COUNTERS}, each in its sequence's partition, and their index in
 * the table {@value TableNames#SEQUENCES}, with the scope as partition and the name as row.
 */
final class TableDefinitionStore implements DefinitionStore {
    private static final String ID = "id";
    private static final String RETIRED_UNUSED = "retiredUnused";
    /** The most changes in a page, because a closing may have 240,000 characters that no answer shows. */
    private static final int MAX_CHANGES = 100;

    private final Table sequences;
    private final Table counters;
    private final MaintenanceMarks marks;

    TableDefinitionStore(Table sequences, Table counters, MaintenanceMarks marks) {
        this.sequences = sequences;
        this.counters = counters;
        this.marks = marks;
    }

    @Override
    public Optional<Sequence> find(SequenceName name) {
        return counters.find(RowKeys.partition(name), RowKeys.DEFINITION).map(DefinitionRows::read);
    }

    @Override
    public WriteResult insert(Sequence definition, Change change) {
        return counters.transact(
                List.of(Table.inserting(DefinitionRows.write(definition)), inserting(definition, change)));
    }

    @Override
    public WriteResult replace(Sequence definition, Change change) {
        return counters.transact(List.of(
                Table.changing(DefinitionRows.write(definition), definition.version()), inserting(definition, change)));
    }

    @Override
    public WriteResult setKeyForm(Sequence definition) {
        return counters.change(DefinitionRows.keyForm(definition), definition.version());
    }

    @Override
    public WriteResult mark(SequenceName name, String version) {
        return counters.change(DefinitionRows.mark(name), version);
    }

    @Override
    public WriteResult keep(SequenceName name, Change change) {
        return counters.insert(ChangeRows.write(name, change));
    }

    private static TableTransactionAction inserting(Sequence definition, Change change) {
        return Table.inserting(ChangeRows.write(definition.name(), change));
    }

    @Override
    public Page<Result<Change>, Change.Position> changesFrom(
            SequenceName name, Change.@Nullable Position first, int limit) {
        return changes(RowKeys.changesFrom(name, first), limit);
    }

    @Override
    public Page<Result<Change>, Change.Position> closingsFrom(
            SequenceName name, Change.@Nullable Position first, int limit) {
        return changes(RowKeys.changesFrom(name, first) + " and " + ChangeRows.is(Change.Kind.CLOSED), limit);
    }

    private Page<Result<Change>, Change.Position> changes(String filter, int most) {
        int limit = Math.min(most, MAX_CHANGES);
        List<StoredRow> rows = counters.first(filter, limit + 1);
        return new Page<>(
                rows.stream()
                        .limit(limit)
                        .map(row -> answer(row, ChangeRows::read))
                        .toList(),
                rows.size() > limit ? ChangeRows.position(rows.get(limit)) : null);
    }

    /** Reads a row; the problem of an unreadable row replaces only its own entry. */
    private static <T> Result<T> answer(StoredRow row, Function<StoredRow, T> read) {
        try {
            return Result.of(read.apply(row));
        } catch (StoreFailure e) {
            return Result.refused(e.ofOneRequest());
        }
    }

    @Override
    public SortedSet<String> periods(SequenceName name) {
        return periods(name, row -> true);
    }

    @Override
    public SortedSet<String> restored(SequenceName name) {
        return periods(name, CounterRows::isRestored);
    }

    private SortedSet<String> periods(SequenceName name, Predicate<StoredRow> wanted) {
        return counters.all(RowKeys.countersFrom(new CounterId(name, ""))).stream()
                .filter(wanted)
                .map(row -> RowKeys.period(row.row()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public NavigableMap<String, Result<CounterState>> counters(SequenceName name, String firstPeriod, int limit) {
        NavigableMap<String, Result<CounterState>> states = new TreeMap<>();
        counters.first(RowKeys.countersFrom(new CounterId(name, firstPeriod)), limit)
                .forEach(row -> states.put(RowKeys.period(row.row()), answer(row, CounterRows::state)));
        return states;
    }

    @Override
    public Optional<Versioned<String>> indexed(SequenceName name) {
        return sequences
                .find(name.scope(), name.name())
                .map(row -> new Versioned<>(StoredRow.id(row.string(ID)), row.version()));
    }

    @Override
    public WriteResult index(SequenceName name, String definitionId) {
        return sequences.insert(indexRow(name, definitionId));
    }

    @Override
    public WriteResult reindex(SequenceName name, String definitionId, String version) {
        return sequences.change(indexRow(name, definitionId), version);
    }

    @Override
    public WriteResult noteUnused(SequenceName name, String version) {
        TableEntity note = new TableEntity(name.scope(), name.name()).addProperty(RETIRED_UNUSED, true);
        return sequences.change(note, version);
    }

    @Override
    public Page<IndexEntry, String> list(@Nullable String scope, int limit, @Nullable String continuation) {
        List<StoredRow> rows = continuation == null
                ? sequences.first(scope == null ? MaintenanceRow.OTHERS : Table.partitionIs(scope), limit)
                : after(lastOf(continuation, scope), scope, limit);
        List<IndexEntry> listed =
                rows.stream().map(TableDefinitionStore::indexed).toList();
        return new Page<>(
                listed, rows.size() < limit ? null : listed.get(limit - 1).position());
    }

    /**
     * Reads the rest of a scope and, if all scopes are listed, the scopes after it. Two queries, each of one key range,
     * so that the service does not have to scan the table.
     */
    private List<StoredRow> after(IndexEntry last, @Nullable String scope, int limit) {
        List<StoredRow> rows = new ArrayList<>(sequences.first(
                Table.partitionIs(last.scope()) + " and RowKey gt " + Table.quoted(last.name()), limit));
        if (scope == null && rows.size() < limit) {
            rows.addAll(sequences.first(
                    "PartitionKey gt " + Table.quoted(last.scope()) + " and " + MaintenanceRow.OTHERS,
                    limit - rows.size()));
        }
        return rows;
    }

    /** @throws ProblemException {@code invalid-request} if no page of this list ended there */
    private static IndexEntry lastOf(String continuation, @Nullable String scope) {
        IndexEntry last = IndexEntry.at(continuation);
        if (!Table.isKey(last.scope()) || !Table.isKey(last.name()) || scope != null && !scope.equals(last.scope())) {
            throw InvalidRequest.because("continuation", "must be the one that the previous page returned");
        }
        return last;
    }

    private static IndexEntry indexed(StoredRow row) {
        Result<Boolean> mayBeUnused = answer(row, TableDefinitionStore::mayBeUnused);
        return mayBeUnused.isRefused()
                ? IndexEntry.of(row.partition(), row.row(), mayBeUnused.refusal())
                : IndexEntry.listed(row.partition(), row.row(), mayBeUnused.orThrow());
    }

    private static boolean mayBeUnused(StoredRow row) {
        row.sequence("PartitionKey or RowKey", row.partition(), row.row());
        StoredRow.id(row.string(ID));
        return row.boolOrFalse(RETIRED_UNUSED);
    }

    @Override
    public MaintenanceMark serviceMark() {
        return marks.read();
    }

    @Override
    public MaintenanceMark markService(UnaryOperator<MaintenanceMark> change) {
        return marks.change(change);
    }

    @Override
    public Page<Result<SequenceName>, String> walk(int limit, @Nullable String continuation) {
        Table.Page page = counters.list("RowKey eq " + Table.quoted(RowKeys.DEFINITION), limit, continuation);
        return new Page<>(
                page.rows().stream()
                        .map(row -> answer(row, DefinitionRows::name))
                        .toList(),
                page.continuation());
    }

    private static TableEntity indexRow(SequenceName name, String definitionId) {
        return new TableEntity(name.scope(), name.name()).addProperty(ID, definitionId);
    }
}
