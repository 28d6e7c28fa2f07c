package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.numera.core.format.Format;
import dev.numera.core.format.Period;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.problem.Actor;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row as read from a table. Other programs may write rows, so every property is read as a {@link Checked} value: one
 * that is missing, of another type or out of bounds throws a {@link StoreFailure} that names table, row and property.
 * Properties that no version knows are ignored: see docs/tables.md.
 *
 * <p>The static methods read values that occur in several kinds of rows, within the bounds that the app itself keeps
 * when it writes.
 */
public record StoredRow(String table, TableEntity entity) {
    /** The largest next number. It may exceed the range by one increment. */
    static final long LARGEST_NEXT = Series.LARGEST_VALUE + Series.LARGEST_INCREMENT;
    /**
     * The most characters of a random id, the name of a process or a fingerprint. Longer than today's, because other
     * versions may use longer ones.
     */
    static final int MAX_ID_UNITS = 1_000;

    private static final int MAX_NOTE_UNITS = 1_000;
    private static final int MAX_SHOWN_NAME_UNITS = 200;
    private static final int MAX_NAME_UNITS = 100;
    /** Below the 32,768 UTF-16 units that the service allows in a property. */
    private static final int MAX_PROPERTY_UNITS = 32_000;

    String partition() {
        return entity.getPartitionKey();
    }

    String row() {
        return entity.getRowKey();
    }

    String version() {
        return requireVersion(entity.getETag());
    }

    /** Requires a version: without one the client would send an unconditional write. */
    static String requireVersion(@Nullable String version) {
        if (version == null || version.isEmpty()) {
            throw new IllegalStateException("A conditional write needs the version from an earlier answer.");
        }
        return version;
    }

    /** The time of the last write, by the storage service's clock. */
    Instant changedAt() {
        return entity.getTimestamp().toInstant();
    }

    boolean has(String property) {
        return entity.getProperty(property) != null;
    }

    Checked string(String property) {
        return property(property, String.class);
    }

    /**
     * Returns a string; empty if it is missing or "". Writers clear a column with an empty string, because a merge
     * removes no column.
     */
    Optional<Checked> optional(String property) {
        return hasValue(property) ? Optional.of(string(property)) : Optional.empty();
    }

    String text(String property, int least, int most) {
        return string(property).string(least, most);
    }

    Checked int64(String property) {
        return property(property, Long.class);
    }

    long int64(String property, long least, long most) {
        return int64(property).int64(least, most);
    }

    @Nullable
    Long int64OrNull(String property, long least, long most) {
        return has(property) ? (Long) int64(property, least, most) : null;
    }

    /** Like {@link #int64OrNull}, but reads an empty string as null, as {@link #optional} does. */
    @Nullable
    Long int64UnlessEmpty(String property, long least, long most) {
        return hasValue(property) ? (Long) int64(property, least, most) : null;
    }

    /** Whether the property exists and is not empty, whatever its type. */
    boolean hasValue(String property) {
        Object value = entity.getProperty(property);
        return value != null && !value.equals("");
    }

    int int32(String property, int least, int most) {
        return property(property, Integer.class).int32(least, most);
    }

    /** @param byDefault the value of rows that were written before the property existed */
    int int32OrElse(String property, int byDefault, int least, int most) {
        return has(property) ? int32(property, least, most) : byDefault;
    }

    /** Returns false for rows that were written before the property existed. */
    boolean boolOrFalse(String property) {
        return has(property) && bool(property);
    }

    boolean bool(String property) {
        return property(property, Boolean.class).bool();
    }

    Instant instant(String property) {
        return string(property).instant();
    }

    @Nullable
    Instant instantOrNull(String property) {
        return optional(property).map(Checked::instant).orElse(null);
    }

    @Nullable
    LocalDate dateOrNull(String property) {
        return optional(property).map(Checked::date).orElse(null);
    }

    /** Returns the sequence that the properties {@code scope} and {@code name} name. */
    SequenceName sequence() {
        return sequence("scope or name", text("scope", 0, MAX_NAME_UNITS), text("name", 0, MAX_NAME_UNITS));
    }

    /** Returns the sequence of this name; a failure names the properties that contain it. */
    SequenceName sequence(String properties, String scope, String name) {
        try {
            return new SequenceName(scope, name);
        } catch (ProblemException e) {
            throw wrong(properties, "is '" + shown(scope + "/" + name) + "', which is no name of a sequence");
        }
    }

    /** Returns a constant whose name the row contains in lower case, with hyphens. */
    <E extends Enum<E>> E choice(String property, Class<E> choices) {
        return word(string(property), choices);
    }

    static <E extends Enum<E>> E word(Checked value, Class<E> choices) {
        return EnumWord.find(value.string(0, Integer.MAX_VALUE), choices)
                .orElseThrow(() -> value.refused("must be one of " + EnumWord.list(choices)));
    }

    /** Parses the JSON of one property. */
    Checked json(String property) {
        return Checked.parse(text(property, 0, Integer.MAX_VALUE), property, this::wrong);
    }

    /** Parses JSON that {@link #putLong} has split into several properties. */
    Checked longJson(String property) {
        return Checked.parse(longText(property), property, this::wrong);
    }

    String longText(String property) {
        StringBuilder text = new StringBuilder(text(property + 0, 0, Integer.MAX_VALUE));
        for (int index = 1; optional(property + index).isPresent(); index++) {
            text.append(text(property + index, 1, Integer.MAX_VALUE));
        }
        return text.toString();
    }

    /**
     * Splits a string into as many properties as it needs: {@code rows0}, {@code rows1} and so on. An empty property
     * marks the end, because the row may have had a longer string before.
     */
    static void putLong(TableEntity row, String name, String text) {
        int from = 0;
        int index = 0;
        while (from < text.length()) {
            int to = Math.min(from + MAX_PROPERTY_UNITS, text.length());
            if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
                to--;
            }
            row.addProperty(name + index++, text.substring(from, to));
            from = to;
        }
        row.addProperty(name + index, "");
    }

    /**
     * Refuses a row whose name does not match its properties.
     *
     * @param name the name that follows from the properties
     * @param properties the properties that determine the name, as in "first or last"
     */
    void requireName(String name, String properties) {
        if (!row().equals(name)) {
            throw wrong(properties, "belongs to another row, " + shown(name));
        }
    }

    StoreFailure wrong(String property, String why) {
        return new StoreFailure(
                "The row " + row() + " of " + partition() + " in table " + table
                        + " was written by another program and cannot be read: its property " + property + " " + why
                        + ". See docs/tables.md.",
                false,
                null);
    }

    private static String shown(String name) {
        return name.length() <= MAX_SHOWN_NAME_UNITS ? name : name.substring(0, MAX_SHOWN_NAME_UNITS) + "…";
    }

    /** @param type String, Boolean, Integer or Long */
    Checked property(String name, Class<?> type) {
        String edmType = type == Long.class ? "Int64" : type == Integer.class ? "Int32" : type.getSimpleName();
        Object value = entity.getProperty(name);
        if (value != null && !type.isInstance(value)) {
            throw wrong(name, "is no " + edmType);
        }
        JsonNode node = value == null ? MissingNode.getInstance() : Json.of(value);
        return new Checked(node, name, this::wrong);
    }

    static String key(Checked value) {
        return printable(value, PrintableText.KEY.maxUnits());
    }

    /** Reads an actor: a name, an id, or both. */
    static String actor(Checked value) {
        String text = value.string(1, MAX_NOTE_UNITS);
        if (!Actor.isStored(text, MAX_NOTE_UNITS)) {
            throw value.refused("must be printable, without a blank at either end; after U+001F only an id");
        }
        return text;
    }

    /** Reads the id of an actor, without its name. */
    static String actorId(Checked value) {
        String id = id(value);
        if (!Actor.isId(id)) {
            throw value.refused("must be an id of an actor");
        }
        return id;
    }

    /** Reads a reason. Longer than a caller may send, because the app itself writes longer ones. */
    static String note(Checked value) {
        return printable(value, MAX_NOTE_UNITS);
    }

    static String printable(Checked value, int maxUnits) {
        String text = value.string(1, maxUnits);
        if (PrintableText.flaw(text, maxUnits).isPresent()) {
            throw value.refused("must be printable, without a blank at either end");
        }
        return text;
    }

    static String id(Checked value) {
        return value.string(1, MAX_ID_UNITS);
    }

    static long number(Checked value) {
        return value.int64(-Series.LARGEST_VALUE, Series.LARGEST_VALUE);
    }

    /** Reads the count of one allocation. The block of a cached sequence may be larger. */
    static int count(Checked value) {
        return value.int32(1, NumberRequest.MAX_COUNT);
    }

    static String period(Checked value) {
        String id = value.string(0, "2026-11-21".length());
        try {
            return new Period(id).id();
        } catch (IllegalArgumentException e) {
            throw value.refused("must be a period: empty, a year, a month or a day");
        }
    }

    /**
     * Reads the number of a format's revision, within the limit of every sequence. The definition knows which revisions
     * exist.
     */
    static int revision(Checked value) {
        return value.int32(0, FormatHistory.MAX_REVISIONS);
    }

    static String text(Checked value) {
        return value.string(1, Format.MAX_TEXT_LENGTH);
    }

    /**
     * Checks that count numbers with one increment lead from the first to the last. All of them are within 4·10^18
     * either way, so nothing here overflows.
     *
     * @param last the refusal names its place
     */
    static void requireSeries(long first, Checked last, int count) {
        long distance = number(last) - first;
        boolean isSeries =
                count == 1 ? distance == 0 : distance % (count - 1) == 0 && Series.isIncrement(distance / (count - 1));
        if (!isSeries) {
            throw last.refused("must be " + (count - 1) + " increments from " + first);
        }
    }

    /**
     * Builds the status of numbers. A row without a status means issued; any other status needs its time, and a void
     * one its reason.
     */
    static Status status(Optional<Checked> status, Checked statusAt, Checked reason, @Nullable String actor) {
        if (status.isEmpty()) {
            return Status.SIMPLY_ISSUED;
        }
        Status.Kind said = word(status.get(), Status.Kind.class);
        Instant at = statusAt.instant();
        return new Status(said, said == Status.Kind.VOID ? note(reason) : null, actor, at);
    }
}
