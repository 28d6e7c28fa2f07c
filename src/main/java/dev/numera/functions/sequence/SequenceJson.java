package dev.numera.functions.sequence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.json.Fields;
import dev.numera.model.Change;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.problem.Answer;
import dev.numera.sequence.Listing;
import dev.numera.sequence.SequenceState;
import java.util.Map;

/** States, changes and entries of lists in JSON. */
final class SequenceJson {
    private SequenceJson() {}

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

    static ObjectNode ofPeriod(SequenceName sequence, Map.Entry<String, Answer<SequenceState>> period) {
        Answer<SequenceState> state = period.getValue();
        return state.isRefused()
                ? new Fields()
                        .put("scope", sequence.scope())
                        .put("name", sequence.name())
                        .putPeriod(period.getKey())
                        .put("problem", state.refusal())
                        .json()
                : of(state.orThrow());
    }

    /** The state of a sequence whose ids come from a clock. */
    static ObjectNode withoutCounter(Sequence sequence) {
        return new Fields()
                .put("scope", sequence.name().scope())
                .put("name", sequence.name().name())
                .put("suspendedAt", sequence.suspension().since())
                .json();
    }

    /** To four digits. */
    private static double rounded(double share) {
        return Math.round(share * 10_000) / 10_000.0;
    }

    static ObjectNode of(Listing.Entry entry) {
        Fields fields = new Fields().put("scope", entry.scope()).put("name", entry.name());
        Sequence stored = entry.definition();
        if (stored != null) {
            fields.put("definition", DefinitionJson.write(stored.definition())).put("retiredAt", stored.retiredAt());
        }
        if (entry.state() != null) {
            fields.put("state", of(entry.state()));
        }
        return fields.put("problem", entry.problem()).json();
    }

    static ObjectNode ofChange(Answer<Change> change) {
        return Fields.ofAnswer(change, SequenceJson::of);
    }

    private static ObjectNode of(Change change) {
        Fields fields = new Fields()
                .put("kind", change.kind())
                .put("at", change.position().at())
                .put("actor", change.note().actor())
                .put("reason", change.note().reason());
        if (!change.fields().isEmpty()) {
            fields.put("fields", change.fields());
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
