package dev.numera.functions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.counter.Guarantee;
import dev.numera.format.ResetEvery;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import dev.numera.sequence.Definition;
import dev.numera.sequence.DefinitionDraft;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A definition in JSON: what GET answers is exactly what PUT takes. */
final class DefinitionJson {
    private static final Set<String> FIELDS = Set.of(
            "guarantee",
            "start",
            "increment",
            "minValue",
            "maxValue",
            "cycle",
            "cacheSize",
            "format",
            "resetEvery",
            "timeZone",
            "fiscalYearStart");

    private DefinitionJson() {}

    static ObjectNode write(Definition definition) {
        ObjectNode json = Json.object()
                .put("guarantee", Word.of(definition.fixed().guarantee()))
                .put("start", definition.fixed().start())
                .put("increment", definition.fixed().increment())
                .put("minValue", definition.minValue())
                .put("maxValue", definition.maxValue())
                .put("cycle", definition.fixed().cycle())
                .put("cacheSize", definition.cacheSize());
        if (definition.format() != null) {
            json.put("format", definition.format());
        }
        return json.put("resetEvery", Word.of(definition.fixed().resetEvery()))
                .put("timeZone", definition.fixed().timeZone().getId())
                .put("fiscalYearStart", definition.fixed().fiscalYearStart());
    }

    /** @throws ProblemException {@code invalid-request} with every field that is unknown or wrong by itself */
    static DefinitionDraft read(ObjectNode json) {
        Fields fields = new Fields(json);
        DefinitionDraft draft = new DefinitionDraft(
                fields.choice("guarantee", Guarantee.class),
                fields.whole("start"),
                fields.whole("increment"),
                fields.whole("minValue"),
                fields.whole("maxValue"),
                fields.truth("cycle"),
                fields.small("cacheSize"),
                fields.text("format"),
                fields.choice("resetEvery", ResetEvery.class),
                fields.text("timeZone"),
                fields.small("fiscalYearStart"));
        draft.check(fields.invalid);
        fields.invalid.throwIfAny();
        return draft;
    }

    /** Reads field by field; a field that is null is as one left out. */
    private static final class Fields {
        private final ObjectNode json;
        private final InvalidRequest invalid = new InvalidRequest();

        Fields(ObjectNode json) {
            this.json = json;
            for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
                String name = names.next();
                if (!FIELDS.contains(name)) {
                    invalid.add(
                            name, "is no field of a definition: they are " + String.join(", ", new TreeSet<>(FIELDS)));
                }
            }
        }

        @Nullable
        Long whole(String name) {
            JsonNode value = json.path(name);
            OptionalLong whole = Json.whole(value);
            if (whole.isEmpty() && !isLeftOut(value)) {
                invalid.add(name, "must be a whole number within 64 bits");
            }
            return whole.isPresent() ? (Long) whole.getAsLong() : null;
        }

        @Nullable
        Integer small(String name) {
            JsonNode value = json.path(name);
            OptionalLong whole = Json.whole(value);
            boolean isSmall = whole.isPresent() && whole.getAsLong() == (int) whole.getAsLong();
            if (!isSmall && !isLeftOut(value)) {
                invalid.add(name, "must be a whole number within 32 bits");
            }
            return isSmall ? (Integer) (int) whole.getAsLong() : null;
        }

        @Nullable
        Boolean truth(String name) {
            JsonNode value = json.path(name);
            if (isLeftOut(value) || value.isBoolean()) {
                return isLeftOut(value) ? null : (Boolean) value.booleanValue();
            }
            invalid.add(name, "must be true or false");
            return null;
        }

        @Nullable
        String text(String name) {
            JsonNode value = json.path(name);
            if (isLeftOut(value) || value.isTextual()) {
                return value.textValue();
            }
            invalid.add(name, "must be a text");
            return null;
        }

        <E extends Enum<E>> @Nullable E choice(String name, Class<E> choices) {
            JsonNode value = json.path(name);
            if (isLeftOut(value)) {
                return null;
            }
            Optional<E> choice = value.isTextual() ? Word.find(value.textValue(), choices) : Optional.empty();
            if (choice.isEmpty()) {
                invalid.add(name, "must be one of " + Word.list(choices));
            }
            return choice.orElse(null);
        }

        private static boolean isLeftOut(JsonNode value) {
            return value.isMissingNode() || value.isNull();
        }
    }
}
