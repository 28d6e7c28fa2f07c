package dev.numera.functions.http.ledger;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.functions.App;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Need;
import dev.numera.functions.http.PageToken;
import dev.numera.functions.http.Query;
import dev.numera.functions.http.Right;
import dev.numera.json.Fields;
import dev.numera.sequences.catalog.SequenceSearch;
import dev.numera.sequences.ledger.LedgerLine;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds a key, a text or a number over all sequences. */
public final class FindFunction {
    private static final String QUERY = "q";
    private static final String SCOPE = "scope";
    private static final String LIMIT = "limit";

    private final App app;

    public FindFunction(App app) {
        this.app = app;
    }

    /** {@code GET /find}: which sequences have a key, a text or a number. */
    @FunctionName("Find")
    public HttpResponseMessage find(
            @HttpTrigger(name = "request", methods = GET, route = "find", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request) {
        return HttpCall.answer(app, request, Need.inQuery(Right.READ), call -> {
            Query query = call.queryAlone(SCOPE, QUERY, LIMIT, "continuation");
            String scope = query.scope();
            String wanted = required(query.text(QUERY));
            int sequences = query.number(LIMIT, SequenceSearch.MAX_SEQUENCES, 1, SequenceSearch.MAX_SEQUENCES);
            PageToken<String> pages = PageToken.ofSequences("find " + scope + " " + wanted);
            SequenceSearch.Found found = app.sequences().search().find(scope, wanted, sequences, pages.start(query));
            call.share()
                    .hold(found.hits().stream()
                            .map(SequenceSearch.Hit::entry)
                            .mapToLong(LedgerLine::characters)
                            .sum());
            return call.ok(new Fields()
                    .putEach("entries", found.hits(), FindFunction::json)
                    .put("searched", found.searched())
                    .putEach("unsearched", found.unsearched(), FindFunction::json)
                    .put("continuation", pages.token(found.next())));
        });
    }

    /** Checks the search text. The limit is the length of a key, because keys can be longer than texts and numbers. */
    private static String required(@Nullable String query) {
        int most = PrintableText.KEY.maxUnits();
        if (query == null || query.length() > most) {
            throw InvalidRequest.because(QUERY, "must have 1 to " + most + " characters");
        }
        return query;
    }

    private static ObjectNode json(SequenceSearch.Hit hit) {
        return LedgerJson.fields(hit.entry())
                .put(SCOPE, hit.sequence().scope())
                .put("name", hit.sequence().name())
                .put("foundBy", hit.foundBy())
                .json();
    }

    private static ObjectNode json(SequenceSearch.Unsearched unsearched) {
        return new Fields()
                .put(SCOPE, unsearched.scope())
                .put("name", unsearched.name())
                .put("periodsBefore", unsearched.before())
                .put("periodsAfter", unsearched.after())
                .put("problem", unsearched.problem())
                .json();
    }
}
