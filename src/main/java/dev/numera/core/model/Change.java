package dev.numera.core.model;

import dev.numera.core.problem.EnumWord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a sequence's change log, for everything except allocations. Entries are never deleted. Immutable.
 *
 * @param position with the time of the change by the clock of the process that made it
 * @param fields the changed fields of the definition, or the results of a closing; empty if there are none
 * @param move the counter's next number before and after; null if the change moved no counter
 */
public record Change(Position position, Kind kind, ChangeNote note, List<FieldChange> fields, @Nullable Move move) {
    /**
     * The largest expected difference between the clocks of two instances. It is short enough to keep two imports with
     * the same id apart, because an id can be used again only after a day.
     */
    private static final Duration SKEW = Duration.ofHours(1);

    public enum Kind {
        CREATED,
        CHANGED,
        ADVANCED,
        SUSPENDED,
        RESUMED,
        RETIRED,
        REVIVED,
        /** Numbers of another system were imported. The position's id is the id of the import. */
        IMPORTED,
        /** A range of dates was checked and its result filed in the fields. */
        CLOSED
    }

    /**
     * The position of a change in its sequence's log, which is ordered by time.
     *
     * @param id unique, to distinguish changes of the same time
     */
    public record Position(Instant at, String id) {
        static Position at(Instant time) {
            return new Position(time, UUID.randomUUID().toString());
        }
    }

    /** The most characters that a change takes in an answer, without its note and its changed fields. */
    private static final int CHARACTERS_OF_OTHER_FIELDS = 400;

    /** The most characters that a changed field takes in an answer, without its name and its two values. */
    private static final int CHARACTERS_BESIDE_VALUES = 100;

    /**
     * A changed field of a definition, or a result of a closing.
     *
     * @param before a Long, a Boolean or a String; null if the field had no value
     * @param after the new value, of the same types
     */
    public record FieldChange(String field, @Nullable Object before, @Nullable Object after) {
        /** Returns the most characters that this field takes in an answer. */
        public long characters() {
            return CHARACTERS_BESIDE_VALUES + field.length() + length(before) + length(after);
        }
    }

    /**
     * A move of a counter, from one next number to another.
     *
     * @param period empty if the sequence is never reset
     */
    public record Move(String period, long previousNext, long next) implements CounterOutcome {
        /** Whether the counter stays where it was. */
        public boolean isNone() {
            return next == previousNext;
        }

        /**
         * Returns the last number that the move passed over. Example: a move from 6 to 31 with increment 5 passes over
         * 6 to 26.
         *
         * @param increment of the series; negative if the series counts down
         */
        public long lastPassed(long increment) {
            return next - increment;
        }
    }

    public Change {
        fields = List.copyOf(fields);
    }

    public static Change created(Definition definition, ChangeNote note, Instant at) {
        return ofFields(Kind.CREATED, null, definition, note, at);
    }

    /** Returns the entry for a changed definition. If the sequence was retired, the change revives it. */
    public static Change changed(Sequence before, Definition after, ChangeNote note, Instant at) {
        return ofFields(before.isRetired() ? Kind.REVIVED : Kind.CHANGED, before.definition(), after, note, at);
    }

    public static Change retired(ChangeNote note, Instant at) {
        return new Change(Position.at(at), Kind.RETIRED, note, List.of(), null);
    }

    /** Returns the entry for a suspension, which changes no field of the definition. */
    public static Change suspended(ChangeNote note, Instant at) {
        return new Change(Position.at(at), Kind.SUSPENDED, note, List.of(), null);
    }

    public static Change resumed(ChangeNote note, Instant at) {
        return new Change(Position.at(at), Kind.RESUMED, note, List.of(), null);
    }

    /**
     * Returns the entry for a closing.
     *
     * @param result the results of the check under names of their own, without earlier values
     */
    public static Change closed(List<FieldChange> result, ChangeNote note, Instant at) {
        return new Change(Position.at(at), Kind.CLOSED, note, result, null);
    }

    /** Returns the entry for a changed restore margin, which is not a field of the definition. */
    public static Change ofMargin(Sequence before, Sequence after, ChangeNote note, Instant at) {
        FieldChange margin = new FieldChange("restoreMargin", before.restoreMargin(), after.restoreMargin());
        return new Change(Position.at(at), Kind.CHANGED, note, List.of(margin), null);
    }

    /**
     * Returns the change that an {@link CounterRequest.Accept} stores: the numbers that an import left out and the
     * owner accepted.
     */
    public static Change accepted(CounterOutcome.Accepted numbers, ChangeNote note, CounterState after) {
        String range = numbers.first() + " to " + numbers.last();
        FieldChange accepted = new FieldChange(
                "acceptedGap", null, numbers.period().isEmpty() ? range : range + " of " + numbers.period());
        return new Change(
                new Position(after.changedAt(), after.operationId()), Kind.CHANGED, note, List.of(accepted), null);
    }

    /**
     * Returns the entry that a write stores when it moves its counter. The entry has the time and the operation id of
     * the written state.
     */
    public static Change advanced(Move move, ChangeNote note, CounterState after) {
        return new Change(new Position(after.changedAt(), after.operationId()), Kind.ADVANCED, note, List.of(), move);
    }

    /**
     * Returns the entry for a whole import. It is the same for each of the import's writes, so the log contains it
     * once.
     *
     * @param importId unique for this import
     * @param sentAt when the import was sent, by the clock of the process that accepted it
     * @param actor the sender, as the caller stated; null if not stated
     */
    public static Change imported(String importId, Instant sentAt, @Nullable String actor) {
        return new Change(new Position(sentAt, importId), Kind.IMPORTED, ChangeNote.by(actor), List.of(), null);
    }

    /** Whether this import wrote the allocation, and not an earlier import with the same id. */
    public boolean hasImported(Allocation allocation) {
        return position.id().equals(allocation.importId())
                && allocation.allocatedAt().isAfter(position.at().minus(SKEW));
    }

    /** Returns the most characters that an answer needs for this change. */
    public long characters() {
        return CHARACTERS_OF_OTHER_FIELDS
                + length(note.actor())
                + length(note.reason())
                + fields.stream().mapToLong(FieldChange::characters).sum();
    }

    private static long length(@Nullable Object value) {
        return value == null ? 0 : value.toString().length();
    }

    private static Change ofFields(
            Kind kind, @Nullable Definition before, Definition after, ChangeNote note, Instant at) {
        boolean areFixedSame = before != null && before.fixed().equals(after.fixed());
        List<FieldChange> fields = DefinitionField.ALL.stream()
                .filter(field -> !areFixedSame || !field.isFixed())
                .filter(field -> before == null ? field.of(after) != null : field.differs(before, after))
                .map(field -> new FieldChange(
                        field.name(), before == null ? null : value(field, before), value(field, after)))
                .toList();
        return new Change(Position.at(at), kind, note, fields, null);
    }

    /** Returns the value of a field as JSON represents it: a Long, a Boolean, a String or null. */
    private static @Nullable Object value(DefinitionField<?> field, Definition definition) {
        Object value = field.shown(definition);
        if (value instanceof Integer number) {
            return number.longValue();
        }
        return value instanceof Enum<?> constant ? EnumWord.of(constant) : value;
    }
}
