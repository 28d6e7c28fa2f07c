package dev.numera.functions.http.sequence;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.core.problem.EnumWord;
import dev.numera.functions.App;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Need;
import dev.numera.functions.http.PageToken;
import dev.numera.functions.http.Query;
import dev.numera.functions.http.Right;
import dev.numera.json.Fields;
import dev.numera.sequences.catalog.Attention;
import dev.numera.sequences.catalog.AttentionEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists what needs a person, over all sequences. */
public final class AttentionFunction {
    private static final String SCOPE = "scope";
    private static final String NAME = "name";
    private static final String RESERVED_DAYS = "reservedDays";
    private static final String LIMIT = "limit";
    private static final int DEFAULT_DAYS = 7;
    private static final int MAX_DAYS = 3_650;

    private final App app;

    public AttentionFunction(App app) {
        this.app = app;
    }

    /** {@code GET /attention}: what needs a person. */
    @FunctionName("ListAttention")
    public HttpResponseMessage listAttention(
            @HttpTrigger(name = "request", methods = GET, route = "attention", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request) {
        return HttpCall.answer(app, request, Need.inQuery(Right.READ), call -> {
            Query query = call.queryAlone(SCOPE, RESERVED_DAYS, LIMIT, "continuation");
            String scope = query.scope();
            int days = query.number(RESERVED_DAYS, DEFAULT_DAYS, 0, MAX_DAYS);
            int limit = query.number(LIMIT, Attention.MAX_SEQUENCES, 1, Attention.MAX_SEQUENCES);
            PageToken<String> pages = PageToken.ofSequences("attention " + scope + " " + days);
            String start = pages.start(query);
            Attention.Found found = app.sequences()
                    .attention()
                    .look(scope, Duration.ofDays(days), limit, start, app.uploadReader(), app.oldUploads());
            List<AttentionEntry> entries = new ArrayList<>();
            if (scope == null && start == null) {
                long failed = app.failedMessages();
                if (failed > 0) {
                    entries.add(AttentionEntry.ofMessages(failed));
                }
            }
            entries.addAll(found.entries());
            call.share()
                    .hold(entries.stream().mapToLong(AttentionEntry::characters).sum());
            return call.ok(new Fields()
                    .putEach("entries", entries, AttentionFunction::json)
                    .put("searched", found.searched())
                    .put("continuation", pages.token(found.next())));
        });
    }

    private static ObjectNode json(AttentionEntry entry) {
        Fields fields = new Fields()
                .put("kind", EnumWord.of(entry.kind()))
                .put(SCOPE, entry.scope())
                .put(NAME, entry.name())
                .put("since", entry.since())
                .put("until", entry.until())
                .put("count", entry.count())
                .put("used", entry.used())
                .put("left", entry.left())
                .put("month", entry.month() == null ? null : entry.month().toString())
                .put(entry.kind() == AttentionEntry.Kind.RESERVED ? "key" : "reason", entry.note())
                .put("problem", entry.problem());
        if (entry.upload() != null) {
            fields.put("list", EnumWord.of(entry.upload().kind()))
                    .put("id", entry.upload().id());
        }
        return fields.put("action", entry.action()).json();
    }
}
