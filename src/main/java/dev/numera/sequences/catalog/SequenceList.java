package dev.numera.sequences.catalog;

import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Deadline;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.IndexEntry;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import dev.numera.sequences.definition.StateReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sequences that there are, with what is wanted to be known of each. Thread-safe; calls block for storage requests,
 * and fail with a {@link ProblemException}.
 */
public final class SequenceList {
    private static final int MAX_DETAILED = 100;
    /** Each costs a read at most: at sixteen at once, and ten milliseconds each, that is a third of a second. */
    private static final int MAX_SEARCHED = 500;

    /** What a page shows of each sequence beside its name. */
    public enum Detail {
        DEFINITION,
        STATE
    }

    private final SequenceCalls calls;
    private final DefinitionStore store;
    private final StateReader states;

    public SequenceList(SequenceCalls calls, DefinitionStore store, StateReader states) {
        this.calls = calls;
        this.store = store;
        this.states = states;
    }

    /**
     * What a list is to contain.
     *
     * @param scope null for all
     * @param words in lower case: each is in scope and name, description or guarantee of a sequence, in any case
     * @param withUnused whether sequences that were retired without ever having been used are listed, too
     */
    public record Wanted(@Nullable String scope, List<String> words, boolean withUnused, Set<Detail> details) {
        private static final int MAX_FILTER_UNITS = 200;

        /** All that are listed, of all scopes. */
        public static Wanted all(Set<Detail> details) {
            return new Wanted(null, List.of(), false, details);
        }

        /**
         * The words of what a person types to find a sequence.
         *
         * @param filter words between blanks
         * @throws ProblemException {@code invalid-request} for more than {@value #MAX_FILTER_UNITS} UTF-16 units
         */
        public static List<String> words(String filter) {
            if (filter.length() > MAX_FILTER_UNITS) {
                throw InvalidRequest.because("filter", "must have at most " + MAX_FILTER_UNITS + " characters");
            }
            return Stream.of(filter.toLowerCase(Locale.ROOT).split("\\s+"))
                    .filter(word -> !word.isEmpty())
                    .toList();
        }

        /** Whether scope and name alone have every word. */
        private boolean accepts(IndexEntry row) {
            return areIn(row.scope() + "/" + row.name());
        }

        private boolean accepts(IndexEntry row, Sequence known) {
            String guarantee = EnumWord.of(known.fixed().guarantee());
            String description = Objects.requireNonNullElse(known.definition().description(), "");
            return (withUnused || !known.isRetiredUnused())
                    && areIn(row.scope() + "/" + row.name() + "\n" + guarantee + "\n" + description);
        }

        private boolean areIn(String text) {
            String searched = text.toLowerCase(Locale.ROOT);
            return words.stream().allMatch(searched::contains);
        }

        private boolean isDoubtful(IndexEntry row) {
            return row.mayBeUnused() && !withUnused;
        }

        private boolean isOfNames(List<IndexEntry> rows) {
            return words.isEmpty() && details.isEmpty() && rows.stream().noneMatch(this::isDoubtful);
        }
    }

    /**
     * A page of names in their order, as the index has them. Details are read again, up to
     * {@value SequenceAccess#AT_ONCE} sequences at once. A failing sequence, or a row of the index that cannot be read,
     * has its problem in its entry, and the others go on; a filter accepts it, too, since what it says is unknown. A
     * page may be empty and yet not the last: one with a filter looks at {@value #MAX_SEARCHED} sequences at most, or
     * at as many as half the time of a call allows.
     *
     * @param limit at most 1,000; with details a page has at most {@value #MAX_DETAILED} sequences
     */
    public Page<ListedSequence, String> list(Wanted wanted, int limit, @Nullable String continuation) {
        Deadline deadline = calls.deadline();
        Deadline end = wanted.words().isEmpty() ? deadline : calls.deadlineOfSearch();
        int most = wanted.details().isEmpty() ? limit : Math.min(limit, MAX_DETAILED);
        Page<IndexEntry, String> page =
                index(deadline, wanted.scope(), wanted.words().isEmpty() ? most : MAX_SEARCHED, continuation);
        return wanted.isOfNames(page.items())
                ? new Page<>(page.items().stream().map(ListedSequence::of).toList(), page.next())
                : accepted(page, wanted, most, deadline, end);
    }

    private Page<ListedSequence, String> accepted(
            Page<IndexEntry, String> page, Wanted wanted, int most, Deadline deadline, Deadline end) {
        List<IndexEntry> all = page.items();
        List<ListedSequence> found = new ArrayList<>();
        int searched = 0;
        for (List<IndexEntry> rows : SequenceCalls.groups(all)) {
            if (searched > 0 && !wanted.words().isEmpty() && end.isOver()) {
                return new Page<>(found, all.get(searched - 1).position());
            }
            for (Optional<ListedSequence> entry : calls.together(rows, row -> accepted(row, wanted, deadline))) {
                if (entry.isPresent() && found.size() == most) {
                    return new Page<>(found, all.get(searched - 1).position());
                }
                entry.ifPresent(found::add);
                searched++;
            }
        }
        return new Page<>(found, page.next());
    }

    private Optional<ListedSequence> accepted(IndexEntry row, Wanted wanted, Deadline deadline) {
        Set<Detail> details = wanted.details();
        boolean isKnown = wanted.accepts(row) && !wanted.isDoubtful(row);
        if (row.problem() != null || isKnown && details.isEmpty()) {
            return Optional.of(ListedSequence.of(row));
        }
        Set<Detail> read = isKnown ? details : EnumSet.of(Detail.DEFINITION);
        ListedSequence entry = entry(row, read, deadline);
        Sequence known = entry.definition();
        if (isKnown || entry.problem() != null || known == null) {
            return Optional.of(entry);
        }
        if (!wanted.accepts(row, known)) {
            return Optional.empty();
        }
        return Optional.of(
                details.isEmpty()
                        ? ListedSequence.of(row)
                        : details.equals(read) ? entry : entry(row, details, deadline));
    }

    private Page<IndexEntry, String> index(
            Deadline deadline, @Nullable String scope, int limit, @Nullable String continuation) {
        return calls.retry(deadline, () -> store.list(scope, limit, continuation));
    }

    private ListedSequence entry(IndexEntry row, Set<Detail> details, Deadline deadline) {
        if (row.problem() != null) {
            return ListedSequence.of(row);
        }
        try {
            SequenceName name = new SequenceName(row.scope(), row.name());
            return calls.at(name, deadline, call -> call.retry(() -> read(name, details)));
        } catch (ProblemException e) {
            return new ListedSequence(row.scope(), row.name(), null, null, e);
        }
    }

    private ListedSequence read(SequenceName name, Set<Detail> details) {
        Sequence known = store.find(name).orElseThrow(() -> RegisteredSequence.lost(name));
        return new ListedSequence(
                name.scope(),
                name.name(),
                details.contains(Detail.DEFINITION) ? known : null,
                details.contains(Detail.STATE) && known.fixed().isCounted() ? states.state(known, null) : null,
                null);
    }
}
