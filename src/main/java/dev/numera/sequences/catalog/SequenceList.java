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
 * Lists sequences, with the requested details of each. Thread-safe; calls block for storage requests, and fail with a
 * {@link ProblemException}.
 */
public final class SequenceList {
    private static final int MAX_DETAILED = 100;
    /**
     * The most sequences that a page with a filter examines. Each costs at most one read: with sixteen reads at once
     * and ten milliseconds each, a page takes a third of a second.
     */
    private static final int MAX_SEARCHED = 500;

    /** A detail that a page shows of each sequence, in addition to its name. */
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
     * The selection and the details of a list.
     *
     * @param scope null for all scopes
     * @param words in lower case; each must occur in the scope and name, the description or the guarantee of a
     *     sequence, which may be in any case
     * @param withUnused whether sequences that were retired without ever having been used are listed, too
     */
    public record Wanted(@Nullable String scope, List<String> words, boolean withUnused, Set<Detail> details) {
        private static final int MAX_FILTER_UNITS = 200;

        /** Selects all sequences of all scopes, except unused retired ones. */
        public static Wanted all(Set<Detail> details) {
            return new Wanted(null, List.of(), false, details);
        }

        /**
         * Splits the text that a person types to find a sequence into words.
         *
         * @param filter words, separated by white space
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

        /** Whether the scope and name already contain every word. */
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
     * Returns a page of sequences in the order of the index. Reads the details from storage, up to
     * {@value SequenceCalls#AT_ONCE} sequences at once. A sequence or index row that cannot be read has its problem in
     * its entry, and passes each filter because its words are unknown. A page may be empty although others follow: a
     * page with a filter examines at most {@value #MAX_SEARCHED} sequences, and stops after half the time of a call.
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
