package dev.numera.functions.sequence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.functions.Exchange;
import dev.numera.functions.RequestBody;
import dev.numera.json.Fields;
import dev.numera.json.Json;
import dev.numera.model.Definition;
import dev.numera.model.DefinitionDraft;
import dev.numera.model.DefinitionField;
import dev.numera.model.Sequence;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A definition in JSON: what GET answers is exactly what PUT takes. */
final class DefinitionJson {
    private static final Set<String> NAMES =
            DefinitionField.ALL.stream().map(DefinitionField::name).collect(Collectors.toCollection(TreeSet::new));

    private DefinitionJson() {}

    static ObjectNode write(Definition definition) {
        Fields fields = new Fields();
        DefinitionField.ALL.forEach(field -> fields.put(field.name(), field.of(definition)));
        return fields.json();
    }

    /**
     * The body of a request.
     *
     * @throws ProblemException {@code invalid-request} with every field that is unknown or wrong by itself, and as
     *     {@link Exchange#object}
     */
    static DefinitionDraft read(Exchange call) {
        return read(call.object(Exchange.MAX_DEFINITION_UNITS));
    }

    private static DefinitionDraft read(ObjectNode json) {
        InvalidRequest invalid = new InvalidRequest();
        RequestBody.unknownFields(json, NAMES)
                .forEach(
                        name -> invalid.add(name, "is no field of a definition: they are " + String.join(", ", NAMES)));
        DefinitionDraft draft = DefinitionDraft.EMPTY;
        for (DefinitionField<?> field : DefinitionField.ALL) {
            if (json.has(field.name())) {
                draft = read(draft, field, json.get(field.name()), invalid);
            }
        }
        draft.check(invalid);
        invalid.throwIfAny();
        return draft;
    }

    private static <T> DefinitionDraft read(
            DefinitionDraft draft, DefinitionField<T> field, JsonNode value, InvalidRequest invalid) {
        Optional<T> read = field.value(scalar(value));
        if (read.isEmpty() && !value.isNull()) {
            invalid.add(field.name(), "must be " + field.kind());
            return draft;
        }
        return draft.with(field, read.orElse(null));
    }

    private static @Nullable Object scalar(JsonNode value) {
        OptionalLong whole = Json.whole(value);
        if (whole.isPresent()) {
            return whole.getAsLong();
        }
        return value.isBoolean() ? (Object) value.booleanValue() : value.textValue();
    }

    /** A definition with its tag, and what is remarked of it. */
    static HttpResponseMessage.Builder answer(Exchange call, int status, Sequence stored) {
        HttpResponseMessage.Builder response =
                call.json(status, write(stored.definition())).header("ETag", stored.tag());
        String note = stored.definition().note();
        return note == null ? response : response.header("Numera-Note", note);
    }
}
