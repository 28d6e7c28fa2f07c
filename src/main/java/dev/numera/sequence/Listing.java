package dev.numera.sequence;

import dev.numera.execution.Deadline;
import dev.numera.model.Page;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
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
public final class Listing {
    private static final int MAX_DETAILED = 100;
    /** Each costs a read at most: at sixteen at once, and ten milliseconds each, that is a third of a second. */
    private static final int MAX_SEARCHED = 500;

    /** What a page shows of each sequence beside its name. */
    public enum Detail {
        DEFINITION,
        STATE
    }

    /**
     * @param scope as the index has it, as the name: where a row cannot be read they may be the names of no sequence
     * @param definition null where it was not requested
     * @param state of the present period; null where it was not requested, or there is no counter
     * @param problem why neither can be shown; null where there is none
     * @param mayBeUnused whether its definition has to be read before it is shown, since it may be one that was retired
     *     without use
     */
    public record Entry(
            String scope,
            String name,
            @Nullable Sequence definition,
            @Nullable SequenceState state,
            @Nullable ProblemException problem,
            boolean mayBeUnused) {
        /** No key of a table contains it. */
        private static final char SEPARATOR = '/';

        /** One without details, as the index has it. */
        public static Entry of(String scope, String name, @Nullable ProblemException problem) {
            return new Entry(scope, name, null, null, problem, false);
        }

        /** As {@link #of}, of a row of the index that can be read. */
        public static Entry listed(String scope, String name, boolean mayBeUnused) {
            return new Entry(scope, name, null, null, null, mayBeUnused);
        }

        /** The one that a page ends with, by its {@link #position}; another text has names of no sequence. */
        public static Entry at(String position) {
            int end = position.indexOf(SEPARATOR);
            return end < 0 ? of("", "", null) : of(position.substring(0, end), position.substring(end + 1), null);
        }

        /** The continuation of a page that ends with it: a token of storage's own cannot be checked. */
        public String position() {
            return scope + SEPARATOR + name;
        }
    }

    private final SequenceAccess access;
    private final DefinitionStore store;
    private final States states;

    Listing(SequenceAccess access, DefinitionStore store, States states) {
        this.access = access;
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
        private boolean accepts(Entry row) {
            return areIn(row.scope() + "/" + row.name());
        }

        private boolean accepts(Entry row, Sequence known) {
            String guarantee = Word.of(known.fixed().guarantee());
            String description = Objects.requireNonNullElse(known.definition().description(), "");
            return (withUnused || !known.isRetiredUnused())
                    && areIn(row.scope() + "/" + row.name() + "\n" + guarantee + "\n" + description);
        }

        private boolean areIn(String text) {
            String searched = text.toLowerCase(Locale.ROOT);
            return words.stream().allMatch(searched::contains);
        }

        private boolean isDoubtful(Entry row) {
            return row.mayBeUnused() && !withUnused;
        }

        private boolean isOfNames(List<Entry> rows) {
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
    public Page<Entry, String> list(Wanted wanted, int limit, @Nullable String continuation) {
        Deadline deadline = access.deadline();
        Deadline end = wanted.words().isEmpty() ? deadline : access.deadlineOfSearch();
        int most = wanted.details().isEmpty() ? limit : Math.min(limit, MAX_DETAILED);
        Page<Entry, String> page =
                index(deadline, wanted.scope(), wanted.words().isEmpty() ? most : MAX_SEARCHED, continuation);
        return wanted.isOfNames(page.items()) ? page : accepted(page, wanted, most, deadline, end);
    }

    private Page<Entry, String> accepted(
            Page<Entry, String> page, Wanted wanted, int most, Deadline deadline, Deadline end) {
        List<Entry> all = page.items();
        List<Entry> found = new ArrayList<>();
        int searched = 0;
        for (List<Entry> rows : SequenceAccess.groups(all)) {
            if (searched > 0 && !wanted.words().isEmpty() && end.isOver()) {
                return new Page<>(found, all.get(searched - 1).position());
            }
            for (Optional<Entry> entry : access.together(rows, row -> accepted(row, wanted, deadline))) {
                if (entry.isPresent() && found.size() == most) {
                    return new Page<>(found, all.get(searched - 1).position());
                }
                entry.ifPresent(found::add);
                searched++;
            }
        }
        return new Page<>(found, page.next());
    }

    private Optional<Entry> accepted(Entry row, Wanted wanted, Deadline deadline) {
        Set<Detail> details = wanted.details();
        boolean isKnown = wanted.accepts(row) && !wanted.isDoubtful(row);
        if (row.problem() != null || isKnown && details.isEmpty()) {
            return Optional.of(row);
        }
        Set<Detail> read = isKnown ? details : EnumSet.of(Detail.DEFINITION);
        Entry entry = entry(row, read, deadline);
        Sequence known = entry.definition();
        if (isKnown || entry.problem() != null || known == null) {
            return Optional.of(entry);
        }
        if (!wanted.accepts(row, known)) {
            return Optional.empty();
        }
        return Optional.of(details.isEmpty() ? row : details.equals(read) ? entry : entry(row, details, deadline));
    }

    private Page<Entry, String> index(
            Deadline deadline, @Nullable String scope, int limit, @Nullable String continuation) {
        return access.retry(deadline, () -> store.list(scope, limit, continuation));
    }

    private Entry entry(Entry row, Set<Detail> details, Deadline deadline) {
        if (row.problem() != null) {
            return row;
        }
        try {
            SequenceName name = new SequenceName(row.scope(), row.name());
            return access.at(name, deadline, visit -> visit.retry(() -> read(name, details)));
        } catch (ProblemException e) {
            return Entry.of(row.scope(), row.name(), e);
        }
    }

    private Entry read(SequenceName name, Set<Detail> details) {
        Sequence known = store.find(name).orElseThrow(() -> Definitions.lost(name));
        return new Entry(
                name.scope(),
                name.name(),
                details.contains(Detail.DEFINITION) ? known : null,
                details.contains(Detail.STATE) && known.fixed().isCounted() ? states.state(known, null) : null,
                null,
                false);
    }
}
