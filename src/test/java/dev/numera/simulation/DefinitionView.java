package dev.numera.simulation;

import dev.numera.contract.Defined;
import dev.numera.contract.GivenTerms;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Terms;

/**
 * The definition as one instance knows it: it keeps what it read until something makes it read again, or it feels like
 * it.
 */
final class DefinitionView implements Terms.Source {
    private static final double EXPIRED = 0.15;

    private final SequenceName name;
    private final Stage stage;
    private final FaultyStore way;
    private Terms kept;

    DefinitionView(SequenceName name, Stage stage, FaultyStore way) {
        this.name = name;
        this.stage = stage;
        this.way = way;
    }

    /** Never asks the table; null where nothing is known. */
    Terms inMemory() {
        return kept;
    }

    @Override
    public Terms current() {
        return kept == null || stage.chance(EXPIRED) ? reloaded() : kept;
    }

    @Override
    public Terms reloaded() {
        Terms read = Defined.terms(way.definition(name));
        kept = read;
        return read;
    }

    @Override
    public Terms markable() {
        Terms present = current();
        return present.version() == null ? reloaded() : present;
    }

    @Override
    public void marked(Terms terms) {
        if (kept != null && terms.version().equals(kept.version())) {
            kept = new GivenTerms(
                    kept.fixed(), kept.series(), kept.format(), kept.isDateOrdered(), kept.isRetired(), true, null);
        }
    }
}
