package dev.numera.sequences.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.format.Format;
import dev.numera.core.format.Period;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Records all answers about one sequence, and checks that they are consistent. Not thread-safe. */
public final class SequenceHistory {
    /** The time for which other instances may use an old definition. */
    private static final Duration BEHIND = Duration.ofSeconds(30);

    /** A definition and the time at which it was stored. */
    private record StoredDefinition(long fromNanos, Sequence definition) {}

    /** A number of a period. */
    private record PeriodNumber(String period, long number) {}

    /** The first answer to a key. */
    private record KeyNumbers(long first, long last, List<String> texts) {}

    private final SequenceName name;
    private final List<StoredDefinition> definitions = new ArrayList<>();
    private final Set<PeriodNumber> numbers = new HashSet<>();
    private final Map<String, PeriodNumber> texts = new HashMap<>();
    private final Map<String, KeyNumbers> keys = new HashMap<>();
    private final Map<String, Long> latest = new HashMap<>();
    private final Set<String> voided = new HashSet<>();
    private FixedFields obeyed;

    public SequenceHistory(SequenceName name) {
        this.name = name;
    }

    public SequenceName name() {
        return name;
    }

    public boolean isBeforeItsFirstNumber() {
        return obeyed == null;
    }

    public Set<String> keys() {
        return keys.keySet();
    }

    /** Records an answer that the numbers of the key are void. */
    public void voided(String key) {
        voided.add(key);
    }

    public boolean isVoided(String key) {
        return voided.contains(key);
    }

    public Map<String, String> periodsByText() {
        Map<String, String> periods = new HashMap<>();
        texts.forEach((text, allocated) -> periods.put(text, allocated.period()));
        return periods;
    }

    public long number(String text) {
        return texts.get(text).number();
    }

    public Set<Long> numbers(String period) {
        Set<Long> ofPeriod = new HashSet<>();
        numbers.stream()
                .filter(allocated -> allocated.period().equals(period))
                .forEach(allocated -> ofPeriod.add(allocated.number()));
        return ofPeriod;
    }

    /** Records that this definition is stored from now on. */
    public void stored(Sequence definition, long nowNanos) {
        Sequence before = definitions.isEmpty() ? null : present();
        if (before == null || !before.tag().equals(definition.tag()) || before.isInUse() != definition.isInUse()) {
            definitions.add(new StoredDefinition(nowNanos, definition));
        }
        if (definition.isInUse() && obeyed != null) {
            FixedFields fixed = definition.definition().fixed();
            FixedFields allowed = obeyed.timeZone() == null ? zoned(obeyed, fixed.timeZone()) : obeyed;
            assertEquals(allowed, fixed, name + ": the fixed fields changed after a number");
            obeyed = fixed;
        }
    }

    /** Returns the fields with a time zone, which may be set once if it was never stated. */
    private static FixedFields zoned(FixedFields fixed, ZoneId zone) {
        return new FixedFields(
                fixed.guarantee(),
                fixed.start(),
                fixed.increment(),
                fixed.cycle(),
                fixed.resetEvery(),
                zone,
                fixed.fiscalYearStart());
    }

    /** Records the answer to a call for one allocation, and checks it. */
    public void got(
            String key, int count, LocalDate date, PrintedAllocation allocated, boolean isNewest, long nowNanos) {
        if (key != null && keys.containsKey(key)) {
            assertEquals(
                    keys.get(key),
                    new KeyNumbers(allocated.first(), allocated.last(), allocated.texts()),
                    name + ", key " + key);
            return;
        }
        if (obeyed == null) {
            assertTrue(present().isInUse(), name + " allocated a number by a definition that is not in use");
            obeyed = present().definition().fixed();
        }
        List<String> why = new ArrayList<>();
        Definition definition = definitions.stream()
                .filter(stored -> until(stored) >= nowNanos - BEHIND.toNanos())
                .map(StoredDefinition::definition)
                .filter(stored ->
                        zoned(stored.definition().fixed(), obeyed.timeZone()).equals(obeyed))
                .filter(stored -> obeys(allocated, key, count, date, stored, why))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        name + " allocated " + allocated + " for " + date + ", against each definition: " + why))
                .definition();
        String period = Period.of(
                        date,
                        definition.fixed().resetEvery(),
                        definition.fixed().fiscalYearStart())
                .id();
        remember(key, count, allocated, period, definition);
        if (definition.fixed().guarantee() != Guarantee.CACHED
                && !definition.fixed().cycle()
                && isNewest) {
            requireOrder(period, allocated, definition.fixed().increment());
        }
    }

    /** Records a number that was imported by its text, in any format that the sequence ever had. */
    public void gotByText(String key, LocalDate date, PrintedAllocation allocated) {
        if (keys.containsKey(key)) {
            assertEquals(
                    keys.get(key),
                    new KeyNumbers(allocated.first(), allocated.last(), allocated.texts()),
                    name + ", key " + key);
            return;
        }
        assertTrue(present().isInUse(), name + " took a number over by a definition that is not in use");
        Definition definition = present().definition();
        obeyed = definition.fixed();
        String period = Period.of(
                        date,
                        definition.fixed().resetEvery(),
                        definition.fixed().fiscalYearStart())
                .id();
        remember(key, 1, allocated, period, definition);
    }

    private Sequence present() {
        return definitions.get(definitions.size() - 1).definition();
    }

    private long until(StoredDefinition stored) {
        int next = definitions.indexOf(stored) + 1;
        return next == definitions.size()
                ? Long.MAX_VALUE
                : definitions.get(next).fromNanos();
    }

    private boolean obeys(
            PrintedAllocation allocated, String key, int count, LocalDate date, Sequence stored, List<String> why) {
        Definition definition = stored.definition();
        boolean isInSeries = definition.fixed().cycle()
                || (allocated.first() - definition.fixed().start())
                                % definition.fixed().increment()
                        == 0;
        boolean isInRange = definition.series().contains(allocated.first())
                && definition.series().contains(allocated.last());
        boolean isCounted = allocated.increment() == definition.fixed().increment()
                && allocated.count() == count
                && allocated.last()
                        == allocated.first() + (count - 1) * definition.fixed().increment();
        boolean isKeyed = key == null
                ? definition.fixed().guarantee() != Guarantee.GAPLESS
                : definition.fixed().takesKeys();
        List<String> expected = expectedTexts(stored, date, allocated);
        boolean isWritten = Objects.equals(expected, allocated.texts());
        why.add(definition + " series " + isInSeries + " range " + isInRange + " count " + isCounted + " key " + isKeyed
                + " texts " + expected);
        return isInSeries && isInRange && isCounted && isKeyed && isWritten;
    }

    private List<String> expectedTexts(Sequence stored, LocalDate date, PrintedAllocation allocated) {
        Definition definition = stored.definition();
        String template =
                definition.format() != null || !definition.exceedsExactNumbers() ? definition.format() : "{n}";
        if (template == null) {
            return null;
        }
        List<String> expected = new ArrayList<>();
        for (long number = allocated.first(), left = allocated.count();
                left > 0;
                number += definition.fixed().increment(), left--) {
            if (!definition.series().contains(number)) {
                return List.of("out of range");
            }
            expected.add(Format.compile(template).text(definition.formatContext(name), date, number));
        }
        return expected;
    }

    private void remember(String key, int count, PrintedAllocation allocated, String period, Definition definition) {
        for (int i = 0; i < count; i++) {
            PeriodNumber one = new PeriodNumber(
                    period, allocated.first() + i * definition.fixed().increment());
            assertTrue(numbers.add(one) || definition.fixed().cycle(), () -> name + " allocated " + one + " twice");
            // Without a format, the text is the number itself, in every period.
            if (allocated.texts() != null
                    && (definition.format() != null || definition.fixed().resetEvery() == ResetEvery.NEVER)) {
                PeriodNumber earlier = texts.put(allocated.texts().get(i), one);
                if (!definition.fixed().cycle()) {
                    assertNull(
                            earlier,
                            name + " printed the text " + allocated.texts().get(i) + " to " + earlier + " and to "
                                    + one);
                }
            }
        }
        if (key != null) {
            keys.put(key, new KeyNumbers(allocated.first(), allocated.last(), allocated.texts()));
        }
    }

    private void requireOrder(String period, PrintedAllocation allocated, long increment) {
        Long before = latest.put(period, allocated.last());
        assertTrue(
                before == null || (increment > 0 ? allocated.first() > before : allocated.first() < before),
                () -> name + ", period " + period + ": " + allocated.first() + " came after " + before);
    }
}
