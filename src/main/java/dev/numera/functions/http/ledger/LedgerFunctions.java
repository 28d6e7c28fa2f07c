package dev.numera.functions.http.ledger;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.HttpMethod.POST;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.core.format.Format;
import dev.numera.core.format.ParsedText;
import dev.numera.core.format.Period;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.functions.App;
import dev.numera.functions.http.CsvForm;
import dev.numera.functions.http.CsvName;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Need;
import dev.numera.functions.http.PageToken;
import dev.numera.functions.http.Query;
import dev.numera.functions.http.Right;
import dev.numera.json.Fields;
import dev.numera.json.Json;
import dev.numera.json.RequestBody;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.ledger.CheckedPage;
import dev.numera.sequences.ledger.DateCheck;
import dev.numera.sequences.ledger.LedgerFilter;
import dev.numera.sequences.ledger.LedgerGap;
import dev.numera.sequences.ledger.LedgerLine;
import dev.numera.sequences.ledger.LedgerPosition;
import dev.numera.sequences.ledger.LedgerReader;
import dev.numera.sequences.ledger.StatusChanges;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls on the ledger of a sequence: reading and checking it, accepting gaps, changing the status of a number, and
 * parsing a text.
 */
public final class LedgerFunctions {
    private static final String SEQUENCE = "sequences/{scope}/{name}";
    private static final String KEY_PREFIX = "keyPrefix";
    private static final String ORDER = "order";
    private static final String ACTOR = "actor";
    private static final String REASON = "reason";
    private static final String[] READ = CsvForm.with(
            "from",
            "to",
            "key",
            KEY_PREFIX,
            "text",
            "date",
            "dateFrom",
            "dateTo",
            "status",
            ORDER,
            ACTOR,
            REASON,
            "limit",
            "continuation");
    private static final String[] CHECK = {"from", "to", "date", "dateFrom", "dateTo", "reservedBefore", "continuation"
    };
    private static final String KEY = "key";
    private static final String STATUS = "status";
    private static final String TEXT = "text";
    private static final String FIRST = "first";
    private static final String LAST = "last";
    private static final String DATE = "date";

    /** The most characters of a page. A page ends before the entry that would exceed them. */
    private static final long MAX_CHARACTERS = 1_000_000;

    /** The statuses that a query can select, because the ledger has an index of them. */
    private static final List<Status.Kind> MARKED = List.of(Status.Kind.RESERVED, Status.Kind.VOID);

    /** The order of entries. {@code DESC}: farthest in the direction of the increment first, the last period first. */
    private enum EntryOrder {
        ASC,
        DESC
    }

    private final App app;

    public LedgerFunctions(App app) {
        this.app = app;
    }

    /** {@code GET /sequences/{scope}/{name}/ledger}: the allocated numbers with their keys. */
    @FunctionName("ReadLedger")
    public HttpResponseMessage readLedger(
            @HttpTrigger(name = "request", methods = GET, route = SEQUENCE + "/ledger", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(
                app,
                request,
                Need.in(scope, Right.READ),
                call -> answer(call, call.queryAlone(READ), new SequenceName(scope, name)));
    }

    /** {@code GET /sequences/{scope}/{name}/check}: whether every number is accounted for. */
    @FunctionName("CheckLedger")
    public HttpResponseMessage checkLedger(
            @HttpTrigger(name = "request", methods = GET, route = SEQUENCE + "/check", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.READ, Right.DEFINE), call -> {
            Query query = call.queryAlone(CHECK);
            SequenceName sequence = new SequenceName(scope, name);
            LedgerFilter range = wanted(query);
            if (range.isOfDates()) {
                requireAlone(query);
                return call.ok(checkDates(sequence, query, range));
            }
            PageToken<LedgerPosition> pages = pages(
                    "check " + sequence + " " + query.text("date") + " " + range.from() + " " + range.to() + " "
                            + query.text("reservedBefore"),
                    range);
            CheckedPage<LedgerPosition> page = app.sequences()
                    .ledgerCheck()
                    .check(
                            sequence,
                            range.from(),
                            range.to(),
                            query.date("date"),
                            query.instant("reservedBefore"),
                            pages.start(query));
            return call.ok(LedgerJson.of(sequence, page, range).put("continuation", pages.token(page.next())));
        });
    }

    /** {@code POST /sequences/{scope}/{name}/gaps}: accepts a gap that an import left. */
    @FunctionName("AcceptGap")
    public HttpResponseMessage acceptGap(
            @HttpTrigger(name = "request", methods = POST, route = SEQUENCE + "/gaps", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.DEFINE), call -> {
            call.query();
            ObjectNode body = call.fields(FIRST, LAST, DATE, REASON);
            ChangeNote note = new ChangeNote(call.headers().actor(), RequestBody.requireText(body, REASON));
            PrintableText.REASON.require(REASON, RequestBody.requireText(body, REASON));
            CounterOutcome.Accepted accepted = app.sequences()
                    .imports()
                    .accept(
                            new SequenceName(scope, name),
                            number(body, FIRST),
                            number(body, LAST),
                            body.has(DATE) ? FieldParsers.date(DATE, RequestBody.requireText(body, DATE)) : null,
                            note);
            return call.ok(new Fields()
                    .putPeriod(accepted.period())
                    .put(FIRST, accepted.first())
                    .put(LAST, accepted.last())
                    .put("kind", LedgerGap.Kind.ADVANCED)
                    .put(REASON, accepted.note().reason())
                    .putActor(accepted.note().actor()));
        });
    }

    private static long number(ObjectNode body, String field) {
        return FieldParsers.wholeNumber(field, Json.whole(body.path(field)));
    }

    /** Refuses a range of numbers together with a range of dates: the result would answer neither question. */
    private static void requireAlone(Query query) {
        for (String other : List.of("from", "to", "date")) {
            if (query.text(other) != null) {
                throw InvalidRequest.because(
                        other, "must not be combined with dateFrom or dateTo: check a range of numbers or of dates");
            }
        }
    }

    private Fields checkDates(SequenceName sequence, Query query, LedgerFilter wanted) {
        Instant reservedBefore = query.instant("reservedBefore");
        PageToken<DateCheck.Position> pages = datePages("check " + sequence + " " + wanted.dateFrom() + " "
                + wanted.dateTo() + " " + query.text("reservedBefore"));
        CheckedPage<DateCheck.Position> page =
                app.sequences().dateCheck().check(sequence, wanted, reservedBefore, pages.start(query));
        return LedgerJson.of(sequence, page, wanted).put("continuation", pages.token(page.next()));
    }

    private static PageToken<DateCheck.Position> datePages(String pagesOf) {
        return new PageToken<>(
                pagesOf,
                at -> List.of(at.period(), at.next(), at.isSearched(), at.from(), at.to(), at.least(), at.greatest()),
                parts -> new DateCheck.Position(
                        new Period(parts.get(0)).id(),
                        Long.parseLong(parts.get(1)),
                        Boolean.parseBoolean(parts.get(2)),
                        Long.parseLong(parts.get(3)),
                        Long.parseLong(parts.get(4)),
                        Long.parseLong(parts.get(5)),
                        Long.parseLong(parts.get(6))));
    }

    /** {@code POST /sequences/{scope}/{name}/status}: confirms a reserved number, or voids a reserved or issued one. */
    @FunctionName("ChangeStatus")
    public HttpResponseMessage changeStatus(
            @HttpTrigger(name = "request", methods = POST, route = SEQUENCE + "/status", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.ALLOCATE), call -> {
            call.query();
            ObjectNode body = call.fields(KEY, STATUS, REASON);
            PrintedAllocation changed =
                    change(new SequenceName(scope, name), body, call.headers().actor(), call.share());
            return call.ok(Fields.of(changed.members()));
        });
    }

    /** {@code POST /sequences/{scope}/{name}/parse}: converts a text back to its number and period. */
    @FunctionName("ParseText")
    public HttpResponseMessage parseText(
            @HttpTrigger(name = "request", methods = POST, route = SEQUENCE + "/parse", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("scope") String scope,
            @BindingName("name") String name) {
        return HttpCall.answer(app, request, Need.in(scope, Right.ALLOCATE, Right.READ, Right.DEFINE), call -> {
            call.query();
            SequenceName sequence = new SequenceName(scope, name);
            String text = text(call.fields(TEXT));
            ParsedText parsed = app.sequences().ledger().parse(sequence, text);
            return call.ok(new Fields()
                    .put("number", parsed.number())
                    .putPeriod(parsed.period().id()));
        });
    }

    private HttpResponseMessage.Builder answer(HttpCall call, Query query, SequenceName sequence) {
        String pages = Stream.of("date", "from", "to", "dateFrom", "dateTo", "status", KEY_PREFIX, ACTOR, REASON)
                .map(query::text)
                .map(String::valueOf)
                .collect(Collectors.joining(
                        "\n", (isDescending(query) ? "ledger desc " : "ledger ") + sequence + "\n", ""));
        CsvForm form = CsvForm.of(query, call.wantsCsv());
        ZoneId zone = form.isForSpreadsheet() ? app.sequences().ledger().zone(sequence) : null;
        LedgerCsv csv = new LedgerCsv(form, zone);
        ToLongFunction<LedgerLine> characters = call.wantsCsv() ? csv::characters : LedgerLine::characters;
        Page<LedgerLine, LedgerPosition> whole = page(sequence, query, pages);
        LedgerFilter wanted = wanted(query);
        Page<LedgerLine, LedgerPosition> page = LedgerReader.within(whole, MAX_CHARACTERS, characters, wanted.to());
        call.share().hold(page.items().stream().mapToLong(characters).sum());
        String next = pages(pages, wanted).token(page.next());
        HttpResponseMessage.Builder response;
        if (call.wantsCsv()) {
            response = call.csv(csv.write(page.items()), form, name(sequence, query));
            if (next != null) {
                response.header("Link", "<" + query.next(next) + ">; rel=\"next\"");
            }
        } else {
            response = call.ok(
                    query.text(KEY) == null ? LedgerJson.of(page.items(), next) : LedgerJson.ofKey(page.items()));
        }
        return response.header("Vary", "Accept");
    }

    /** Returns the name of the ledger's file: its status and its dates, or the day of the download. */
    private static CsvName name(SequenceName sequence, Query query) {
        LocalDate from = query.date(query.has(DATE) ? DATE : "dateFrom");
        LocalDate to = query.date("dateTo");
        return CsvName.of(
                sequence.scope(),
                sequence.name(),
                "ledger",
                query.text(STATUS),
                from == null && to == null ? LocalDate.now(ZoneOffset.UTC) : from,
                to);
    }

    private Page<LedgerLine, LedgerPosition> page(SequenceName sequence, Query query, String pagesOf) {
        LedgerReader ledger = app.sequences().ledger();
        String key = query.text("key");
        String text = query.text("text");
        int limit = query.limit();
        if (key != null) {
            query.requireAlone("key");
            PrintableText.KEY.requireStorable("key", key);
            Optional<LedgerLine> found = ledger.find(sequence, key);
            if (found.isEmpty()) {
                // Validates the key only now, because an earlier version may have stored a key that is no longer
                // allowed.
                PrintableText.KEY.require("key", key);
            }
            return only(found);
        }
        if (text != null) {
            query.requireAlone("text");
            query.text("text", Format.MAX_TEXT_LENGTH);
            return only(ledger.findText(sequence, text));
        }
        LedgerFilter wanted = wanted(query);
        LedgerPosition position = pages(pagesOf, wanted).start(query);
        LocalDate date = query.date("date");
        LedgerFilter ofStatus = wanted.with(query.choice("status", MARKED))
                .by(
                        query.text(ACTOR, PrintableText.ACTOR.maxUnits()),
                        query.text(REASON, PrintableText.REASON.maxUnits()));
        return isDescending(query)
                ? ledger.readNewestFirst(sequence, ofStatus, date, position, limit)
                : ledger.read(sequence, ofStatus, date, position, limit);
    }

    private static boolean isDescending(Query query) {
        return query.choice(ORDER, List.of(EntryOrder.values())) == EntryOrder.DESC;
    }

    /** Returns the ranges that the query selects, with inclusive bounds. */
    private static LedgerFilter wanted(Query query) {
        long from = query.bigNumber("from", -Series.LARGEST_VALUE);
        long to = query.bigNumber("to", Series.LARGEST_VALUE);
        if (from > to) {
            throw InvalidRequest.because("from", "must not be greater than to");
        }
        LocalDate dateFrom = query.date("dateFrom");
        LocalDate dateTo = query.date("dateTo");
        if (dateFrom != null && dateTo != null && dateFrom.isAfter(dateTo)) {
            throw InvalidRequest.because("dateFrom", "must not be later than dateTo");
        }
        return new LedgerFilter(from, to, dateFrom, dateTo, query.text(KEY_PREFIX, PrintableText.KEY.maxUnits()));
    }

    /** Returns the token for pages that start at a period and one of the requested numbers. */
    private static PageToken<LedgerPosition> pages(String pagesOf, LedgerFilter wanted) {
        return new PageToken<>(pagesOf, position -> List.of(position.period(), position.number()), parts -> {
            long number = Long.parseLong(parts.get(1));
            if (number < wanted.from() || number > wanted.to()) {
                throw new IllegalArgumentException("The number " + number + " was not requested.");
            }
            return new LedgerPosition(new Period(parts.get(0)).id(), number);
        });
    }

    private static Page<LedgerLine, LedgerPosition> only(Optional<LedgerLine> entry) {
        return new Page<>(entry.stream().toList(), null);
    }

    private PrintedAllocation change(
            SequenceName sequence, ObjectNode body, @Nullable String actor, CharacterBudget.Share share) {
        StatusChanges statusChanges = app.sequences().statusChanges();
        String key = RequestBody.requireText(body, KEY);
        String status = RequestBody.requireText(body, STATUS);
        if (status.equals(EnumWord.of(Status.Kind.VOID))) {
            return statusChanges.makeVoid(sequence, key, RequestBody.requireText(body, REASON), actor, share);
        }
        if (!status.equals(EnumWord.of(Status.Kind.ISSUED))) {
            throw InvalidRequest.because(STATUS, "must be issued or void: only next reserves");
        }
        if (body.has(REASON)) {
            throw InvalidRequest.because(REASON, "is for void only");
        }
        return statusChanges.issue(sequence, key, actor, share);
    }

    private static String text(ObjectNode body) {
        JsonNode text = body.path(TEXT);
        if (text.isTextual() && !text.textValue().isEmpty()) {
            return text.textValue();
        }
        throw InvalidRequest.because(TEXT, "must be a string that is not empty");
    }
}
