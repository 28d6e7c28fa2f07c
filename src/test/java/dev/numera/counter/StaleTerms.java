package dev.numera.counter;

/** Terms as an instance knows them: what it kept may be out of date, until it reloads. */
final class StaleTerms implements Terms.Source {
    Terms stored;
    int reloads;
    private Terms kept;

    StaleTerms(Terms stored) {
        this.stored = stored;
        this.kept = stored;
    }

    static Terms of(Guarantee guarantee, Series series) {
        return new Terms(fixed(guarantee, series), series, Terms.TextFormat.NONE, false, true);
    }

    static FixedFields fixed(Guarantee guarantee, Series series) {
        return new FixedFields(guarantee, series.start(), series.increment(), series.cycle(), "never", "UTC", 1);
    }

    static Terms retired(Terms terms) {
        return new Terms(terms.fixed(), terms.series(), terms.format(), true, terms.isPinned());
    }

    static Terms unpinned(Terms terms) {
        return new Terms(terms.fixed(), terms.series(), terms.format(), terms.isRetired(), false);
    }

    void keep(Terms old) {
        kept = old;
    }

    @Override
    public Terms current() {
        return kept;
    }

    @Override
    public Terms reloaded() {
        reloads++;
        kept = stored;
        return kept;
    }
}
