package dev.numera.sequence;

import dev.numera.counter.CounterId;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Waiters;
import dev.numera.format.ParsedText;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who got which number. Thread-safe; calls block for storage requests and throw
 * {@link dev.numera.counter.StoreFailure}.
 */
public final class Ledger {
    private static final int ROWS_AT_ONCE = 100;
    /** A page ends after this many numbers: each of them may have a text. */
    private static final int MAX_NUMBERS_PER_PAGE = 20_000;

    /**
     * An allocation, or a range that was advanced over: then key, texts and date are null and count is 0.
     *
     * @param first the first number in the direction of the series; the last one may be smaller
     */
    public record Entry(
            @Nullable String key,
            long first,
            long last,
            int count,
            @Nullable List<String> texts,
            String period,
            @Nullable LocalDate date,
            Instant allocatedAt) {
        public boolean isAdvance() {
            return key == null;
        }

        private boolean reaches(long from, long to) {
            return Math.max(first, last) >= from && Math.min(first, last) <= to;
        }
    }

    /** @param nextFrom where the next page begins; null on the last page */
    public record Page(List<Entry> entries, @Nullable Long nextFrom) {}

    private final Definitions definitions;
    private final LedgerStore store;
    private final Numbering numbering;
    private final TextParser texts;
    private final Waiters waiters;
    private final Retries retries;

    Ledger(
            Definitions definitions,
            LedgerStore store,
            Numbering numbering,
            TextParser texts,
            Waiters waiters,
            Retries retries) {
        this.texts = texts;
        this.retries = retries;
        this.waiters = waiters;
        this.definitions = definitions;
        this.store = store;
        this.numbering = numbering;
    }

    /** The entry under a key, in whatever period it is. */
    public Optional<Entry> find(SequenceName name, String key) {
        return waiters.count(name, () -> {
            KnownDefinition known = retries.call(() -> definitions.get(name));
            return retries.call(() -> store.findKey(name, key)).map(allocation -> entry(known, allocation));
        });
    }

    /** The entry that has a text, in the period that the text tells; none for a text that was given to nobody. */
    public Optional<Entry> findText(SequenceName name, String text) {
        return waiters.count(name, () -> {
            KnownDefinition known = retries.call(() -> definitions.get(name));
            return parsed(known, text).flatMap(parsed -> holder(known, parsed, text));
        });
    }

    private Optional<ParsedText> parsed(KnownDefinition known, String text) {
        try {
            return Optional.of(texts.parse(known, text));
        } catch (ProblemException e) {
            if (e.type() == ProblemType.TEXT_UNREADABLE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Whoever has the number, unless it was given under another format and so with another text. */
    private Optional<Entry> holder(KnownDefinition known, ParsedText parsed, String text) {
        CounterId id = new CounterId(known.name(), parsed.period().id());
        return rowsFrom(id, parsed.number(), 1).stream()
                .flatMap(row -> entries(known, id, row).stream())
                .filter(entry -> !entry.isAdvance() && entry.reaches(parsed.number(), parsed.number()))
                .filter(entry -> entry.texts() == null || entry.texts().contains(text))
                .findFirst();
    }

    /**
     * The entries that reach from {@code from} to {@code to}, in the order of numbers. For one number it is one query
     * for one row.
     *
     * @param date chooses the period; null for today
     */
    public Page read(SequenceName name, long from, long to, @Nullable LocalDate date, int limit) {
        return waiters.count(name, () -> read(retries.call(() -> definitions.get(name)), from, to, date, limit));
    }

    private Page read(KnownDefinition known, long from, long to, @Nullable LocalDate date, int limit) {
        CounterId id = numbering.counterId(known, date);
        List<Entry> entries = new ArrayList<>();
        long next = from;
        int wanted = from == to ? 1 : Math.min(limit, ROWS_AT_ONCE);
        List<LedgerStore.Row> rows;
        do {
            rows = rowsFrom(id, next, wanted);
            for (LedgerStore.Row row : rows) {
                for (Entry entry : entries(known, id, row)) {
                    if (entry.reaches(from, to)) {
                        if (isFull(entries, limit)) {
                            return new Page(entries, Math.max(from, Math.min(entry.first(), entry.last())));
                        }
                        entries.add(entry);
                    }
                }
                next = row.following();
            }
        } while (rows.size() == wanted && next <= to);
        return new Page(entries, null);
    }

    private List<LedgerStore.Row> rowsFrom(CounterId id, long number, int limit) {
        return retries.call(() -> store.rowsFrom(id, number, limit));
    }

    private static boolean isFull(List<Entry> entries, int limit) {
        return entries.size() >= limit
                || entries.stream().mapToLong(Entry::count).sum() >= MAX_NUMBERS_PER_PAGE;
    }

    private List<Entry> entries(KnownDefinition known, CounterId id, LedgerStore.Row row) {
        if (row.isAdvance()) {
            return List.of(new Entry(null, row.first(), row.last(), 0, null, id.period(), null, row.allocatedAt()));
        }
        List<Entry> entries = new ArrayList<>(row.allocations().stream()
                .map(allocation -> entry(known, allocation))
                .toList());
        if (known.definition().fixed().increment() < 0) {
            Collections.reverse(entries);
        }
        return entries;
    }

    private Entry entry(KnownDefinition known, Outcome.Allocation allocation) {
        Numbers numbers = numbering.numbers(known, allocation);
        return new Entry(
                numbers.key(),
                numbers.first(),
                numbers.last(),
                numbers.count(),
                numbers.texts(),
                allocation.period(),
                allocation.date(),
                allocation.allocatedAt());
    }
}
