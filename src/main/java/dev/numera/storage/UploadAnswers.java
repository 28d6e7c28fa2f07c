package dev.numera.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.model.Series;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Numbers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the answer to a row of an upload is stored: described in docs/tables.md. */
final class UploadAnswers {
    private static final int MAX_DETAIL_UNITS = 100_000;

    private static final String NO_ROOM =
            ". There was no room for more, with so many refused at once: request this one alone.";

    private UploadAnswers() {}

    static ObjectNode write(Answer<Numbers> answer) {
        ObjectNode json = Json.object();
        ProblemException problem = answer.problem();
        if (problem != null) {
            json.put("problem", problem.type().urn()).put("detail", problem.getMessage());
            return json.set("members", Json.of(problem.members()));
        }
        Numbers numbers = answer.orThrow();
        numbers.with(null, null).members().forEach((name, value) -> json.set(name, Json.of(value)));
        return numbers.texts() == null || numbers.count() > 1
                ? json
                : json.put("text", numbers.texts().get(0));
    }

    /**
     * As {@link #write}, but of a refusal only its kind and what its readers count on: of what may be long, that is the
     * row's key, or its text, once.
     */
    static ObjectNode writeBriefly(Answer<Numbers> answer) {
        ObjectNode json = write(answer);
        if (answer.isRefused()) {
            json.put("detail", answer.refusal().type().title() + NO_ROOM);
            if (json.path("members").path("allocation") instanceof ObjectNode allocation) {
                allocation.remove(List.of("texts", "reason"));
            }
        }
        return json;
    }

    static Answer<Numbers> read(Checked json) {
        return json.optional("problem").isPresent() ? Answer.refused(problem(json)) : Answer.of(numbers(json));
    }

    private static ProblemException problem(Checked json) {
        return new ProblemException(
                type(json.member("problem")),
                json.member("detail").string(0, MAX_DETAIL_UNITS),
                json.member("members").plain());
    }

    private static ProblemType type(Checked json) {
        try {
            return ProblemType.ofUrn(json.string(1, StoredRow.MAX_ID_UNITS));
        } catch (IllegalArgumentException e) {
            throw json.refused("must be a problem type that this version knows, though a newer one may know more");
        }
    }

    private static Numbers numbers(Checked json) {
        long first = StoredRow.number(json.member("first"));
        int count = StoredRow.count(json.member("count"));
        long last = StoredRow.number(json.member("last"));
        long increment = json.member("increment").int64(-Series.LARGEST_INCREMENT, Series.LARGEST_INCREMENT);
        if (!Series.isIncrement(increment) || last != first + (count - 1) * increment) {
            throw json.member("last").refused("must be first + (count - 1) * increment");
        }
        return new Numbers(
                null,
                first,
                last,
                count,
                increment,
                json.optional("text").map(text -> List.of(text(text, count))).orElse(null),
                json.optional("date").map(Checked::date).orElse(null),
                json.optional("period").map(UploadAnswers::period).orElse(null),
                json.optional("replayed").map(Checked::bool).orElse(false),
                StoredRow.status(
                        json.optional("status"),
                        json.member("statusAt"),
                        json.member("reason"),
                        note(json, "statusActor")),
                note(json, "actor"));
    }

    private static @Nullable String note(Checked json, String name) {
        return json.optional(name).map(StoredRow::note).orElse(null);
    }

    private static String text(Checked text, int count) {
        if (count != 1) {
            throw text.refused("must be missing where there are several numbers");
        }
        return StoredRow.text(text);
    }

    /** It is left out where the sequence is never reset. */
    private static String period(Checked period) {
        if (StoredRow.period(period).isEmpty()) {
            throw period.refused("must be a year, a month or a day");
        }
        return StoredRow.period(period);
    }
}
