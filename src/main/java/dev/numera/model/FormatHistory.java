package dev.numera.model;

import dev.numera.format.Revision;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Every format of a sequence from the one on under which it came into use, each with the widest range that was declared
 * while it was the present one. Immutable.
 *
 * @param revisions the first one first: revision 1 is at index 0
 * @param current the present revision, counted from 1; 0 where numbers have no text
 */
public record FormatHistory(List<Revision> revisions, int current) {
    /** So many fit the definition's row, each with the longest template. */
    public static final int MAX_REVISIONS = 500;

    public FormatHistory {
        revisions = List.copyOf(revisions);
    }

    /** That of a definition that is not in use. */
    static FormatHistory of(Definition definition) {
        String template = definition.textTemplate();
        return template == null
                ? new FormatHistory(List.of(), 0)
                : new FormatHistory(List.of(declared(definition, template)), 1);
    }

    public Revision revision(int number) {
        return revisions.get(number - 1);
    }

    /**
     * That of a changed definition; the same where neither the format nor the range has changed.
     *
     * @throws ProblemException {@code too-many-formats}
     */
    FormatHistory changedTo(Definition before, Definition after) {
        String template = after.textTemplate();
        boolean isSameFormat = Objects.equals(template, before.textTemplate());
        if (template == null) {
            return isSameFormat ? this : new FormatHistory(revisions, 0);
        }
        Revision declared = declared(after, template);
        if (!isSameFormat) {
            return opened(declared);
        }
        return before.minValue() == after.minValue() && before.maxValue() == after.maxValue()
                ? this
                : widened(current, declared);
    }

    private FormatHistory opened(Revision begun) {
        for (int number = 1; number <= revisions.size(); number++) {
            Revision earlier = revision(number);
            if (earlier.format().equals(begun.format()) && earlier.maxValue() == begun.maxValue()) {
                return widened(number, begun);
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

    private FormatHistory widened(int number, Revision declared) {
        Revision earlier = revision(number);
        List<Revision> all = new ArrayList<>(revisions);
        all.set(
                number - 1,
                new Revision(
                        earlier.format(),
                        Math.min(earlier.least(), declared.least()),
                        Math.max(earlier.greatest(), declared.greatest()),
                        Math.max(earlier.maxValue(), declared.maxValue())));
        return new FormatHistory(all, number);
    }

    private static Revision declared(Definition definition, String template) {
        return new Revision(template, definition.minValue(), definition.maxValue(), definition.maxValue());
    }
}
