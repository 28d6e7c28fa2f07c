package dev.numera.functions.http.sequence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.core.model.Change;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.functions.http.HttpCall;
import dev.numera.json.Fields;
import dev.numera.json.Json;
import dev.numera.json.RequestBody;
import dev.numera.sequences.catalog.ListedSequence;
import dev.numera.sequences.definition.SequenceState;
import dev.numera.sequences.ledger.Closing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads definitions from JSON, and writes definitions, states, changes and entries of lists. GET returns a definition
 * in the form that PUT accepts.
 */
final class SequenceJson {
    private static final Set<String> FIELDS =
            DefinitionField.ALL.stream().map(DefinitionField::name).collect(Collectors.toCollection(TreeSet::new));

    /** The most characters of a problem in the place of an item. */
    private static final long CHARACTERS_OF_A_PROBLEM = 1_000;

    private SequenceJson() {}

    /** Returns the most characters of an item, or of the problem in its place. */
    static <T> long characters(Result<T> result, ToLongFunction<T> ofItem) {
        return result.isRefused() ? CHARACTERS_OF_A_PROBLEM : ofItem.applyAsLong(result.orThrow());
    }

    static ObjectNode of(Definition definition) {
        Fields fields = new Fields();
        DefinitionField.ALL.forEach(field -> fields.put(field.name(), field.shown(definition)));
        return fields.json();
    }

    /**
     * Reads the definition in the body of a request.
     *
     * @throws ProblemException {@code invalid-request} with every field that is unknown or wrong by itself, and as
     *     {@link HttpCall#object}
     */
    static DefinitionDraft readDefinition(HttpCall call) {
        return read(call.object(HttpCall.MAX_DEFINITION_UNITS));
    }

    private static DefinitionDraft read(ObjectNode json) {
        InvalidRequest invalid = new InvalidRequest();
        RequestBody.unknownFields(json, FIELDS)
                .forEach(name ->
                        invalid.add(name, "is no field of a definition: they are " + String.join(", ", FIELDS)));
        DefinitionDraft.Builder fields = new DefinitionDraft.Builder();
        for (DefinitionField<?> field : DefinitionField.ALL) {
            JsonNode value = json.get(field.name());
            if (value != null) {
                read(fields, field, value, invalid);
            }
        }
        DefinitionDraft draft = fields.build();
        draft.check(invalid);
        invalid.throwIfAny();
        return draft;
    }

    private static <T> void read(
            DefinitionDraft.Builder fields, DefinitionField<T> field, JsonNode value, InvalidRequest invalid) {
        Optional<T> read = field.value(scalar(value));
        if (read.isEmpty() && !value.isNull()) {
            invalid.add(field.name(), "must be " + field.kind());
        } else {
            fields.put(field, read.orElse(null));
        }
    }

    private static @Nullable Object scalar(JsonNode value) {
        OptionalLong whole = Json.whole(value);
        if (whole.isPresent()) {
            return whole.getAsLong();
        }
        return value.isBoolean() ? (Object) value.booleanValue() : value.textValue();
    }

    /** Answers with a definition, its entity tag and, if there is one, a note on it. */
    static HttpResponseMessage.Builder answer(HttpCall call, int status, Sequence stored) {
        HttpResponseMessage.Builder response =
                call.json(status, of(stored.definition())).header("ETag", stored.tag());
        String note = stored.definition().note();
        return note == null ? response : response.header("Numera-Note", note);
    }

    static ObjectNode of(SequenceState state) {
        return new Fields()
                .put("scope", state.name().scope())
                .put("name", state.name().name())
                .putPeriod(state.period())
                .put("next", state.next())
                .put("nextText", state.nextText())
                .put("allocated", state.allocated())
                .put("left", state.left())
                .put("used", rounded(state.used()))
                .put("lastDate", state.lastDate())
                .put("firstAllocatedAt", state.firstAllocatedAt())
                .put("changedAt", state.changedAt())
                .put("suspendedAt", state.suspendedAt())
                .put("retiredAt", state.retiredAt())
                .json();
    }

    static ObjectNode ofPeriod(SequenceName sequence, Map.Entry<String, Result<SequenceState>> period) {
        Result<SequenceState> state = period.getValue();
        return state.isRefused()
                ? new Fields()
                        .put("scope", sequence.scope())
                        .put("name", sequence.name())
                        .putPeriod(period.getKey())
                        .put("problem", state.refusal())
                        .json()
                : of(state.orThrow());
    }

    /** Writes the state of a sequence whose ids come from a clock. */
    static ObjectNode withoutCounter(Sequence sequence) {
        return new Fields()
                .put("scope", sequence.name().scope())
                .put("name", sequence.name().name())
                .put("suspendedAt", sequence.suspension().since())
                .json();
    }

    /** Rounds to four decimal places. */
    private static double rounded(double share) {
        return Math.round(share * 10_000) / 10_000.0;
    }

    static ObjectNode of(ListedSequence entry) {
        Fields fields = new Fields().put("scope", entry.scope()).put("name", entry.name());
        Sequence stored = entry.definition();
        if (stored != null) {
            fields.put("definition", of(stored.definition())).put("retiredAt", stored.retiredAt());
        }
        if (entry.state() != null) {
            fields.put("state", of(entry.state()));
        }
        return fields.put("problem", entry.problem()).json();
    }

    static ObjectNode ofChange(Result<Change> change) {
        return Fields.ofAnswer(change, SequenceJson::of);
    }

    private static ObjectNode of(Change change) {
        Fields fields = new Fields()
                .put("kind", change.kind())
                .put("at", change.position().at())
                .putActor(change.note().actor())
                .put("reason", change.note().reason());
        List<Change.FieldChange> shown = Closing.shown(change);
        if (!shown.isEmpty()) {
            fields.put("fields", shown);
        }
        if (change.kind() == Change.Kind.IMPORTED) {
            fields.put("import", change.position().id());
        }
        Change.Move move = change.move();
        if (move != null) {
            fields.putPeriod(move.period())
                    .put("previousNext", move.previousNext())
                    .put("next", move.next());
        }
        return fields.json();
    }
}
