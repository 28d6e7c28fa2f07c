package dev.numera.sequence;

import dev.numera.counter.FixedFields;
import dev.numera.counter.SequenceName;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.WriteResult;
import java.util.List;
import java.util.Optional;

/** Where definitions are kept. Calls block for one storage request each and throw {@link StoreFailure}. Thread-safe. */
public interface DefinitionStore {
    Optional<StoredDefinition> find(SequenceName name);

    /** Lost where there is one already. The version of the given one is ignored. */
    WriteResult insert(StoredDefinition definition);

    /** Replaces the definition that is still at the given one's version. */
    WriteResult replace(StoredDefinition definition);

    /** The fields that were pinned with the first counter of the sequence, if it has one. */
    Optional<FixedFields> pinned(SequenceName name);

    /** The periods that have a counter; the empty one where the sequence is never reset. */
    List<String> periods(SequenceName name);

    /** A page of names with their definitions, in order of scope and name; {@code scope} null lists all. */
    Page list(String scope, int limit, String continuation);

    /** @param continuation null on the last page */
    record Page(List<StoredDefinition> definitions, String continuation) {}
}
