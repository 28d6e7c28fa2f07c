package dev.numera.sequences.ledger;

import dev.numera.core.format.ParsedText;
import dev.numera.core.format.TypedText;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.access.SequenceCalls;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the entries of the ledger by key, text, number or filter. Thread-safe; calls block for storage requests and
 * throw {@link dev.numera.core.retry.StoreFailure}.
 */
public final class LedgerReader {
    /** The most entries whose actor and reason are compared for one page. */
    private static final int MAX_COMPARED = 1_000;

    private final SequenceCalls calls;
    private final LedgerStore store;
    private final Clock time;
    private final LedgerLines lines;
    private final MarkedLines marked;
    private final PeriodLines periods;
    private final DescendingPages descending;
    private final CounterReader reader;

    public LedgerReader(SequenceCalls calls, LedgerStore store, LedgerLines lines, CounterReader reader, Clock time) {
        this.calls = calls;
        this.store = store;
        this.lines = lines;
        this.marked = new MarkedLines(calls, store, lines);
        this.periods = new PeriodLines(store, lines, marked);
        this.descending = new DescendingPages(store, lines, marked, periods, reader, time);
        this.reader = reader;
        this.time = time;
    }

    /**
     * Returns the first entries of a page that fit one answer; at least one entry.
     *
     * @param characters the most characters that an answer with an entry has
     * @param to the greatest requested number
     */
    public static Page<LedgerLine, LedgerPosition> within(
            Page<LedgerLine, LedgerPosition> page, long maxCharacters, ToLongFunction<LedgerLine> characters, long to) {
        return page.within(
                maxCharacters, characters, entry -> new LedgerPosition(entry.period(), Math.min(entry.highest(), to)));
    }

    /** Returns the time zone of the sequence's dates. */
    public ZoneId zone(SequenceName name) {
        return calls.at(name, call -> call.recorded().fixed().zone());
    }

    /** Returns the entry of a key, in any period. */
    public Optional<LedgerLine> find(SequenceName name, String key) {
        return calls.at(name, call -> {
            Sequence known = call.recorded();
            return find(call, known, key);
        });
    }

    /**
     * Returns the entries of several keys, by key. Reads them in parallel, some at a time. A key without an entry is
     * left out.
     *
     * @throws ProblemException if the entry of a key cannot be read
     */
    public Map<String, LedgerLine> find(SequenceName name, Collection<String> keys) {
        return calls.at(name, call -> {
            Sequence known = call.recorded();
            Map<String, LedgerLine> found = new HashMap<>();
            List<String> distinct = keys.stream().distinct().toList();
            for (List<String> group : SequenceCalls.groups(distinct)) {
                List<Result<Optional<LedgerLine>>> entries = calls.together(group, key -> read(call, known, key));
                for (int i = 0; i < group.size(); i++) {
                    String key = group.get(i);
                    entries.get(i).orThrow().ifPresent(entry -> found.put(key, entry));
                }
            }
            return found;
        });
    }

    /**
     * Reads the entry of a key on another thread. Returns a problem instead of throwing it, because a thrown one would
     * arrive wrapped in that thread's exception.
     */
    private Result<Optional<LedgerLine>> read(SequenceCalls.SequenceCall call, Sequence known, String key) {
        try {
            return Result.of(find(call, known, key));
        } catch (ProblemException e) {
            return Result.refused(e);
        }
    }

    public Optional<LedgerLine> find(SequenceCalls.SequenceCall call, Sequence known, String key) {
        return call.retry(() -> LedgerStore.findSent(store, known.name(), key))
                .map(keyed -> lines.of(known, keyed.value()));
    }

    /**
     * Returns the number and the period of a text. Uses the newest format that can have written it. Blanks and the
     * separators of groups may differ.
     *
     * @throws ProblemException {@code text-unreadable}, with the first position where the newest format expected
     *     something else
     */
    public ParsedText parse(SequenceName name, String text) {
        name.requireNoTemplate();
        return calls.at(name, call -> {
            try {
                return call.settled().texts().readTyped(text);
            } catch (ProblemException e) {
                if (e.type() != ProblemType.TEXT_UNREADABLE) {
                    throw e;
                }
                // Another instance may have added the format of this text to the definition.
                return call.reloaded().texts().readTyped(text);
            }
        });
    }

    /**
     * Returns the entry that has a text, in upper or lower case and with any blanks, in the period that the text shows;
     * empty if the text was not allocated.
     */
    public Optional<LedgerLine> findText(SequenceName name, String text) {
        name.requireNoTemplate();
        return calls.at(name, call -> {
            Sequence known = call.recorded();
            // Another instance may have added the format of this text to the definition.
            return findText(call, known, text).or(() -> {
                Sequence present = call.reloaded();
                return present.formats().equals(known.formats()) ? Optional.empty() : findText(call, present, text);
            });
        });
    }

    private Optional<LedgerLine> findText(SequenceCalls.SequenceCall call, Sequence known, String text) {
        // A number that was allocated without a format has no text but its digits.
        return Stream.concat(known.texts().readings(text).stream(), known.texts().ofDigits(text).stream())
                .distinct()
                .flatMap(parsed -> holder(call, known, parsed, text).stream())
                .findFirst();
    }

    /** Returns every entry that may be meant by a text, which may lack hyphens and leading zeros of the number. */
    public List<LedgerLine> findTexts(SequenceCalls.SequenceCall call, Sequence known, String text) {
        return known.texts().readings(text).stream()
                .flatMap(parsed -> holder(call, known, parsed, text).stream())
                .toList();
    }

    /** Returns the entry of a number in one period, which may be an advance. */
    public Optional<LedgerLine> findNumber(
            SequenceCalls.SequenceCall call, Sequence known, String period, long number) {
        CounterId id = new CounterId(known.name(), period);
        return periods.read(call, known, id, LedgerFilter.only(number), 1).items().stream()
                .filter(entry -> entry.hasNumber(number, known.fixed().increment()))
                .findFirst();
    }

    /**
     * Returns the entry of the parsed number, if it has this text. A number that was allocated under another format has
     * another text.
     */
    private Optional<LedgerLine> holder(
            SequenceCalls.SequenceCall call, Sequence known, ParsedText parsed, String text) {
        CounterId id = new CounterId(known.name(), parsed.period().id());
        LedgerFilter wanted = LedgerFilter.only(parsed.number());
        return LedgerCursor.rows(call, store, id, wanted).next(1).stream()
                .flatMap(row -> lines.of(known, id, row, wanted).stream())
                .filter(entry -> !entry.isAdvance()
                        && entry.text(parsed.number())
                                .filter(printed -> isMeant(known, text, printed))
                                .isPresent())
                .findFirst()
                .flatMap(entry -> find(call, known, Objects.requireNonNull(entry.key(), "An allocation has a key.")));
    }

    /**
     * Whether a typed text is a printed one, perhaps in the wrong case, with other blanks, hyphens or zeros before the
     * number, or without separators of groups.
     */
    private static boolean isMeant(Sequence known, String typed, String printed) {
        return TypedText.isLike(printed, typed)
                || known.formats().revisions().stream().anyMatch(revision -> revision.format()
                        .isRemembered(printed, typed, known.texts().context(revision)));
    }

    /**
     * Returns a page of the selected entries, in the order of periods and numbers. A page covers at most 1,000 rows, so
     * it may be empty although others follow. A read of one number sends one query for its row and one for its status.
     *
     * @param date chooses the period. If null, a filter by date, key, actor or reason reads all periods that its dates
     *     can be in, a filter by status reads all periods, and any other filter reads the period of today
     * @param position where the page starts; null for the first page
     */
    public Page<LedgerLine, LedgerPosition> read(
            SequenceName name,
            LedgerFilter wanted,
            @Nullable LocalDate date,
            @Nullable LedgerPosition position,
            int limit) {
        return ofWords(
                wanted,
                limit,
                most -> calls.at(name, call -> {
                    if (wanted.status() != null) {
                        return marked.read(call, wanted, date, position, most);
                    }
                    return wanted.isOfAllocations()
                            ? readPeriods(call, wanted, date, position, most)
                            : readPeriod(call, wanted, date, position, most);
                }));
    }

    /** Reads a page and returns its entries with the requested actor and reason. */
    private static Page<LedgerLine, LedgerPosition> ofWords(
            LedgerFilter wanted, int limit, IntFunction<Page<LedgerLine, LedgerPosition>> read) {
        if (!wanted.isOfWords()) {
            return read.apply(limit);
        }
        Page<LedgerLine, LedgerPosition> compared = read.apply(MAX_COMPARED);
        List<LedgerLine> found =
                compared.items().stream().filter(wanted::hasWords).toList();
        return within(new Page<>(found, compared.next()), limit, entry -> 1, wanted.to());
    }

    /**
     * Returns a page of the same entries as {@link #read}, farthest in the direction of the increment first, and the
     * last period first. A position is a number that does not change when more numbers are allocated. A page sends at
     * most {@value DescendingPages#MAX_REQUESTS} storage requests, so it may be empty although others follow.
     */
    public Page<LedgerLine, LedgerPosition> readNewestFirst(
            SequenceName name,
            LedgerFilter wanted,
            @Nullable LocalDate date,
            @Nullable LedgerPosition position,
            int limit) {
        return ofWords(
                wanted, limit, most -> calls.at(name, call -> descending.read(call, wanted, date, position, most)));
    }

    private Page<LedgerLine, LedgerPosition> readPeriod(
            SequenceCalls.SequenceCall call,
            LedgerFilter wanted,
            @Nullable LocalDate date,
            @Nullable LedgerPosition position,
            int limit) {
        Sequence known = call.recorded();
        LedgerPosition begin = position != null
                ? position
                : new LedgerPosition(
                        known.counter(known.fixed().day(date, time.now())).period(), wanted.from());
        CounterId id = new CounterId(known.name(), begin.period());
        return periods.read(call, known, id, wanted.from(begin.number()), limit);
    }

    /** Returns the same numbers with their current status. */
    public List<PrintedAllocation> present(SequenceName name, List<PrintedAllocation> numbers) {
        return marked.present(name, numbers);
    }

    /**
     * Reads a page of one period. The next page continues in this period, and moves to the following one after its last
     * entry.
     */
    private Page<LedgerLine, LedgerPosition> readPeriods(
            SequenceCalls.SequenceCall call,
            LedgerFilter wanted,
            @Nullable LocalDate date,
            @Nullable LedgerPosition position,
            int limit) {
        Sequence known = call.recorded();
        LedgerPosition begin = position != null ? position : start(known, wanted, date);
        LedgerPeriod period = LedgerPeriod.first(reader.from(call, known, begin.period(), 2), last(known, wanted, date))
                .orElse(null);
        if (period == null) {
            return new Page<>(List.of(), null);
        }
        long first = period.id().equals(begin.period()) ? begin.number() : wanted.from();
        Page<LedgerLine, LedgerPosition> page =
                periods.read(call, known, new CounterId(known.name(), period.id()), wanted.from(first), limit);
        return page.next() != null || period.following() == null
                ? page
                : new Page<>(page.items(), new LedgerPosition(period.following(), wanted.from()));
    }

    private static LedgerPosition start(Sequence known, LedgerFilter wanted, @Nullable LocalDate date) {
        String first = date != null ? period(known, "date", date) : period(known, "dateFrom", wanted.dateFrom());
        return new LedgerPosition(Objects.requireNonNullElse(first, ""), wanted.from());
    }

    private static @Nullable String last(Sequence known, LedgerFilter wanted, @Nullable LocalDate date) {
        return date != null ? period(known, "date", date) : period(known, "dateTo", wanted.dateTo());
    }

    private static @Nullable String period(Sequence known, String field, @Nullable LocalDate date) {
        return date == null ? null : known.counter(field, date).period();
    }
}
