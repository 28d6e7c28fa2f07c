package dev.numera.azure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.format.DatePattern;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.ProblemException;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.sequences.lists.CellNotation;
import dev.numera.sequences.lists.NumberNotation;
import dev.numera.sequences.lists.StatusMap;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Maps the notation of a file to the property {@code notation} of its upload, and back. */
final class NotationJson {
    private static final String DATE_FORMAT = "dateFormat";
    private static final String CENTURY = "century";
    private static final String GROUPING = "grouping";
    private static final String DECIMAL = "decimal";
    private static final String STATUSES = "statusMap";
    private static final String WORD = "word";
    private static final String STATUS = "status";
    private static final String REASON = "reason";
    private static final String ZONE = "timeZone";
    private static final int MAX_UNITS = 1_000;
    private static final int MAX_YEAR = 9_999;
    private static final int MAX_WORDS = 10_000;

    private NotationJson() {}

    static ObjectNode write(CellNotation notation) {
        ObjectNode json = Json.object().put(ZONE, notation.zone().getId());
        if (!notation.dates().equals(DatePattern.ISO)) {
            json.put(DATE_FORMAT, notation.dates().pattern());
            put(json, CENTURY, notation.dates().century());
        }
        put(json, GROUPING, notation.numbers().grouping());
        put(json, DECIMAL, notation.numbers().decimal());
        put(json, REASON, notation.reason());
        notation.statuses()
                .kinds()
                .forEach((word, kind) ->
                        json.withArray(STATUSES).addObject().put(WORD, word).put(STATUS, EnumWord.of(kind)));
        return json;
    }

    private static void put(ObjectNode json, String name, @Nullable Object value) {
        if (value != null) {
            json.set(name, Json.of(value));
        }
    }

    static CellNotation read(Checked json) {
        return new CellNotation(
                true,
                dates(json),
                zone(json.member(ZONE)),
                numbers(json),
                statuses(json),
                json.optional(REASON).map(StoredRow::note).orElse(null));
    }

    private static DatePattern dates(Checked json) {
        @Nullable
        Integer century =
                json.optional(CENTURY).map(year -> year.int32(1, MAX_YEAR)).orElse(null);
        return json.optional(DATE_FORMAT)
                .map(pattern -> valid(pattern, () -> DatePattern.of(pattern.string(1, MAX_UNITS), century)))
                .orElse(DatePattern.ISO);
    }

    private static ZoneId zone(Checked json) {
        try {
            return ZoneId.of(json.string(1, MAX_UNITS));
        } catch (DateTimeException e) {
            throw json.refused("must be a time zone");
        }
    }

    private static NumberNotation numbers(Checked json) {
        return valid(json, () -> new NumberNotation(character(json, GROUPING), character(json, DECIMAL)));
    }

    private static @Nullable Character character(Checked json, String name) {
        return json.optional(name).map(value -> value.string(1, 1).charAt(0)).orElse(null);
    }

    private static StatusMap statuses(Checked json) {
        Map<String, Status.Kind> kinds = new HashMap<>();
        json.optional(STATUSES).ifPresent(pairs -> pairs.elements(1, MAX_WORDS)
                .forEach(pair -> kinds.put(
                        pair.member(WORD).string(1, MAX_UNITS),
                        StoredRow.word(pair.member(STATUS), Status.Kind.class))));
        return new StatusMap(kinds);
    }

    private static <T> T valid(Checked stored, Supplier<T> value) {
        try {
            return value.get();
        } catch (ProblemException e) {
            throw stored.refused("must be valid: " + e.getMessage());
        }
    }
}
