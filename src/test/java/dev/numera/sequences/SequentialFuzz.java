package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.Format;
import dev.numera.core.format.ParsedText;
import dev.numera.core.format.Period;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.access.SequenceHistory;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.CheckedPage;
import dev.numera.sequences.ledger.LedgerGap;
import dev.numera.sequences.ledger.LedgerPosition;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Calls three instances over one unreliable table, one after another, with every operation of a sequence, and checks
 * each answer against all earlier ones. The simulation covers calls that wait together. This fuzzer covers remembered
 * state: definitions, texts, blocks and keys.
 */
public final class SequentialFuzz {
    private static final Set<LedgerGap.Kind> EXPLAINED =
            EnumSet.of(LedgerGap.Kind.ADVANCED, LedgerGap.Kind.UNIMPORTED, LedgerGap.Kind.UNRECORDED);

    private static final int INSTANCES = 3;
    private static final int SEQUENCES = 4;
    private static final int CALLS_A_SEQUENCE = 300;
    /** The texts to read back. Each takes up to 28 years of days. */
    private static final int TEXTS_READ_BACK = 5;

    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final TestLimits LIMITS = TestLimits.DEFAULT
            .withMaxAttempts(20)
            .withDeadline(Duration.ofSeconds(5))
            .withMaxWaitingCalls(10);
    private static final String[] FORMATS = {
        null,
        null,
        "{n}",
        "{n:4}",
        "{r:4}",
        "1{n:3}",
        "INV-{n:5}",
        "{n:3}{check:luhn}",
        "{n:3}{check:mod37-36}",
        "{yyyy}-{n:4}",
        "{yyyy}{MM}{n:3}",
        "{yyyy}{MM}{dd}-{n}",
        "{yy}{n:2}",
        "{fy}/{n}",
        "{fy:2}/{n:3}",
        "{fy:2-2}/{n}",
        "{n:2}-1"
    };

    /** The problems allowed when storage fails or the request does not fit; never that a table was restored. */
    private static final Set<ProblemType> EXPECTED = EnumSet.complementOf(EnumSet.of(
            ProblemType.ROLLED_BACK,
            ProblemType.MISCONFIGURED,
            ProblemType.NEEDS_NEWER_VERSION,
            ProblemType.OVERLOADED));

    /** The clock of all instances, which advance together although some are wrong. */
    private final TestClock time = TestClock.alone(TODAY.atTime(12, 0).toInstant(ZoneOffset.UTC));

    private final Random random;
    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final UnreliableTable table;
    private final List<Sequences> instances = new ArrayList<>();
    private final List<SequenceHistory> sequences = new ArrayList<>();
    private int begun;
    private int allocations;
    private int imports;

    public SequentialFuzz(long seed) {
        this.random = new Random(seed);
        this.table = new UnreliableTable(memory, random, this::written);
        for (int instance = 0; instance < INSTANCES; instance++) {
            instances.add(instance());
        }
    }

    private Sequences instance() {
        Clock clock = time.ahead(any(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(50), Duration.ofHours(-2)));
        return TestSequences.over(table.stores())
                .with(LIMITS)
                .with(clock)
                .with(random::nextDouble, Runnable::run)
                .start();
    }

    /**
     * Plays until a number of allocations were made.
     *
     * @throws AssertionError if an answer contradicts an earlier one
     */
    public void run(int wanted) {
        while (allocations < wanted) {
            while (sequences.size() < SEQUENCES) {
                begun++;
                sequences.add(new SequenceHistory(new SequenceName("fuzz", "s" + begun)));
            }
            table.setFaults(any(0.0, 0.05, 0.2));
            for (int call = 0; call < CALLS_A_SEQUENCE; call++) {
                step(sequences.get(random.nextInt(sequences.size())));
            }
            close(sequences.remove(0));
        }
    }

    private void step(SequenceHistory sequence) {
        time.pass(Duration.ofNanos(
                any(1_000_000L, 1_000_000L, 1_000_000L, 400_000_000L, random.nextInt(40) == 0 ? 31_000_000_000L : 0L)));
        if (random.nextInt(300) == 0) {
            instances.set(random.nextInt(INSTANCES), instance());
        }
        Sequences instance = instances.get(random.nextInt(INSTANCES));
        try {
            act(sequence, instance);
        } catch (ProblemException e) {
            assertTrue(
                    EXPECTED.contains(e.type()),
                    () -> sequence.name() + " answered " + e.type() + ": " + e.getMessage());
        }
    }

    private void act(SequenceHistory sequence, Sequences instance) {
        SequenceName name = sequence.name();
        if (sequence.isBeforeItsFirstNumber() && random.nextInt(4) > 0) {
            prepare(sequence, instance);
            return;
        }
        switch (random.nextInt(100)) {
            case 0, 1 -> define(sequence, instance);
            case 2 -> instance.lifecycle().retire(name, Precondition.PRESENT, ChangeNote.NONE);
            case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 -> revive(name, instance);
            case 13, 14, 15 -> instance.moves().advance(name, random.nextInt(2_000) - 500, date(), ChangeNote.NONE);
            case 16, 17, 18 -> instance.states().state(name, date());
            case 19 -> instance.editor().get(name);
            case 20 -> replay(sequence, instance);
            case 21, 22 -> setStatus(sequence, instance);
            case 23, 24, 25, 26 -> importNumbers(sequence, instance);
            default -> next(sequence, instance);
        }
    }

    /** Lets instances read definitions that are not in use yet. */
    private void prepare(SequenceHistory sequence, Sequences instance) {
        if (memory.find(sequence.name()).isEmpty() || random.nextInt(3) == 0) {
            define(sequence, instance);
        } else {
            instance.states().state(sequence.name(), date());
        }
    }

    private void next(SequenceHistory sequence, Sequences instance) {
        String key = random.nextBoolean() ? null : "key-" + random.nextInt(60);
        int count = key == null ? any(1, 1, 1, 3) : 1 + key.length() % 2;
        LocalDate date = date();
        Instant sentAt = time.now();
        boolean isReserved = key != null && random.nextInt(3) == 0;
        CallResult<PrintedAllocation> numbered = instance.allocator()
                .next(sequence.name(), List.of(new NumberRequest(key, count, date, isReserved)), sentAt);
        PrintedAllocation allocated = numbered.results().get(0).orThrow();
        allocations++;
        sequence.got(
                key,
                count,
                date == null ? raised(sequence.name(), LocalDate.ofInstant(sentAt, ZoneOffset.UTC), allocated) : date,
                allocated,
                !allocated.replayed(),
                time.nanoTime());
    }

    /**
     * Returns the date that a call without one received. If dates are ordered, the app may have raised it by a day,
     * under the present definition or an earlier one that the instance may still use.
     */
    private LocalDate raised(SequenceName name, LocalDate date, PrintedAllocation allocated) {
        Definition definition = memory.find(name).orElseThrow().definition();
        Period period = Period.of(
                date, definition.fixed().resetEvery(), definition.fixed().fiscalYearStart());
        return memory.read(new CounterId(name, period.id()))
                .map(counter -> counter.value().lastDate())
                .filter(last ->
                        last.equals(date.plusDays(1)) && (definition.isDateOrdered() || last.equals(allocated.date())))
                .orElse(date);
    }

    /** Imports some numbers of another system, known ones among them, and sometimes delivers them twice. */
    private void importNumbers(SequenceHistory sequence, Sequences instance) {
        Sequence stored = memory.find(sequence.name()).orElse(null);
        List<ImportedNumber> rows = new ArrayList<>();
        long first = random.nextInt(400) - 100;
        LocalDate date = date();
        for (int row = random.nextInt(8); row >= 0; row--) {
            first += any(1, 1, 1, 2, 5, 30);
            rows.add(importedNumber(stored, first, date));
        }
        imports++;
        Change note = Change.imported("import-" + imports, TODAY.atStartOfDay().toInstant(ZoneOffset.UTC), "Anna");
        List<Result<PrintedAllocation>> results = instance.imports().importNumbers(sequence.name(), rows, note);
        for (int row = 0; row < rows.size(); row++) {
            if (!results.get(row).isRefused()) {
                imported(sequence, rows.get(row), results.get(row).orThrow());
            }
        }
        if (random.nextBoolean()) {
            List<Result<PrintedAllocation>> again = instance.imports().importNumbers(sequence.name(), rows, note);
            assertEquals(outcomes(results), outcomes(again), () -> sequence.name() + " " + rows);
        }
    }

    private ImportedNumber importedNumber(Sequence stored, long number, LocalDate date) {
        String key = random.nextInt(8) == 0 ? "key-" + (10 + random.nextInt(50)) : "old-" + (10 + random.nextInt(60));
        Status.Kind status =
                any(Status.Kind.ISSUED, Status.Kind.ISSUED, Status.Kind.ISSUED, Status.Kind.RESERVED, Status.Kind.VOID);
        String reason = status == Status.Kind.VOID ? "misprint" : null;
        boolean isByText = stored != null
                && stored.definition().format() != null
                && date != null
                && stored.definition().series().contains(number)
                && random.nextBoolean();
        return isByText
                ? new ImportedNumber(
                        key,
                        null,
                        Format.compile(stored.definition().format())
                                .text(stored.definition().formatContext(stored.name()), date, number),
                        date,
                        status,
                        reason)
                : new ImportedNumber(key, number, null, date, status, reason);
    }

    private void imported(SequenceHistory sequence, ImportedNumber row, PrintedAllocation printed) {
        assertTrue(row.number() == null || row.number() == printed.first(), row::toString);
        LocalDate today = LocalDate.ofInstant(time.now(), ZoneOffset.UTC);
        boolean isKnown = sequence.keys().contains(row.key());
        assertTrue(!isKnown || printed.replayed(), () -> row + " was allocated before");
        if (row.text() == null) {
            sequence.got(row.key(), 1, row.date() == null ? today : row.date(), printed, false, time.nanoTime());
        } else {
            // A key that got its number before the sequence had a format keeps the number without a text.
            assertTrue(isKnown || printed.texts() != null, row::toString);
            assertEquals(printed.texts() == null ? null : List.of(row.text()), printed.texts());
            sequence.gotByText(row.key(), row.date(), printed);
        }
        if (row.status() == Status.Kind.VOID) {
            sequence.voided(row.key());
        }
    }

    private static List<Object> outcomes(List<Result<PrintedAllocation>> results) {
        return results.stream()
                .map(result -> result.isRefused() ? (Object) "refused" : result.orThrow())
                .toList();
    }

    private void replay(SequenceHistory sequence, Sequences instance) {
        for (String key : sequence.keys().stream().limit(3).toList()) {
            PrintedAllocation allocated = instance.allocator()
                    .next(sequence.name(), List.of(new NumberRequest(key, 1 + key.length() % 2, null)))
                    .results()
                    .get(0)
                    .orThrow();
            sequence.got(key, allocated.count(), null, allocated, false, time.nanoTime());
        }
    }

    /** Changes the status of a key, which never changes its numbers and texts. */
    private void setStatus(SequenceHistory sequence, Sequences instance) {
        for (String key : sequence.keys().stream().limit(1).toList()) {
            boolean isVoided = random.nextInt(3) == 0;
            PrintedAllocation said = isVoided
                    ? UnsentStatusChanges.makeVoid(
                            instance.statusChanges(), sequence.name(), key, any("lost", "returned"), null)
                    : UnsentStatusChanges.issue(instance.statusChanges(), sequence.name(), key, "Anna");
            sequence.got(key, said.count(), null, said, false, time.nanoTime());
            if (isVoided) {
                sequence.voided(key);
            }
        }
    }

    private void define(SequenceHistory sequence, Sequences instance) {
        SequenceName name = sequence.name();
        Sequence before = memory.find(name).orElse(null);
        Precondition precondition = before == null || random.nextInt(5) == 0
                ? Precondition.ABSENT
                : any(Precondition.PRESENT, Precondition.tagged(Set.of(before.tag())));
        DefinitionDraft draft = before == null || random.nextInt(3) == 0 ? anyDraft() : like(before.definition());
        if (precondition.isAbsence() || random.nextBoolean()) {
            instance.editor().put(name, draft, precondition, ChangeNote.NONE);
        } else {
            instance.editor().patch(name, draft, precondition, ChangeNote.NONE);
        }
    }

    private void revive(SequenceName name, Sequences instance) {
        Sequence before = memory.find(name).orElse(null);
        if (before != null && before.isRetired()) {
            instance.editor().put(name, like(before.definition()), Precondition.ABSENT, ChangeNote.NONE);
        }
    }

    private DefinitionDraft anyDraft() {
        Long increment = any(null, null, 1L, 3L, -1L, -2L);
        Long max = any(null, null, 40L, 999L, 9_999L);
        return DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, any(null, Guarantee.STRICT, Guarantee.GAPLESS, Guarantee.CACHED))
                .with(DefinitionField.START, any(null, null, 1L, 7L, 30L))
                .with(DefinitionField.INCREMENT, increment)
                .with(DefinitionField.MIN_VALUE, increment != null && increment < 0 ? any(-50L, -500L, 1L) : null)
                .with(DefinitionField.MAX_VALUE, max)
                .with(DefinitionField.CYCLE, random.nextInt(20) == 0 ? true : null)
                .with(DefinitionField.CACHE_SIZE, any(null, 1, 4, 20))
                .with(DefinitionField.FORMAT, any(FORMATS))
                .with(
                        DefinitionField.RESET_EVERY,
                        any(null, null, null, ResetEvery.YEAR, ResetEvery.MONTH, ResetEvery.DAY))
                .with(DefinitionField.TIME_ZONE, "UTC")
                .with(DefinitionField.FISCAL_YEAR_START, any(null, null, YearStart.ofMonth(4), new YearStart(4, 6)))
                .with(DefinitionField.DATE_ORDER, random.nextInt(4) == 0 ? DateOrder.ASCENDING : null);
    }

    /** Returns a definition with changes that the owner may make at any time. */
    private DefinitionDraft like(Definition old) {
        return any(DefinitionDraft.EMPTY, DefinitionDraft.of(old))
                .with(DefinitionField.TIME_ZONE, "UTC")
                .with(
                        DefinitionField.MIN_VALUE,
                        random.nextInt(4) == 0 ? Long.valueOf(old.minValue() - random.nextInt(50)) : old.minValue())
                .with(
                        DefinitionField.MAX_VALUE,
                        random.nextInt(3) == 0 ? Long.valueOf(old.maxValue() + random.nextInt(3_000)) : old.maxValue())
                .with(DefinitionField.CACHE_SIZE, any(old.cacheSize(), 2, 9))
                .with(DefinitionField.DATE_ORDER, random.nextInt(20) == 0 ? any(DateOrder.values()) : old.dateOrder())
                .with(DefinitionField.FORMAT, random.nextBoolean() ? any(FORMATS) : old.format());
    }

    private LocalDate date() {
        return any(
                null,
                null,
                null,
                TODAY,
                TODAY.plusDays(1),
                TODAY.minusDays(40),
                TODAY.minusYears(1),
                TODAY.minusYears(100));
    }

    /** Records the stored definition, read from the table itself. */
    private void written(SequenceName name) {
        sequences.stream()
                .filter(sequence -> sequence.name().equals(name))
                .findFirst()
                .ifPresent(sequence -> memory.find(name).ifPresent(stored -> sequence.stored(stored, time.nanoTime())));
    }

    /**
     * Requires that the change log explains the definition, even if writes were lost or repeated: every value that a
     * field received was replaced later, except the present one. The clocks of the instances differ, so the order of
     * the changes may differ from the order of the writes.
     */
    private void requireChangesExplainTheDefinition(SequenceName name) {
        Map<String, Integer> came = new HashMap<>();
        DefinitionField.ALL.forEach(field -> came.merge(
                field + " " + shown(field.of(memory.find(name).orElseThrow().definition())), -1, Integer::sum));
        for (Result<Change> stored :
                memory.changesFrom(name, null, Integer.MAX_VALUE).items()) {
            Change change = stored.orThrow();
            boolean isFirst = change.kind() == Change.Kind.CREATED;
            if (isFirst) {
                DefinitionField.ALL.forEach(field -> came.merge(field + " null", 1, Integer::sum));
            }
            for (Change.FieldChange field : change.fields()) {
                came.merge(field.field() + " " + field.before(), -1, Integer::sum);
                came.merge(field.field() + " " + field.after(), 1, Integer::sum);
            }
        }
        came.values().removeIf(often -> often == 0);
        assertEquals(Map.of(), came, name::toString);
    }

    /** Requires that dates are in order. The order can only be switched on before the first number. */
    private void requireDatesInOrder(SequenceName name) {
        Definition definition = memory.find(name).orElseThrow().definition();
        if (!definition.isDateOrdered() || definition.fixed().cycle()) {
            return;
        }
        for (String period : memory.counters(name).keySet()) {
            List<LocalDate> dates = new ArrayList<>();
            memory.rowsFrom(new CounterId(name, period), Long.MIN_VALUE, Integer.MAX_VALUE).stream()
                    .sorted(Comparator.comparing(
                            row -> Math.abs(row.first() - definition.fixed().start())))
                    .flatMap(row -> row.allocations().stream())
                    .filter(allocation -> allocation.importId() == null)
                    .forEach(allocation -> dates.add(allocation.date()));
            assertEquals(dates.stream().sorted().toList(), dates, () -> name + " " + period);
        }
    }

    private static Object shown(Object value) {
        return value instanceof Enum<?> constant ? EnumWord.of(constant) : value;
    }

    /** Ends a sequence. After all faults, every instance finds every key, text and number as answered. */
    private void close(SequenceHistory sequence) {
        table.setFaults(0);
        sequences.add(sequence);
        table.settle();
        sequences.remove(sequence);
        time.pass(Duration.ofMinutes(1));
        if (memory.find(sequence.name()).isEmpty()) {
            assertTrue(sequence.keys().isEmpty() && sequence.periodsByText().isEmpty(), "numbers without a definition");
            return;
        }
        requireChangesExplainTheDefinition(sequence.name());
        requireDatesInOrder(sequence.name());
        for (Sequences instance : List.of(instances.get(0), instance())) {
            for (String key : sequence.keys()) {
                boolean isVoid = instance.ledger()
                        .find(sequence.name(), key)
                        .orElseThrow()
                        .status()
                        .isVoid();
                assertTrue(isVoid || !sequence.isVoided(key), () -> key + " was reported as voided");
                if (isVoid) {
                    requireNone(sequence, instance, key);
                    continue;
                }
                PrintedAllocation allocated = instance.allocator()
                        .next(sequence.name(), List.of(new NumberRequest(key, 1 + key.length() % 2, null)))
                        .results()
                        .get(0)
                        .orThrow();
                assertTrue(allocated.replayed(), key);
                sequence.got(key, allocated.count(), null, allocated, false, time.nanoTime());
                assertEquals(
                        allocated.first(),
                        instance.ledger()
                                .find(sequence.name(), key)
                                .orElseThrow()
                                .first());
            }
        }
        Definition definition = memory.find(sequence.name()).orElseThrow().definition();
        if (definition.fixed().takesKeys()) {
            requireAccounted(sequence.name());
        }
        if (!definition.fixed().cycle()) {
            sequence.periodsByText().entrySet().stream()
                    .limit(TEXTS_READ_BACK)
                    .forEach(entry -> assertEquals(
                            new ParsedText(sequence.number(entry.getKey()), new Period(entry.getValue())),
                            instances.get(1).ledger().parse(sequence.name(), entry.getKey()),
                            entry.getKey()));
        }
        if (definition.fixed().guarantee() == Guarantee.GAPLESS) {
            memory.counters(sequence.name())
                    .forEach((period, state) -> requireGapless(sequence, definition, period, state.next()));
        }
    }

    /** Requires that the check reports no number twice, and no gap without an explanation. */
    private void requireAccounted(SequenceName name) {
        LedgerPosition position = null;
        do {
            CheckedPage<LedgerPosition> page = instances
                    .get(2)
                    .ledgerCheck()
                    .check(name, -Series.LARGEST_VALUE, Series.LARGEST_VALUE, null, null, position);
            page.gaps().forEach(gap -> assertTrue(EXPLAINED.contains(gap.kind()), () -> name + " has the gap " + gap));
            position = page.next();
        } while (position != null);
    }

    private static void requireNone(SequenceHistory sequence, Sequences instance, String key) {
        Result<PrintedAllocation> result = instance.allocator()
                .next(sequence.name(), List.of(new NumberRequest(key, 1 + key.length() % 2, null)))
                .results()
                .get(0);
        assertEquals(ProblemType.KEY_VOID, result.refusal().type(), key);
    }

    private void requireGapless(SequenceHistory sequence, Definition definition, String period, long next) {
        Set<Long> accounted = new HashSet<>();
        for (LedgerRow row :
                memory.rowsFrom(new CounterId(sequence.name(), period), Long.MIN_VALUE, Integer.MAX_VALUE)) {
            LongStream.iterate(
                            row.first(),
                            number -> definition.fixed().increment() > 0 ? number <= row.last() : number >= row.last(),
                            number -> number + definition.fixed().increment())
                    .forEach(number -> assertTrue(accounted.add(number), "twice in the ledger"));
        }
        Set<Long> expected = new HashSet<>();
        LongStream.iterate(
                        definition.fixed().start(),
                        number -> definition.fixed().increment() > 0 ? number < next : number > next,
                        number -> number + definition.fixed().increment())
                .forEach(expected::add);
        long start = definition.fixed().start();
        assertTrue(accounted.containsAll(sequence.numbers(period)), "answered, but not in the ledger");
        accounted.removeIf(number -> definition.series().isBefore(number, start));
        assertEquals(expected, accounted, sequence.name() + " " + period);
    }

    @SafeVarargs
    private <T> T any(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
