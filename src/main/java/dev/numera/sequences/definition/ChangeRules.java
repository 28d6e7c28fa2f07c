package dev.numera.sequences.definition;

import dev.numera.core.format.Format;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.sequences.access.RegisteredSequence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The rules for changing a definition. They decide by the stored definition and the request alone, and read nothing.
 * After the first number, the fields that decide which numbers a request gets are fixed.
 */
final class ChangeRules {
    private ChangeRules() {}

    static Sequence changedTo(Sequence existing, Definition changed) {
        if (existing.isInUse()) {
            requireAllowed(existing.definition(), changed);
        }
        Sequence after = existing.changedTo(changed);
        if (!after.formats().equals(existing.formats())) {
            after.formats().requireDistinctTexts(existing.name(), changed);
        }
        return after;
    }

    static Definition replaced(Sequence existing, DefinitionDraft draft, Instant now) {
        Definition before = existing.definition();
        Definition changed =
                (existing.isInUse() ? draft.keepingFixed(before) : draft).complete(existing.name(), before, now);
        draft.requireNothingLost(before, changed);
        return changed;
    }

    static Definition patched(Sequence existing, DefinitionDraft draft, Instant now) {
        requireNotRetired(existing);
        return draft.over(existing.definition()).complete(existing.name(), existing.definition(), now);
    }

    static Sequence required(RegisteredSequence registered, SequenceName name, Precondition precondition) {
        registered.requireNotLost();
        Sequence existing = registered
                .stored()
                .orElseThrow(() -> precondition(name, "it does not exist. Create it with If-None-Match: *"));
        if (!precondition.allows(existing)) {
            throw precondition(
                    existing,
                    precondition.hasWeakTag()
                            ? "If-Match has a weak tag, which never matches. Send the ETag without W/; if the answer"
                                    + " had it, an intermediary added it"
                            : "it was changed since. Get it again and look at the change");
        }
        return existing;
    }

    static void requireNotRetired(Sequence existing) {
        if (existing.isRetired()) {
            throw new ProblemException(
                    ProblemType.RETIRED,
                    "The sequence " + existing.name() + " is retired. Revive it with If-None-Match: *.");
        }
    }

    /**
     * Refuses a definition whose series does not contain the next number of the existing counter. The counter continues
     * there whatever the start is, and would repeat numbers in another series.
     */
    static void requireLeadsTo(Sequence begun, CounterState counter) {
        Series series = begun.series();
        boolean isOfSeries = !begun.fixed().isCounted()
                || series.cycle()
                || series.isWholeIncrementsAway(counter.next())
                        && !series.isBefore(counter.next(), series.start())
                        && (counter.firstAllocated() == null
                                || !series.isBefore(counter.next(), counter.firstAllocated()));
        if (!isOfSeries) {
            throw new ProblemException(
                    ProblemType.IMMUTABLE_FIELD,
                    "The counter of " + begun.name() + " still exists, and its next number is " + counter.next()
                            + ". Send its original start and increment. Then advance the sequence beyond every number"
                            + " that was allocated, and resume it.",
                    Map.of("fields", List.of("start", "increment")));
        }
    }

    /**
     * Refuses a change of fields that are fixed since the first number, because the same requests would get other
     * numbers.
     */
    private static void requireAllowed(Definition before, Definition after) {
        List<String> fields = new ArrayList<>();
        FixedFields fixedBefore = before.fixed();
        FixedFields fixedAfter = after.fixed();
        if (!fixedBefore.equals(fixedAfter)) {
            DefinitionField.ALL.stream()
                    .filter(field -> field.isFixedBy(before) && field.isOf(after))
                    .filter(field -> field.differs(before, after))
                    .forEach(field -> fields.add(field.name()));
        }
        if (fixedBefore.isCounted() && fixedAfter.isCounted()) {
            addIfTurnedBack(fields, before, after);
        }
        if (!fields.isEmpty()) {
            throw new ProblemException(
                    ProblemType.IMMUTABLE_FIELD,
                    "Fixed since the first number: " + String.join(", ", fields)
                            + ". Only a higher maxValue, a lower minValue (neither while the format has {r}) and"
                            + " dateOrder none are allowed. Leave these fields as they are, or define another"
                            + " sequence.",
                    Map.of("fields", fields));
        }
    }

    private static void addIfTurnedBack(List<String> fields, Definition before, Definition after) {
        boolean isReversed = !before.hasRangeOf(after) && (isReversed(before) || isReversed(after));
        addIf(
                fields,
                "minValue",
                after.minValue() > before.minValue() || isReversed && after.minValue() != before.minValue());
        addIf(
                fields,
                "maxValue",
                after.maxValue() < before.maxValue() || isReversed && after.maxValue() != before.maxValue());
        addIf(fields, "dateOrder", after.isDateOrdered() && !before.isDateOrdered());
    }

    private static boolean isReversed(Definition definition) {
        return definition.format() != null
                && Format.compile(definition.format()).isReversed();
    }

    private static void addIf(List<String> fields, String field, boolean hasChanged) {
        if (hasChanged) {
            fields.add(field);
        }
    }

    private static ProblemException precondition(SequenceName name, String why) {
        return new ProblemException(ProblemType.PRECONDITION_FAILED, notChanged(name, why));
    }

    static ProblemException precondition(Sequence existing, String why) {
        return new ProblemException(
                ProblemType.PRECONDITION_FAILED, notChanged(existing.name(), why), Map.of("etag", existing.tag()));
    }

    private static String notChanged(SequenceName name, String why) {
        return "The definition of " + name + " was left as it is: " + why + ".";
    }
}
