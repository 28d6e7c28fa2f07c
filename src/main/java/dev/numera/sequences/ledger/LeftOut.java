package dev.numera.sequences.ledger;

import dev.numera.core.model.Change;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Page;
import dev.numera.core.model.PassingImport;
import dev.numera.core.problem.Result;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.SequenceCalls;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an import left out the numbers of a range that was passed over. Rows of earlier releases show it only
 * by their reason, which an advance may also state, so the change log decides. Reads the change log once, at the first
 * such row. Not thread-safe.
 */
final class LeftOut {
    private static final int CHANGES_AT_ONCE = 1_000;

    private final SequenceCalls.SequenceCall call;
    private final DefinitionStore definitions;
    private @Nullable Set<String> imports;

    LeftOut(SequenceCalls.SequenceCall call, DefinitionStore definitions) {
        this.call = call;
        this.definitions = definitions;
    }

    /** @param row a range that was passed over */
    boolean test(LedgerRow row) {
        PassingImport passing = row.passing();
        if (passing != null) {
            return !passing.isBefore();
        }
        String id = PassingImport.idOf(Objects.requireNonNullElse(row.note().reason(), ""));
        return !id.isEmpty() && imports().contains(id);
    }

    private Set<String> imports() {
        Set<String> known = imports;
        if (known == null) {
            known = read();
            imports = known;
        }
        return known;
    }

    private Set<String> read() {
        return Page.<Result<Change>, Change.Position>all(
                        first -> call.retry(() -> definitions.changesFrom(call.name(), first, CHANGES_AT_ONCE)))
                .flatMap(page -> page.items().stream())
                .map(Result::value)
                .filter(change -> change != null && change.kind() == Change.Kind.IMPORTED)
                .map(change -> change.position().id())
                .collect(Collectors.toSet());
    }
}
