package dev.numera.functions.ledger;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.counter.CharacterBudget;
import dev.numera.counter.KeyStatus;
import dev.numera.counter.SequenceName;
import dev.numera.format.Format;
import dev.numera.functions.App;
import dev.numera.functions.Continuation;
import dev.numera.functions.Endpoint;
import dev.numera.functions.Json;
import dev.numera.functions.Query;
import dev.numera.functions.RequestBody;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.PrintableText;
import dev.numera.sequence.Ledger;
import dev.numera.sequence.LedgerPosition;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code GET /sequences/{scope}/{name}/ledger}: who got which number. */
public final class ReadLedgerFunction {
    private static final Set<String> PARAMETERS =
            Set.of("from", "to", "key", "text", "date", "dateFrom", "dateTo", "status", "limit", "continuation");

    /** A page ends early before an entry with which it would have more. */
    private static final long MAX_CHARACTERS = 1_000_000;

    /** By these the ledger has an index. */
    private static final List<KeyStatus.Status> MARKED = List.of(KeyStatus.Status.RESERVED, KeyStatus.Status.VOID);

    private final App app;

    public ReadLedgerFunction(App app) {
        this.app = app;
    }

    @FunctionName("ReadLedger")
    public HttpResponseMessage readLedger(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.GET,
                            route = "sequences/{scope}/{name}/ledger",
                            authLevel = AuthorizationLevel.FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return Endpoint.answer(request, share -> {
            Query query = Query.of(request, PARAMETERS);
            RequestBody.requireNone(request);
            SequenceName sequence = new SequenceName(scope, name);
            return answer(request, query, sequence, share);
        });
    }

    private HttpResponseMessage answer(
            HttpRequestMessage<Optional<String>> request,
            Query query,
            SequenceName sequence,
            CharacterBudget.Share share) {
        String pagesOf = Stream.of("date", "from", "to", "dateFrom", "dateTo", "status")
                .map(query::text)
                .map(String::valueOf)
                .collect(Collectors.joining(" ", "ledger " + sequence + " ", ""));
        ToLongFunction<Ledger.Entry> characters =
                Endpoint.wantsCsv(request) ? LedgerCsv::characters : Ledger.Entry::characters;
        Ledger.Page page = page(sequence, query, pagesOf)
                .within(MAX_CHARACTERS, characters, NumberRange.of(query).to());
        share.hold(page.entries().stream().mapToLong(characters).sum());
        String position = NumberRange.text(page.next());
        HttpResponseMessage.Builder response;
        if (Endpoint.wantsCsv(request)) {
            response = Endpoint.csv(request, LedgerCsv.write(page.entries()));
            if (position != null) {
                response.header("Link", "<" + query.next(Continuation.encode(position, pagesOf)) + ">; rel=\"next\"");
            }
        } else {
            response = Endpoint.json(request, 200, Endpoint.withContinuation(json(page.entries()), position, pagesOf));
        }
        return response.header("Vary", "Accept").build();
    }

    private Ledger.Page page(SequenceName sequence, Query query, String pagesOf) {
        Ledger ledger = app.sequences().ledger();
        String key = query.text("key");
        String text = query.text("text");
        int limit = query.number("limit", 100, 1, 1_000);
        if (key != null) {
            query.requireAlone("key");
            PrintableText.KEY.require("key", key);
            return only(ledger.find(sequence, key));
        }
        if (text != null) {
            query.requireAlone("text");
            if (text.length() > Format.MAX_TEXT_LENGTH) {
                throw InvalidRequest.because("text", "must have at most " + Format.MAX_TEXT_LENGTH + " characters");
            }
            return only(ledger.findText(sequence, text));
        }
        NumberRange range = NumberRange.of(query);
        LedgerPosition position = range.position(query.continuation(pagesOf));
        LocalDate date = query.date("date");
        KeyStatus.Status status = query.choice("status", MARKED);
        Ledger.Wanted wanted = wanted(query, range);
        if (status != null) {
            return ledger.readMarked(sequence, status, wanted, date, position, limit);
        }
        return wanted.isByDate()
                ? ledger.readDated(sequence, wanted, date, position, limit)
                : ledger.read(sequence, wanted, date, position, limit);
    }

    private static Ledger.Wanted wanted(Query query, NumberRange range) {
        LocalDate dateFrom = query.date("dateFrom");
        LocalDate dateTo = query.date("dateTo");
        if (dateFrom != null && dateTo != null && dateFrom.isAfter(dateTo)) {
            throw InvalidRequest.because("dateFrom", "must not be later than dateTo");
        }
        return new Ledger.Wanted(range.from(), range.to(), dateFrom, dateTo);
    }

    private static Ledger.Page only(Optional<Ledger.Entry> entry) {
        return new Ledger.Page(entry.stream().toList(), null);
    }

    private static ObjectNode json(List<Ledger.Entry> entries) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("entries");
        entries.forEach(entry -> write(entry, array.addObject()));
        return json;
    }

    private static void write(Ledger.Entry entry, ObjectNode json) {
        json.put("kind", entry.kind());
        if (!entry.isAdvance()) {
            json.put("key", entry.key());
        }
        json.put("first", entry.first()).put("last", entry.last());
        if (!entry.isAdvance()) {
            json.put("count", entry.count());
        }
        if (entry.texts() != null) {
            json.putPOJO("texts", entry.texts());
        }
        if (!entry.period().isEmpty()) {
            json.put("period", entry.period());
        }
        if (entry.date() != null) {
            json.put("date", entry.date().toString());
        }
        json.put("allocatedAt", entry.allocatedAt().toString());
        if (entry.advanceReason() != null) {
            json.put("reason", entry.advanceReason());
        }
        Json.write(entry.status(), json);
    }
}
