package dev.numera.model;

import dev.numera.problem.Word;
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
    public enum Kind {
        CREATED,
        CHANGED,
        ADVANCED,
        SUSPENDED,
        RESUMED,
        RETIRED,
        REVIVED,
        /** Numbers of another system came in; the position has the id of the import. */
        IMPORTED
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

    /**
     * A field of a definition.
     *
     * @param before a Long, a Boolean or a String; null where it had no value
     * @param after as before
     */
    public record FieldChange(String field, @Nullable Object before, @Nullable Object after) {}

    /** @param period empty where the sequence is never reset */
    public record Move(String period, long previousNext, long next) {}

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

    /** What leaves the definition as it is but for the margin of a restore. */
    public static Change ofMargin(Sequence before, Sequence after, ChangeNote note, Instant at) {
        FieldChange margin = new FieldChange("restoreMargin", before.restoreMargin(), after.restoreMargin());
        return new Change(Position.at(at), Kind.CHANGED, note, List.of(margin), null);
    }

    /** What a write leaves that moves its counter so: the written state's own time and id are those of the change. */
    public static Change advanced(CounterId id, CounterState after, Outcome.Advanced advanced) {
        return new Change(
                new Position(after.changedAt(), after.operationId()),
                Kind.ADVANCED,
                advanced.note(),
                List.of(),
                new Move(id.period(), advanced.previousNext(), advanced.next()));
    }

    /** One for a whole import, whichever of its writes leaves it. */
    public static Change imported(ImportNote note) {
        return new Change(
                new Position(note.sentAt(), note.id()), Kind.IMPORTED, ChangeNote.by(note.actor()), List.of(), null);
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
        return value instanceof Enum<?> constant ? Word.of(constant) : value;
    }
}
