package dev.numera.counter;

import dev.numera.contract.Defined;
import dev.numera.contract.GivenTerms;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.format.ResetEvery;
import dev.numera.model.Definition;
import dev.numera.model.FixedFields;
import dev.numera.model.Guarantee;
import dev.numera.model.SequenceName;
import dev.numera.model.Series;
import dev.numera.model.Terms;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.Deque;

/** A definition as an instance knows it: what it kept may be out of date, until it reads the definition's row again. */
final class StaleTerms implements Terms.Source {
    /** How often the definition was read. */
    int reads;

    private final MemoryCounterStore table;
    private final SequenceName name;
    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private Terms kept;

    StaleTerms(MemoryCounterStore table, SequenceName name) {
        this.table = table;
        this.name = name;
    }

    /** Those of a definition that is in use. */
    static Terms of(Guarantee guarantee, Series series) {
        return Defined.terms(
                Defined.stored(new SequenceName("a", "b"), definition(guarantee, series), true, null, "d1"));
    }

    static Terms unused(Terms terms) {
        return new GivenTerms(
                terms.fixed(),
                terms.series(),
                terms.format(),
                terms.isDateOrdered(),
                terms.isRetired(),
                false,
                terms.version());
    }

    /** The same with a format that tells the year by two digits. */
    static Terms withTwoDigits(Terms terms) {
        Terms.TextFormat format = new Terms.TextFormat() {
            @Override
            public boolean tellsYearByTwoDigits() {
                return true;
            }

            @Override
            public int revision() {
                return 1;
            }

            @Override
            public String text(LocalDate date, long number) {
                return date.getYear() % 100 + "/" + number;
            }
        };
        return new GivenTerms(
                terms.fixed(),
                terms.series(),
                format,
                terms.isDateOrdered(),
                terms.isRetired(),
                terms.isInUse(),
                terms.version());
    }

    static Terms retired(Terms terms) {
        return new GivenTerms(
                terms.fixed(),
                terms.series(),
                terms.format(),
                terms.isDateOrdered(),
                true,
                terms.isInUse(),
                terms.version());
    }

    static Terms at(String version, Terms terms) {
        return new GivenTerms(
                terms.fixed(),
                terms.series(),
                terms.format(),
                terms.isDateOrdered(),
                terms.isRetired(),
                terms.isInUse(),
                version);
    }

    static FixedFields fixed(Guarantee guarantee, Series series) {
        return definition(guarantee, series).fixed();
    }

    static Definition definition(Guarantee guarantee, Series series) {
        return Defined.definition(guarantee, series, ResetEvery.NEVER);
    }

    /** The next reading of the definition that is still to come fails. */
    void failOnce(RuntimeException failure) {
        failures.add(failure);
    }

    @Override
    public Terms current() {
        return kept == null ? reloaded() : kept;
    }

    @Override
    public Terms reloaded() {
        reads++;
        if (!failures.isEmpty()) {
            throw failures.remove();
        }
        kept = Defined.terms(table.find(name).orElseThrow());
        return kept;
    }

    @Override
    public Terms markable() {
        return current().version() == null ? reloaded() : kept;
    }

    /** The answer of the marking write tells the version of the counter, not that of the definition. */
    @Override
    public void marked(Terms terms) {
        if (kept != null && terms.version().equals(kept.version())) {
            kept = new GivenTerms(
                    kept.fixed(), kept.series(), kept.format(), kept.isDateOrdered(), kept.isRetired(), true, null);
        }
    }
}
