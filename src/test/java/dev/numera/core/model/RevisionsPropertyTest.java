package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.format.Format;
import dev.numera.core.format.FormatContext;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.Revision;
import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/**
 * Formats of few kinds of pieces over small ranges. Their texts coincide often enough to show whether the rule notices.
 */
class RevisionsPropertyTest {
    private static final SequenceName NAME = new SequenceName("12", "order");
    private static final Definition DEFINITION = new Definition(
            new FixedFields(Guarantee.STRICT, 1, 1, false, ResetEvery.NEVER, ZoneId.of("UTC"), 4), 1, 9999, 100, null);
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    /** Dates that share some parts; 11 occurs as a day, a month and a year. */
    private static final List<LocalDate> DATES = List.of(TODAY, LocalDate.of(2027, 11, 20), LocalDate.of(2011, 1, 11));

    @Property(tries = 1000)
    void noTwoNumbersShareATextUnderCompatibleRevisions(
            @ForAll("revisions") Revision one, @ForAll("revisions") Revision other) {
        boolean allowed = refusal(one, other) == null;
        Statistics.label("are compatible").collect(allowed).coverage(coverage -> {
            coverage.check(true).percentage(share -> share > 20);
            coverage.check(false).percentage(share -> share > 5);
        });
        if (allowed) {
            Map<String, Long> owners = new HashMap<>();
            addTexts(owners, one);
            addTexts(owners, other);
        }
    }

    @Property(tries = 1000)
    void aRefusalNamesBothFormats(@ForAll("revisions") Revision one, @ForAll("revisions") Revision other) {
        ProblemException refusal = refusal(one, other);
        if (refusal != null) {
            assertEquals(
                    List.of(one.format().toString(), other.format().toString()),
                    refusal.members().get("formats"));
        }
    }

    /** The order of the two revisions does not matter. */
    @Property(tries = 1000)
    void theRuleIsSymmetric(@ForAll("revisions") Revision one, @ForAll("revisions") Revision other) {
        assertEquals(refusal(one, other) == null, refusal(other, one) == null);
    }

    @Provide
    Arbitrary<Revision> revisions() {
        Arbitrary<List<String>> before = Arbitraries.of(
                        "1", "1", "0", "-", "{yy}", "{MM}", "{dd}", "{fy:2}", "{fy:2-2}", "{scope}")
                .list()
                .ofMaxSize(2);
        Arbitrary<List<String>> after = Arbitraries.of("1", "{dd}").list().ofMaxSize(1);
        Arbitrary<String> numbers = Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.of("{n}")),
                Tuple.of(2, Arbitraries.of("{n:1-1}", "{n:1-2}", "{n:2 1}", "{n:1-1 1}")),
                Tuple.of(4, Arbitraries.integers().between(2, 5).map(width -> "{n:" + width + "}")),
                Tuple.of(2, Arbitraries.integers().between(4, 5).map(width -> "{r:" + width + "}")));
        Arbitrary<String> checks = Arbitraries.frequency(
                Tuple.of(18, ""),
                Tuple.of(1, "{check:luhn}"),
                Tuple.of(1, "{check:mod11:2-7:-}"),
                Tuple.of(1, "{check:mod10-recursive}"),
                Tuple.of(1, "{check:damm}"),
                Tuple.of(1, "{check:gs1}"),
                Tuple.of(1, "{check:mod11-10}"),
                Tuple.of(1, "{check:mod37-36}"),
                Tuple.of(1, "{check:mod97}"));
        Arbitrary<String> templates = Combinators.combine(before, numbers, checks, after)
                .as((head, number, check, tail) -> String.join("", head) + number + check + String.join("", tail));
        Arbitrary<Integer> ends = Arbitraries.of(-200, -9, 0, 1, 5, 10, 99, 100, 1000, 1200);
        return Combinators.combine(templates, ends, ends, Arbitraries.of(0, 0, 1, 700))
                .as((template, end, otherEnd, room) -> new Revision(
                        template, Math.min(end, otherEnd), Math.max(end, otherEnd), Math.max(end, otherEnd) + room))
                .withoutEdgeCases();
    }

    private static void addTexts(Map<String, Long> owners, Revision revision) {
        Format format = revision.format();
        for (LocalDate date : DATES) {
            for (long number = revision.least(); number <= revision.greatest(); number++) {
                Long before = owners.putIfAbsent(format.text(context(revision), date, number), number);
                long now = number;
                assertTrue(
                        before == null || before == now,
                        () -> revision + " writes " + now + " as another writes " + before);
            }
        }
    }

    private static ProblemException refusal(Revision one, Revision other) {
        try {
            new FormatHistory(List.of(one, other), 2).requireDistinctTexts(NAME, DEFINITION);
            return null;
        } catch (ProblemException e) {
            return e;
        }
    }

    private static FormatContext context(Revision revision) {
        return new FormatContext(
                NAME.scope(),
                NAME.name(),
                revision.least(),
                revision.maxValue(),
                ResetEvery.NEVER,
                DEFINITION.fixed().fiscalYearStart());
    }
}
