package dev.numera.sequences.access;

import dev.numera.core.model.Change;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Storage for definitions, each next to its counters, and for the index of sequences. The index decides only one
 * question: a sequence with an index row but without a definition was lost. Calls block for one storage request each
 * unless stated otherwise, and throw {@link StoreFailure}. Thread-safe.
 */
public interface DefinitionStore {
    Optional<Sequence> find(SequenceName name);

    /** Inserts a definition and its change. Loses if the sequence already has a definition. Ignores the version. */
    WriteResult insert(Sequence definition, Change change);

    /**
     * Replaces the definition and stores the change in one write. Loses if the stored definition has another version.
     */
    WriteResult replace(Sequence definition, Change change);

    /**
     * Stores the key form of a sequence and the feature level that it requires. Loses if the stored definition has
     * another version. Changes no field that the owner declared, and stores no change.
     */
    WriteResult setKeyForm(Sequence definition);

    /** Adds an entry to the change log without changing the definition; lost if the entry is already stored. */
    WriteResult keep(SequenceName name, Change change);

    /**
     * Marks the definition as in use without opening a counter, for sequences that have none. Changes no other field.
     * Loses if the stored definition has another version.
     */
    WriteResult mark(SequenceName name, String version);

    /**
     * Returns the changes of a sequence in the order of time: changes of its definition, and changes of its counters
     * other than allocations. A change that cannot be read is a problem in its own entry.
     *
     * @param first where the page starts; null for the first change
     * @param limit 1 to 1,000
     */
    Page<Result<Change>, Change.Position> changesFrom(SequenceName name, Change.@Nullable Position first, int limit);

    /** Like {@link #changesFrom}, but reads and returns only the closings. */
    Page<Result<Change>, Change.Position> closingsFrom(SequenceName name, Change.@Nullable Position first, int limit);

    /**
     * Returns all periods that have a counter, in order; the empty period if the sequence is never reset. Sends one
     * request for each 1,000 periods.
     */
    SortedSet<String> periods(SequenceName name);

    /**
     * Returns the periods whose counters a restore has put back, until an advance by a margin or an operator releases
     * them. Includes counters whose state cannot be read. Sends one request for each 1,000 counters.
     */
    SortedSet<String> restored(SequenceName name);

    /**
     * Returns the counter states of up to {@code limit} periods from {@code firstPeriod} on, in order. A counter that
     * cannot be read is a problem in its own entry.
     *
     * @param limit 1 to 1,001 periods; one request for each 1,000
     */
    NavigableMap<String, Result<CounterState>> counters(SequenceName name, String firstPeriod, int limit);

    /** Reads the index row: the id of the definition that the sequence had when the row was written. */
    Optional<Versioned<String>> indexed(SequenceName name);

    /** Writes the index row of a definition that was read or written. Loses if the sequence already has a row. */
    WriteResult index(SequenceName name, String definitionId);

    /** Replaces the index row. Loses if the row has another version. */
    WriteResult reindex(SequenceName name, String definitionId, String version);

    /**
     * Notes in the index row that the sequence may be retired without ever having been used. A list then reads the
     * definition, which alone decides. Loses if the row has another version.
     */
    WriteResult noteUnused(SequenceName name, String version);

    /**
     * Returns a page of the index, in order of scope and name; {@code scope} null lists all scopes. Entries have no
     * details. A row that cannot be read is a problem in its own entry.
     */
    Page<IndexEntry, String> list(@Nullable String scope, int limit, @Nullable String continuation);

    /** Reads the mark of the whole service; {@link MaintenanceMark#NONE} if none is set. */
    MaintenanceMark serviceMark();

    /** Changes the mark of the whole service and returns the new mark. Sends another request for each lost attempt. */
    MaintenanceMark markService(UnaryOperator<MaintenanceMark> change);

    /**
     * Returns a page of the names of the stored definitions, in no order, for when the index may lack some. The pages
     * together read the whole table. A name that cannot be read is a problem in its own entry.
     */
    Page<Result<SequenceName>, String> walk(int limit, @Nullable String continuation);
}
