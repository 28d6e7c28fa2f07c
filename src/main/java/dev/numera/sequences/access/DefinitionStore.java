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
 * Where definitions are kept, each beside its counters, and the index of them, which decides nothing but that a
 * sequence which is in it and has no definition was lost. Calls block for one storage request each, if nothing else is
 * said, and throw {@link StoreFailure}. Thread-safe.
 */
public interface DefinitionStore {
    Optional<Sequence> find(SequenceName name);

    /** Lost where there is one already. Its version is ignored. */
    WriteResult insert(Sequence definition, Change change);

    /** Replaces the definition that is still at this one's version. The change is kept with it, or neither is. */
    WriteResult replace(Sequence definition, Change change);

    /**
     * Stores the key form of a sequence and the feature level that it requires. Loses if the stored definition has
     * another version. Changes no field that the owner declared, and keeps no change.
     */
    WriteResult setKeyForm(Sequence definition);

    /** Keeps a change that leaves the definition as it is; lost where it is kept already. */
    WriteResult keep(SequenceName name, Change change);

    /**
     * Marks the definition that is still at this version as in use, where no counter is opened with it; what it says
     * stays as it is.
     */
    WriteResult mark(SequenceName name, String version);

    /**
     * The changes of a sequence from one on, in the order of time: of its definition, and of its counters by others
     * than allocations. A change that cannot be read concerns no other one.
     *
     * @param first null for the first one that there is
     * @param limit 1 to 1,000
     */
    Page<Result<Change>, Change.Position> changesFrom(SequenceName name, Change.@Nullable Position first, int limit);

    /** As {@link #changesFrom}, only the closings: nothing else is read. */
    Page<Result<Change>, Change.Position> closingsFrom(SequenceName name, Change.@Nullable Position first, int limit);

    /**
     * All periods with a counter, in their order; the empty one where the sequence is never reset. One request for
     * 1,000.
     */
    SortedSet<String> periods(SequenceName name);

    /**
     * The periods whose counters a restore has put back, and which were neither advanced by a margin since nor accepted
     * by an operator; also of counters that cannot be read otherwise. One request for 1,000 counters.
     */
    SortedSet<String> restored(SequenceName name);

    /**
     * The states of the counters of the first periods from one on, in their order. One that cannot be read is a
     * problem, the others stay good.
     *
     * @param limit 1 to 1,001 periods; one request for 1,000
     */
    NavigableMap<String, Result<CounterState>> counters(SequenceName name, String firstPeriod, int limit);

    /** The row of the index: the id of the definition that the sequence had when it was written. */
    Optional<Versioned<String>> indexed(SequenceName name);

    /** Writes the index row of a definition that was read or written; lost where there is one already. */
    WriteResult index(SequenceName name, String definitionId);

    /** As {@link #index}, in place of the row that is still at this version. */
    WriteResult reindex(SequenceName name, String definitionId, String version);

    /**
     * Notes in the index row that is still at this version that the sequence may be retired without ever having been
     * used, so that a list reads its definition, which alone decides.
     */
    WriteResult noteUnused(SequenceName name, String version);

    /**
     * A page of the index, in order of scope and name; {@code scope} null lists all. An entry has no details; a row
     * that cannot be read is the problem of its own entry.
     */
    Page<IndexEntry, String> list(@Nullable String scope, int limit, @Nullable String continuation);

    /** The mark of the whole service; {@link MaintenanceMark#NONE} where there is none. */
    MaintenanceMark serviceMark();

    /** Changes the mark of the whole service, and returns it as it is then. One request more for each lost attempt. */
    MaintenanceMark markService(UnaryOperator<MaintenanceMark> change);

    /**
     * A page of the names of the definitions themselves, in no order: for when the index may lack some. Looks through
     * the whole table. A name that cannot be read concerns no other row.
     */
    Page<Result<SequenceName>, String> walk(int limit, @Nullable String continuation);
}
