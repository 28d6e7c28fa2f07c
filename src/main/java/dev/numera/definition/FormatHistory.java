package dev.numera.definition;

import dev.numera.counter.Guarantee;
import dev.numera.counter.Series;
import dev.numera.format.Format;
import dev.numera.format.Revision;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.LongBinaryOperator;

/**
 * Every format that a sequence had since its first number, with the numbers that may have been given under each.
 * Immutable.
 *
 * @param revisions the first one first: revision 1 is at index 0
 * @param current the present revision, counted from 1; 0 where numbers have no text
 */
public record FormatHistory(List<Revision> revisions, int current) {
    /**
     * How many numbers from the next one on count as given: other instances may still give them under a format that was
     * changed.
     */
    static final long AHEAD = 10_000_000;
    /** So many fit the definition's row, each with the longest template. */
    public static final int MAX_REVISIONS = 500;

    public FormatHistory {
        revisions = List.copyOf(revisions);
    }

    /** That of a definition under which no number was given. */
    static FormatHistory of(Definition definition) {
        String template = definition.textTemplate();
        return template == null
                ? new FormatHistory(List.of(), 0)
                : new FormatHistory(List.of(whole(definition, template)), 1);
    }

    public Revision revision(int number) {
        return revisions.get(number - 1);
    }

    /**
     * That of a changed definition.
     *
     * @param nexts the next number of each counter that there is, read after the definition
     * @throws ProblemException {@code too-many-formats}
     */
    FormatHistory changedTo(Definition before, Definition after, Collection<Long> nexts) {
        String template = after.textTemplate();
        if (Objects.equals(template, before.textTemplate())) {
            return template == null ? this : with(current, hull(revision(current), far(after, template)));
        }
        FormatHistory closed = current == 0 ? this : with(current, closed(revision(current), before.series(), nexts));
        return template == null ? new FormatHistory(closed.revisions, 0) : closed.opened(begun(after, template, nexts));
    }

    /** With the present revision reaching these numbers, too; of the range of the definition. */
    FormatHistory reaching(long least, long greatest) {
        Revision present = revision(current);
        return with(
                current,
                hull(present, new Revision(present.format(), least, greatest, Math.max(greatest, present.maxValue()))));
    }

    private FormatHistory opened(Revision begun) {
        for (int number = 1; number <= revisions.size(); number++) {
            Revision earlier = revision(number);
            boolean isSame = earlier.format().equals(begun.format())
                    && (earlier.maxValue() == begun.maxValue()
                            || !Format.compile(begun.format()).isReversed());
            if (isSame) {
                return with(number, hull(earlier, begun));
            }
        }
        if (revisions.size() == MAX_REVISIONS) {
            throw new ProblemException(
                    ProblemType.TOO_MANY_FORMATS,
                    "The sequence had " + MAX_REVISIONS + " formats since its first number,"
                            + " and keeps them all, so that old texts can be read. Use one of them again, or define"
                            + " another sequence.");
        }
        List<Revision> all = new ArrayList<>(revisions);
        all.add(begun);
        return new FormatHistory(all, all.size());
    }

    private FormatHistory with(int number, Revision changed) {
        List<Revision> all = new ArrayList<>(revisions);
        all.set(number - 1, changed);
        return new FormatHistory(all, number);
    }

    private static Revision whole(Definition definition, String template) {
        Series series = definition.series();
        return between(definition, template, series.cycle() ? series.roundStart() : series.start(), series.roundEnd());
    }

    /** Where numbers are taken from several counters, from memory, or in rounds, any number can be the first one. */
    private static Revision begun(Definition definition, String template, Collection<Long> nexts) {
        boolean isInOrder = definition.fixed().isNeverReset()
                && !definition.fixed().cycle()
                && definition.fixed().isCounted()
                && definition.fixed().guarantee() != Guarantee.CACHED;
        return isInOrder && nexts.size() == 1
                ? between(
                        definition,
                        template,
                        within(definition, nexts.iterator().next()),
                        definition.series().roundEnd())
                : whole(definition, template);
    }

    private static Revision far(Definition definition, String template) {
        Series series = definition.series();
        long end = series.roundEnd();
        return between(definition, template, end, series.cycle() ? series.roundStart() : end);
    }

    /** Other instances may go on with an old format for a while. */
    private static Revision closed(Revision revision, Series series, Collection<Long> nexts) {
        if (series.cycle() || nexts.isEmpty()) {
            return revision;
        }
        boolean up = series.increment() > 0;
        LongBinaryOperator farther = up ? Math::max : Math::min;
        long last = nexts.stream()
                .mapToLong(next -> series.reach(next, AHEAD))
                .reduce(farther)
                .orElseThrow();
        return new Revision(
                revision.format(),
                up ? revision.least() : Math.max(revision.least(), last),
                up ? Math.min(revision.greatest(), last) : revision.greatest(),
                revision.maxValue());
    }

    private static Revision hull(Revision one, Revision other) {
        return new Revision(
                one.format(),
                Math.min(one.least(), other.least()),
                Math.max(one.greatest(), other.greatest()),
                Math.max(one.maxValue(), other.maxValue()));
    }

    private static Revision between(Definition definition, String template, long one, long other) {
        return new Revision(template, Math.min(one, other), Math.max(one, other), definition.maxValue());
    }

    private static long within(Definition definition, long number) {
        return Math.max(definition.minValue(), Math.min(definition.maxValue(), number));
    }
}
