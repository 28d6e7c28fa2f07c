package dev.numera.core.counter;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.Revision;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A definition as one instance has read it. The copy may be out of date until the instance reads the definition's row
 * again.
 */
final class StaleDefinition implements DefinitionSource {
    /** The number of reads of the definition. */
    int reads;

    private final MemoryCounterStore table;
    private final SequenceName name;
    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private Sequence kept;

    StaleDefinition(MemoryCounterStore table, SequenceName name) {
        this.table = table;
        this.name = name;
    }

    /** Returns a definition that is in use. */
    static Sequence of(Guarantee guarantee, Series series) {
        return Defined.stored(new SequenceName("a", "b"), definition(guarantee, series), true, null, "d1");
    }

    static Sequence unused(Sequence sequence) {
        return Defined.stored(sequence.name(), sequence.definition(), false, sequence.retiredAt(), sequence.version());
    }

    /** Returns the same definition with ascending dates. */
    static Sequence ordered(Sequence sequence) {
        return changed(sequence, Defined.ordered(sequence.definition(), DateOrder.ASCENDING), sequence.formats());
    }

    /** Returns the same definition with a format that shows two digits of the year. */
    static Sequence withTwoDigits(Sequence sequence) {
        Definition plain = sequence.definition();
        String format = "{yy}/{n}";
        Definition formatted =
                new Definition(plain.fixed(), plain.minValue(), plain.maxValue(), plain.cacheSize(), format);
        Revision revision = new Revision(format, plain.minValue(), plain.maxValue(), plain.maxValue());
        return changed(sequence, formatted, new FormatHistory(List.of(revision), 1));
    }

    private static Sequence changed(Sequence sequence, Definition definition, FormatHistory formats) {
        return Defined.stored(
                sequence.name(),
                sequence.id(),
                definition,
                formats,
                sequence.isInUse(),
                sequence.retiredAt(),
                sequence.version());
    }

    static FixedFields fixed(Guarantee guarantee, Series series) {
        return definition(guarantee, series).fixed();
    }

    static Definition definition(Guarantee guarantee, Series series) {
        return Defined.definition(guarantee, series, ResetEvery.NEVER);
    }

    /** Makes the next read of the definition that is not yet scripted fail. */
    void failOnce(RuntimeException failure) {
        failures.add(failure);
    }

    @Override
    public Sequence current() {
        return kept == null ? reloaded() : kept;
    }

    @Override
    public Sequence reloaded() {
        reads++;
        if (!failures.isEmpty()) {
            throw failures.remove();
        }
        kept = table.find(name).orElseThrow();
        return kept;
    }

    @Override
    public Sequence markable() {
        return current().version() == null ? reloaded() : kept;
    }

    /**
     * Keeps the definition without a version: the answer to the write that marks it reports only the version of the
     * counter.
     */
    @Override
    public void marked(Sequence definition) {
        if (kept != null && definition.version().equals(kept.version())) {
            kept = kept.inUse().at(null);
        }
    }
}
