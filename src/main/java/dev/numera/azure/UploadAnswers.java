package dev.numera.azure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.model.Series;
import dev.numera.core.problem.Actor;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.sequences.access.PrintedAllocation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps the answer to one row of an upload to JSON and back. The format is described in docs/tables.md. */
final class UploadAnswers {
    private static final int MAX_DETAIL_UNITS = 100_000;

    /** Small enough for 490 answers, with the commas between them, in the 500,000 units of a row. */
    private static final int MAX_BRIEF_UNITS = 1_000;

    private static final int MAX_REASON_UNITS = 200;
    private static final List<String> NOTES = List.of("reason", "actor", "actorId", "statusActor", "statusActorId");
    private static final List<String> STATUS = List.of("status", "statusAt");

    private static final String NO_ROOM =
            ". There was no room for more, with so many refused at once: request this one alone.";

    private UploadAnswers() {}

    static ObjectNode write(Result<PrintedAllocation> result) {
        ObjectNode json = Json.object();
        ProblemException problem = result.problem();
        if (problem != null) {
            json.put("problem", problem.type().urn()).put("detail", problem.getMessage());
            return json.set("members", Json.of(problem.members()));
        }
        PrintedAllocation printed = result.orThrow();
        printed.with(null, null).members().forEach((name, value) -> json.set(name, Json.of(value)));
        return printed.texts() == null || printed.count() > 1
                ? json
                : json.put("text", printed.texts().get(0));
    }

    /**
     * Like {@link #write}, but in at most {@value #MAX_BRIEF_UNITS} units. A refusal keeps only its type and the fields
     * that callers need. Numbers that would still be too long lose their actors and status, which the ledger has.
     *
     * <p>Why this suffices: a key or a text has at most 255 characters, which are 510 units if JSON escapes each, and
     * an answer contains only one of the two. The other fields take at most 410 units in the longest refusal, which is
     * that of a voided key, and 170 for numbers. An invalid value has one error, whose reason has at most 406 units.
     */
    static ObjectNode writeBriefly(Result<PrintedAllocation> result) {
        ObjectNode json = write(result);
        if (result.isRefused()) {
            json.put("detail", result.refusal().type().title() + NO_ROOM);
            shorten(json.path("members"));
        } else if (json.toString().length() > MAX_BRIEF_UNITS) {
            json.remove(NOTES);
            json.remove(STATUS);
        }
        return json;
    }

    private static void shorten(JsonNode members) {
        if (members.path("allocation") instanceof ObjectNode allocation) {
            allocation.remove(NOTES);
            allocation.remove("texts");
        }
        for (JsonNode error : members.path("errors")) {
            String reason = error.path("reason").asText();
            ((ObjectNode) error).put("reason", Excerpt.of(reason, MAX_REASON_UNITS));
        }
    }

    static Result<PrintedAllocation> read(Checked json) {
        return json.optional("problem").isPresent() ? Result.refused(problem(json)) : Result.of(numbers(json));
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

    private static PrintedAllocation numbers(Checked json) {
        long first = StoredRow.number(json.member("first"));
        int count = StoredRow.count(json.member("count"));
        long last = StoredRow.number(json.member("last"));
        long increment = json.member("increment").int64(-Series.LARGEST_INCREMENT, Series.LARGEST_INCREMENT);
        if (!Series.isIncrement(increment) || last != first + (count - 1) * increment) {
            throw json.member("last").refused("must be first + (count - 1) * increment");
        }
        return new PrintedAllocation(
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
                        actor(json, "statusActor")),
                actor(json, "actor"));
    }

    private static @Nullable String actor(Checked json, String name) {
        String id = json.optional(name + "Id").map(StoredRow::actorId).orElse(null);
        return Actor.of(json.optional(name).map(StoredRow::note).orElse(null), id);
    }

    private static String text(Checked text, int count) {
        if (count != 1) {
            throw text.refused("must be missing where there are several numbers");
        }
        return StoredRow.text(text);
    }

    /** Reads a period; an answer of a sequence that is never reset has no such field. */
    private static String period(Checked period) {
        if (StoredRow.period(period).isEmpty()) {
            throw period.refused("must be a year, a month or a day");
        }
        return StoredRow.period(period);
    }
}
