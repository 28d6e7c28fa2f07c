package dev.numera.core.model;

import dev.numera.core.problem.EnumWord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What was done to a sequence beside numbering, as it is kept for ever. Immutable.
 *
 * @param position its time is by the clock of the process that did it
 * @param fields what it changed in the definition; empty where it changed nothing there
 * @param move how far it moved a counter; null where it moved none
 */
public record Change(Position position, Kind kind, ChangeNote note, List<FieldChange> fields, @Nullable Move move) {
    /**
     * Between the clocks of two instances; an import is kept for a day at least, and its id is used again only then.
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
        /** Numbers of another system came in; the position has the id of the import. */
        IMPORTED,
        /** A range of dates was checked and filed; its fields are the result. */
        CLOSED
    }

    /**
     * Its place among the changes of its sequence, in the order of time.
     *
     * @param id of its own, for changes at the same time
     */
    public record Position(Instant at, String id) {
        static Position at(Instant time) {
            return new Position(time, UUID.randomUUID().toString());
        }
    }

    /** All fields of a change in an answer but its note and what it changed; names and quotes of one field. */
    private static final int CHARACTERS_OF_OTHER_FIELDS = 400;

    private static final int CHARACTERS_BESIDE_VALUES = 100;

    /**
     * A field of a definition.
     *
     * @param before a Long, a Boolean or a String; null where it had no value
     * @param after as before
     */
    public record FieldChange(String field, @Nullable Object before, @Nullable Object after) {
        /** The most characters that it has in an answer. */
        public long characters() {
            return CHARACTERS_BESIDE_VALUES + field.length() + length(before) + length(after);
        }
    }

    /**
     * How far a counter was moved.
     *
     * @param period empty where the sequence is never reset
     */
    public record Move(String period, long previousNext, long next) implements CounterOutcome {
        /** Whether the counter stays where it was. */
        public boolean isNone() {
            return next == previousNext;
        }

        /**
         * The last number that was passed over. Example: 6 is moved to 31 by increments of 5, so 26 is the last one.
         *
         * @param increment of the series, negative where it counts down
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

    /** What is retired is revived by it. */
    public static Change changed(Sequence before, Definition after, ChangeNote note, Instant at) {
        return ofFields(before.isRetired() ? Kind.REVIVED : Kind.CHANGED, before.definition(), after, note, at);
    }

    public static Change retired(ChangeNote note, Instant at) {
        return new Change(Position.at(at), Kind.RETIRED, note, List.of(), null);
    }

    /** What leaves the definition as it is but for its suspension. */
    public static Change suspended(ChangeNote note, Instant at) {
        return new Change(Position.at(at), Kind.SUSPENDED, note, List.of(), null);
    }

    public static Change resumed(ChangeNote note, Instant at) {
        return new Change(Position.at(at), Kind.RESUMED, note, List.of(), null);
    }

    /** @param result of the check, by names of its own, without earlier values */
    public static Change closed(List<FieldChange> result, ChangeNote note, Instant at) {
        return new Change(Position.at(at), Kind.CLOSED, note, result, null);
    }

    /** What leaves the definition as it is but for the margin of a restore. */
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

    /** What a write leaves that moves its counter so: the written state's own time and id are those of the change. */
    public static Change advanced(Move move, ChangeNote note, CounterState after) {
        return new Change(new Position(after.changedAt(), after.operationId()), Kind.ADVANCED, note, List.of(), move);
    }

    /**
     * One for a whole import, whichever of its writes leaves it.
     *
     * @param importId of its own
     * @param sentAt when it was sent, by the clock of the process that took it
     * @param actor who sent it, as the caller stated; null where the caller did not
     */
    public static Change imported(String importId, Instant sentAt, @Nullable String actor) {
        return new Change(new Position(sentAt, importId), Kind.IMPORTED, ChangeNote.by(actor), List.of(), null);
    }

    /** Whether this import wrote an allocation, and none before it that was sent under the same key. */
    public boolean hasImported(Allocation allocation) {
        return position.id().equals(allocation.importId())
                && allocation.allocatedAt().isAfter(position.at().minus(SKEW));
    }

    /** The most characters that an answer with it has. */
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
        List<FieldChange> fields = DefinitionField.ALL.stream()
                .map(field -> new FieldChange(
                        field.name(), before == null ? null : value(field, before), value(field, after)))
                .filter(change -> !Objects.equals(change.before(), change.after()))
                .toList();
        return new Change(Position.at(at), kind, note, fields, null);
    }

    /** As JSON has it. */
    private static @Nullable Object value(DefinitionField<?> field, Definition definition) {
        Object value = field.of(definition);
        if (value instanceof Integer number) {
            return number.longValue();
        }
        return value instanceof Enum<?> constant ? EnumWord.of(constant) : value;
    }
}
