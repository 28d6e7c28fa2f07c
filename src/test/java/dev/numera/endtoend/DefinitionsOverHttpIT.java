package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The changes that owners make to their sequences, on the packaged app and a real Azurite. */
class DefinitionsOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};

    private final NumeraClient client = SharedHost.client();

    private Reply put(String sequence, String body, String... condition) {
        return client.send("PUT", "/api/sequences/" + sequence, body, condition);
    }

    private Reply patch(String sequence, String body, String... condition) {
        return client.send("PATCH", "/api/sequences/" + sequence, body, condition);
    }

    private Reply advance(String sequence, long nextAtLeast) {
        return client.send("POST", "/api/sequences/" + sequence + "/advance", "{\"nextAtLeast\": " + nextAtLeast + "}");
    }

    @Test
    void putAcceptsTheAnswerOfGet() {
        Reply created = put("own/round-trip", "{\"format\": \"INV-{n:6}\", \"guarantee\": \"gapless\"}", CREATE)
                .expect(201);
        String tag = created.raw().headers().firstValue("ETag").orElseThrow();
        Reply got = client.get("/api/sequences/own/round-trip").expect(200);
        assertEquals(created.raw().body(), got.raw().body());
        assertEquals(tag, got.raw().headers().firstValue("ETag").orElseThrow());
        Reply replaced =
                put("own/round-trip", got.raw().body(), "If-Match", tag).expect(200);
        assertEquals(got.raw().body(), replaced.raw().body());
        assertEquals(
                tag, replaced.raw().headers().firstValue("ETag").orElseThrow(), "the same content has the same tag");
        client.next("own/round-trip", "", "a").expect(200);
        assertEquals(
                tag,
                client.get("/api/sequences/own/round-trip")
                        .raw()
                        .headers()
                        .firstValue("ETag")
                        .orElseThrow(),
                "so after a number");
        put("own/round-trip", "{\"guarantee\": \"gapless\", \"format\": \"N-{n:6}\"}", "If-Match", tag)
                .expect(200);
        put("own/round-trip", got.raw().body(), "If-Match", tag).expectProblem(412, "precondition-failed");
        put("own/round-trip", got.raw().body(), "If-Match", "*").expect(200);
        put("own/round-trip", "{}").expectProblem(428, "precondition-required");
        put("own/round-trip", "{}", CREATE).expectProblem(412, "precondition-failed");
        put("own/none", "{}", "If-Match", "*").expectProblem(412, "precondition-failed");
    }

    /** A runbook's PUT with only maxValue once dropped the format, and the next invoice never got a text. */
    @Test
    void replacingLosesNothingSilently() {
        put("own/lossless", "{\"format\": \"INV-{n:5}\", \"maxValue\": 99999, \"start\": 7}", CREATE)
                .expect(201);
        assertEquals(
                List.of("start", "format"), fieldsOf(put("own/lossless", "{\"maxValue\": 100000}", "If-Match", "*")));
        client.next("own/lossless").expect(200);
        assertEquals(
                List.of("format"),
                fieldsOf(put("own/lossless", "{\"maxValue\": 100000}", "If-Match", "*")),
                "a fixed field keeps its value");
        assertEquals(List.of("maxValue", "format"), fieldsOf(put("own/lossless", "{}", "If-Match", "*")));
        client.send("DELETE", "/api/sequences/own/lossless", null, "If-Match", "*")
                .expect(204);
        assertEquals(List.of("maxValue", "format"), fieldsOf(put("own/lossless", "{}", CREATE)), "so to revive it");
        JsonNode revived = put("own/lossless", "{\"format\": null, \"maxValue\": 100000}", CREATE)
                .expect(201)
                .body();
        assertTrue(revived.path("format").isMissingNode(), revived::toString);
        put("own/lossless", "{\"start\": null, \"maxValue\": 100000}", "If-Match", "*")
                .expectProblem(409, "immutable-field");
        assertEquals(8, client.next("own/lossless").expect(200).first());
    }

    @Test
    void patchChangesOnlyTheNamedFields() {
        patch("own/patched", "{}", "If-Match", "*").expectProblem(404, "unknown-sequence");
        Reply created = put("own/patched", "{\"format\": \"INV-{n:5}\", \"start\": 7}", CREATE)
                .expect(201);
        String tag = tag(created);
        client.next("own/patched").expect(200);
        Reply same = patch("own/patched", "{}", "If-Match", tag).expect(200);
        assertEquals(created.raw().body(), same.raw().body());
        assertEquals(tag, tag(same));
        Reply limited = patch("own/patched", "{\"maxValue\": 9007199254740992}", "If-Match", tag)
                .expect(200);
        assertEquals("INV-{n:5}", limited.body().get("format").textValue());
        Reply late =
                patch("own/patched", "{\"format\": null}", "If-Match", tag).expectProblem(412, "precondition-failed");
        assertEquals(tag(limited), tag(late), "the present one");
        assertEquals(tag(limited), late.body().get("etag").textValue());
        JsonNode plain = patch(
                        "own/patched",
                        "{\"format\": null}",
                        "If-Match",
                        tag(limited),
                        "Content-Type",
                        "application/merge-patch+json")
                .expect(200)
                .body();
        assertTrue(plain.path("format").isMissingNode(), plain::toString);
        assertEquals(
                "[\"start\"]",
                patch("own/patched", "{\"start\": null}", "If-Match", "*")
                        .expectProblem(409, "immutable-field")
                        .body()
                        .get("fields")
                        .toString());
        patch("own/patched", "{\"maxValue\": 1}", "If-Match", "*").expectProblem(400, "invalid-request");
        patch("own/patched", "{\"maxvalue\": 100}", "If-Match", "*").expectProblem(400, "invalid-request");
        patch("own/patched", "[]", "If-Match", "*").expectProblem(400, "invalid-request");
        patch("own/patched", "{}").expectProblem(428, "precondition-required");
        client.send("DELETE", "/api/sequences/own/patched", null, "If-Match", "*")
                .expect(204);
        patch("own/patched", "{}", "If-Match", "*").expectProblem(410, "retired");
        assertEquals(
                plain, client.get("/api/sequences/own/patched").expect(200).body(), "nothing was changed by a refusal");
    }

    private Reply preview(String sequence, String query, String body) {
        return client.send("POST", "/api/sequences/" + sequence + "/preview" + query, body);
    }

    private String texts(String sequence, String query, String change) {
        return preview(sequence, query, change).expect(200).body().get("texts").toString();
    }

    private JsonNode state(String sequence, String query) {
        return client.get("/api/sequences/" + sequence + "/state" + query)
                .expect(200)
                .body();
    }

    @Test
    void previewShowsTheNextNumbersAndConsumesNothing() {
        String march = "?date=2026-03-01";
        String definition =
                "{\"format\": \"INV-{yyyy}-{n:4}\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"maxValue\": 10000}";
        assertEquals(
                "{\"numbers\":[1,2,3],\"texts\":[\"INV-2026-0001\",\"INV-2026-0002\",\"INV-2026-0003\"],"
                        + "\"longestText\":\"INV-2026-10000\"}",
                preview("own/previewed", march, definition).expect(200).raw().body());
        client.get("/api/sequences/own/previewed").expectProblem(404, "unknown-sequence");
        put("own/previewed", definition.replace("10000", "4"), CREATE).expect(201);
        client.next("own/previewed", "?count=3&date=2026-03-01", null).expect(200);
        assertEquals("[\"INV-2026-0004\"]", texts("own/previewed", march, "{}"));
        assertEquals(
                "[\"R26/4\",\"R26/5\",\"R26/6\"]",
                texts("own/previewed", march, "{\"format\": \"R{yy}/{n}\", \"timeZone\": \"UTC\", \"maxValue\": 99}"));
        assertTrue(texts("own/previewed", "?date=2027-01-01", "{}").startsWith("[\"INV-2027-0001\""));
        assertEquals(
                "INV-2026-0004", state("own/previewed", march).get("nextText").textValue());
        client.next("own/previewed", march, null).expect(200);
        assertEquals(
                "{\"numbers\":[],\"longestText\":\"INV-2026-0001\"}",
                preview("own/previewed", march, "{}").expect(200).raw().body());
        assertTrue(state("own/previewed", march).path("nextText").isMissingNode());
        preview("own/previewed", "", "{\"increment\": 2}").expectProblem(409, "immutable-field");
        preview("own/previewed", "", "{\"format\": \"{n\"}").expectProblem(400, "invalid-request");
        preview("own/previewed", "?date=2062-01-01", "{}").expectProblem(400, "invalid-request");
        assertEquals(
                "[\"000001-1\"]",
                texts("~/previewed", "", "{\"format\": \"{scope:6}-{n}\", \"maxValue\": 1}"),
                "a template, by a sample of the scopes that it takes");
    }

    /** A start that is meant for the first year after a migration would apply to every year. */
    @Test
    void noteReportsAStartThatHoldsForEveryPeriod() {
        String moved = "{\"start\": 4711, \"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\": \"{yyyy}-{n}\"}";
        String note = put("own/noted", moved, CREATE)
                .expect(201)
                .raw()
                .headers()
                .firstValue("Numera-Note")
                .orElseThrow();
        assertTrue(note.contains("start 4711 holds for every period") && note.contains("advance"), note);
        Reply meant =
                patch("own/noted", "{\"minValue\": 4711}", "If-Match", "*").expect(200);
        assertTrue(meant.raw().headers().firstValue("Numera-Note").isEmpty());
    }

    @Test
    void keyOfATextIsFoundInAnyPeriodAndFormat() {
        put("own/found", "{\"format\": \"INV-{yyyy}-{n:4}\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\"}", CREATE)
                .expect(201);
        client.next("own/found", "?date=2025-12-31&count=2", "old").expect(200);
        client.next("own/found", "?date=2026-01-01", "new").expect(200);
        patch("own/found", "{\"format\": \"R{yy}/{n}\", \"timeZone\": \"UTC\"}", "If-Match", "*")
                .expect(200);
        client.next("own/found", "?date=2026-01-02", "newer").expect(200);

        assertEquals("allocation:old:1:2", found("INV-2025-0002"));
        assertEquals("allocation:new:1:1", found("INV-2026-0001"));
        assertEquals("allocation:newer:2:2", found("R26/2"));
        assertEquals("", found("R26/1"), "number 1 has another text");
        assertEquals("", found("INV-2026-0009"), "it is not allocated yet");
        assertEquals("", found("none of its texts"));
    }

    /** January and October, or days 1 and 10, differ only in the place of a zero. */
    @Test
    void onlyTheZerosBeforeTheNumberMayBeMissingInATextToFind() {
        put(
                        "own/zeros",
                        "{\"format\": \"INV-{yyyy}{MM}-{n:6}\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\"}",
                        CREATE)
                .expect(201);
        client.next("own/zeros", "?date=2026-10-05", "october").expect(200);

        assertEquals("allocation:october:1:1", found("own/zeros", "INV-202610-000001"));
        assertEquals("allocation:october:1:1", found("own/zeros", "inv 202610 1"));
        assertEquals("allocation:october:1:1", found("own/zeros", "INV20261000001"));
        assertEquals("", found("own/zeros", "INV-202601-000001"));
    }

    @Test
    void numberWithoutATextIsReadByItsDigitsWhateverFormatsThereWere() {
        put("own/digits", "{\"guarantee\": \"gapless\"}", CREATE).expect(201);
        client.next("own/digits", "", "plain").expect(200);
        patch("own/digits", "{\"format\": \"X-{n}\"}", "If-Match", "*").expect(200);
        client.next("own/digits", "", "printed").expect(200);

        assertEquals("allocation:plain:1:1", found("own/digits", "1"));
        assertEquals("", found("own/digits", "2"), "its text is X-2");

        patch("own/digits", "{\"format\": null}", "If-Match", "*").expect(200);
        client.next("own/digits", "", "plain again").expect(200);

        assertEquals("allocation:plain again:3:3", found("own/digits", "3"));
        assertEquals("allocation:printed:2:2", found("own/digits", "X-2"));
        assertEquals(3, parsed("3").expect(200).body().get("number").intValue());
        assertEquals(2, parsed("X-2").expect(200).body().get("number").intValue());
        parsed("Y-2").expectProblem(422, "text-unreadable");
    }

    private Reply parsed(String text) {
        return client.send("POST", "/api/sequences/own/digits/parse", "{\"text\": \"" + text + "\"}");
    }

    private String found(String text) {
        return found("own/found", text);
    }

    private String found(String sequence, String text) {
        return entries(client.get(
                "/api/sequences/" + sequence + "/ledger?text=" + URLEncoder.encode(text, StandardCharsets.UTF_8)));
    }

    @Test
    void ledgerIsReturnedAsCsvOnRequest() {
        put("own/table", "{\"guarantee\": \"gapless\", \"format\": \"=N{n}\", \"increment\": 5}", CREATE)
                .expect(201);
        client.next("own/table", "?count=2", "a").expect(200);
        advance("own/table", 21).expect(200);
        client.next("own/table", "", "-b, \"c\"").expect(200);
        HttpResponse<String> first = table("?limit=1");
        assertEquals(
                "kind,number,to,text,key,period,date,allocatedAt,status,reason,statusAt,actor,statusActor,actorId,statusActorId|allocation,1,,'=N1,a,,D,T,issued,,,,,,|allocation,6,,'=N6,a,,D,T,issued,,,,,,|",
                withoutTimes(first.body()));
        assertEquals("Accept", first.headers().firstValue("Vary").orElseThrow());
        assertTrue(first.headers().firstValue("Content-Type").orElseThrow().startsWith("text/csv"));
        String link = first.headers().firstValue("Link").orElseThrow();
        assertTrue(link.startsWith("<?") && link.endsWith(">; rel=\"next\""), link);
        String next = link.substring(1, link.indexOf('>')).replace("limit=1", "limit=2");
        HttpResponse<String> second = table(next);
        assertEquals(
                "kind,number,to,text,key,period,date,allocatedAt,status,reason,statusAt,actor,statusActor,actorId,statusActorId|advance,11,16,,,,,T,,,,,,,|allocation,21,,'=N21,\"'-b, \"\"c\"\"\",,D,T,issued,,,,,,|",
                withoutTimes(second.body()));
        assertTrue(second.headers().firstValue("Link").isEmpty());
    }

    private HttpResponse<String> table(String query) {
        return client.send("GET", "/api/sequences/own/table/ledger" + query, null, "Accept", "text/csv")
                .expect(200)
                .raw();
    }

    private static String withoutTimes(String csv) {
        return csv.replace("\r\n", "|")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[^|,]*", "T")
                .replaceAll("\\d{4}-\\d\\d-\\d\\d", "D");
    }

    @Test
    void noTextExceedsMaxLength() {
        Reply refused = put("own/short", "{\"format\": \"INV-{n:4}\", \"maxLength\": 8}", CREATE)
                .expectProblem(409, "texts-too-long");
        assertEquals(10_000, refused.body().get("number").intValue());
        assertEquals("INV-10000", refused.body().get("text").textValue());
        put("own/short", "{\"format\": \"INV-{n:4}\", \"maxLength\": 8, \"maxValue\": 9999}", CREATE)
                .expect(201);
        client.next("own/short").expect(200);
        patch("own/short", "{\"maxValue\": 10000}", "If-Match", "*").expectProblem(409, "texts-too-long");
        patch("own/short", "{\"format\": \"INVO-{n:4}\"}", "If-Match", "*").expectProblem(409, "texts-too-long");
        patch("own/short", "{\"maxLength\": 7}", "If-Match", "*").expectProblem(409, "texts-too-long");
        patch("own/short", "{\"maxValue\": 10000, \"maxLength\": 9}", "If-Match", "*")
                .expect(200);
        client.send("PUT", "/api/sequences/~/short-scope", "{\"format\": \"{scope}-{n}\", \"maxLength\": 18}", CREATE)
                .expect(201);
        client.next("a/short-scope").expect(200);
        client.next("ab/short-scope").expectProblem(400, "invalid-request");
    }

    @Test
    void descriptionAndContactCanChangeAtAnyTime() {
        JsonNode made = put(
                        "own/remarks",
                        "{\"description\": \"Rechnungen für Kunden\", \"contact\": \"ap@example.org\", \"warnAtPercent\": 75}",
                        CREATE)
                .expect(201)
                .body();
        assertEquals("Rechnungen für Kunden", made.get("description").textValue());
        client.next("own/remarks").expect(200);
        JsonNode changed = patch("own/remarks", "{\"contact\": null, \"warnAtPercent\": null}", "If-Match", "*")
                .expect(200)
                .body();
        assertEquals("Rechnungen für Kunden", changed.get("description").textValue());
        assertTrue(changed.path("contact").isMissingNode(), changed::toString);
        assertEquals(90, changed.get("warnAtPercent").intValue());
        assertEquals(
                List.of("description", "contact", "warnAtPercent"),
                fieldsOf(patch(
                        "own/remarks",
                        "{\"description\": \"\", \"contact\": \"a\\nb\", \"warnAtPercent\": 0}",
                        "If-Match",
                        "*")));
    }

    private static List<String> fieldsOf(Reply refused) {
        return StreamSupport.stream(
                        refused.expectProblem(400, "invalid-request")
                                .body()
                                .get("errors")
                                .spliterator(),
                        false)
                .map(error -> error.get("field").textValue())
                .toList();
    }

    private static String tag(Reply reply) {
        return reply.raw().headers().firstValue("ETag").orElseThrow();
    }

    @Test
    void defaultsAreThoseOfSqlInBothDirections() {
        assertEquals(
                "{\"guarantee\":\"strict\",\"start\":1,\"increment\":1,\"minValue\":1,\"maxValue\":9007199254740991,\"cycle\":false,"
                        + "\"cacheSize\":100,\"resetEvery\":\"never\",\"fiscalYearStart\":1,\"dateOrder\":\"none\",\"keys\":\"optional\",\"warnAtPercent\":90}",
                put("own/up", "{}", CREATE).expect(201).raw().body());
        Reply down =
                put("own/down", "{\"increment\": -1, \"start\": 1000}", CREATE).expect(201);
        assertEquals(1000, down.body().get("maxValue").longValue());
        assertEquals(-9007199254740991L, down.body().get("minValue").longValue());
        assertEquals(1000, client.next("own/down", "?count=3", null).expect(200).first());
        assertEquals(997, client.next("own/down").first());
    }

    @Test
    void wholeNumbersMayBeWrittenWithAFraction() {
        Reply reply = put(
                        "own/whole", "{\"start\": 9007199254740993.0, \"maxValue\": 1e18, \"cacheSize\": 5.0}", CREATE)
                .expect(201);
        assertEquals(
                "[9007199254740993,1000000000000000000,5]",
                List.of(
                                reply.body().get("start"),
                                reply.body().get("maxValue"),
                                reply.body().get("cacheSize"))
                        .toString()
                        .replace(" ", ""));
    }

    @Test
    void everyWrongFieldIsNamed() {
        Reply reply = put(
                        "own/wrong",
                        "{\"increment\": 0, \"minValue\": 9, \"maxValue\": 3, \"cacheSize\": 0, \"timeZone\": \"Mars/Base\"}",
                        CREATE)
                .expectProblem(400, "invalid-request");
        assertEquals(List.of("increment", "minValue", "cacheSize", "timeZone"), fieldsOf(reply));
        assertTrue(put("own/wrong", "{\"strat\": 5}", CREATE)
                .expectProblem(400, "invalid-request")
                .raw()
                .body()
                .contains("strat"));
        put("own/wrong", "{\"start\": \"5\"}", CREATE).expectProblem(400, "invalid-request");
        put("own/wrong", "{\"start\": 0, \"minValue\": 1}", CREATE).expectProblem(400, "invalid-request");
        put("own/wrong", "{\"cycle\": true, \"guarantee\": \"gapless\"}", CREATE)
                .expectProblem(400, "invalid-request");
        put("own/wrong", "[]", CREATE).expectProblem(400, "invalid-request");
        put("own/wrong", "{}", "If-None-Match", "*", "Content-Type", "text/plain")
                .expectProblem(415, "unsupported-media-type");
        Reply repeats = put(
                        "own/wrong",
                        "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\": \"INV-{n:6}\"}",
                        CREATE)
                .expectProblem(409, "texts-could-repeat");
        assertEquals(2, repeats.body().get("examples").size());
        client.get("/api/sequences/own/wrong").expectProblem(404, "unknown-sequence");
    }

    @Test
    void fromTheFirstNumberOnTheFixedFieldsStay() {
        put("own/fixed", "{\"start\": 10}", CREATE).expect(201);
        put("own/fixed", "{\"start\": 20, \"maxValue\": 100}", "If-Match", "*").expect(200);
        assertEquals(20, client.next("own/fixed").expect(200).first());
        Reply refused = put("own/fixed", "{\"start\": 30, \"increment\": 5, \"maxValue\": 50}", "If-Match", "*")
                .expectProblem(409, "immutable-field");
        assertEquals(
                "[\"start\",\"increment\",\"maxValue\"]",
                refused.body().get("fields").toString());
        Reply widened = put("own/fixed", "{\"maxValue\": 200}", "If-Match", "*").expect(200);
        assertEquals(20, widened.body().get("start").longValue(), "a fixed field that is left out keeps its value");
        assertEquals(21, client.next("own/fixed").expect(200).first());
    }

    @Test
    void exhaustedNamesTheNumbersLeftAndConsumesNothing() {
        put("own/few", "{\"maxValue\": 10}", CREATE).expect(201);
        client.next("own/few", "?count=8", null).expect(200);
        assertEquals(
                2,
                client.next("own/few", "?count=3", null)
                        .expectProblem(409, "exhausted")
                        .body()
                        .get("left")
                        .intValue());
        assertEquals(9, client.next("own/few", "?count=2", "last").expect(200).first());
        client.next("own/few").expectProblem(409, "exhausted");
        assertTrue(client.next("own/few", "?count=2", "last")
                .expect(200)
                .body()
                .get("replayed")
                .booleanValue());
        put("own/few", "{\"maxValue\": 11}", "If-Match", "*").expect(200);
        assertEquals(11, client.next("own/few").expect(200).first());
    }

    @Test
    void aCycleBeginsTheNextRoundAtTheOtherEnd() {
        put("own/cycle", "{\"maxValue\": 10, \"cycle\": true, \"start\": 8, \"minValue\": 5}", CREATE)
                .expect(201);
        assertEquals(8, client.next("own/cycle", "?count=2", null).first());
        assertEquals(5, client.next("own/cycle", "?count=2", null).first());
        client.next("own/cycle", "?count=7", null).expectProblem(409, "exhausted");
        client.next("own/cycle", "", "key").expectProblem(400, "key-refused");
        put("own/cycle-down", "{\"increment\": -1, \"maxValue\": 3, \"minValue\": 1, \"cycle\": true}", CREATE)
                .expect(201);
        assertEquals(3, client.next("own/cycle-down", "?count=3", null).first());
        assertEquals(3, client.next("own/cycle-down").first());
    }

    @Test
    void aGaplessSequenceNeedsKeysAndItsLedgerHoldsEveryNumber() {
        put("own/gapless", "{\"guarantee\": \"gapless\", \"format\": \"G{n:4}\"}", CREATE)
                .expect(201);
        client.next("own/gapless").expectProblem(400, "key-required");
        assertEquals(
                "G0001",
                client.next("own/gapless", "", "a")
                        .expect(200)
                        .body()
                        .get("texts")
                        .get(0)
                        .textValue());
        client.next("own/gapless", "?count=2", "b").expect(200);
        assertEquals(
                10, advance("own/gapless", 10).expect(200).body().get("next").longValue());
        client.next("own/gapless", "", "c").expect(200);
        Reply ledger = client.get("/api/sequences/own/gapless/ledger").expect(200);
        assertEquals("allocation:a:1:1 allocation:b:2:3 advance:null:4:9 allocation:c:10:10", entries(ledger));
        assertEquals(
                "[\"G0002\",\"G0003\"]",
                ledger.body().get("entries").get(1).get("texts").toString());
        assertEquals("allocation:b:2:3", entries(client.get("/api/sequences/own/gapless/ledger?from=3&to=3")));
        assertEquals("allocation:c:10:10", entries(client.get("/api/sequences/own/gapless/ledger?key=c")));
        assertEquals("", entries(client.get("/api/sequences/own/gapless/ledger?key=d")));
        Reply page = client.get("/api/sequences/own/gapless/ledger?limit=2").expect(200);
        assertEquals("allocation:a:1:1 allocation:b:2:3", entries(page));
        String token = page.body().get("continuation").textValue();
        Reply rest = client.get("/api/sequences/own/gapless/ledger?limit=2&continuation=" + token)
                .expect(200);
        assertEquals("advance:null:4:9 allocation:c:10:10", entries(rest));
        assertFalse(rest.body().has("continuation"));
        client.get("/api/sequences/own/gapless/ledger?from=1&continuation=" + token)
                .expectProblem(400, "invalid-request");
    }

    private static String entries(Reply ledger) {
        StringBuilder all = new StringBuilder();
        ledger.body().get("entries").forEach(entry -> all.append(all.isEmpty() ? "" : " ")
                .append(entry.get("kind").textValue())
                .append(':')
                .append(entry.path("key").asText(null))
                .append(':')
                .append(entry.get("first"))
                .append(':')
                .append(entry.get("last")));
        return all.toString();
    }

    @Test
    void cachedNumbersComeFromBlocksAndAreRefusedKeys() {
        put("own/cached", "{\"guarantee\": \"cached\", \"cacheSize\": 10}", CREATE)
                .expect(201);
        for (int number = 1; number <= 25; number++) {
            assertEquals(number, client.next("own/cached").expect(200).first());
        }
        client.next("own/cached", "", "key").expectProblem(400, "key-refused");
        assertEquals(
                5_000,
                advance("own/cached", 5_000).expect(200).body().get("next").longValue());
        assertEquals(5_000, client.next("own/cached").first());
    }

    @Test
    void advanceNeverGoesBackAndKeepsToTheSeries() {
        put("own/advance", "{\"increment\": 10}", CREATE).expect(201);
        assertEquals(
                "{\"previousNext\":1,\"next\":101}",
                advance("own/advance", 95).expect(200).raw().body());
        assertEquals(
                "{\"previousNext\":101,\"next\":101}",
                advance("own/advance", 5).expect(200).raw().body());
        assertEquals(101, client.next("own/advance").first());
        advance("own/advance", 9_007_199_254_740_999L).expectProblem(409, "exhausted");
        advance("own/never", 5).expectProblem(404, "unknown-sequence");
    }

    @Test
    void theFirstNumberAfterAMoveFollowsTheLastOfTheOtherSystem() {
        put("own/moved", "{}", CREATE).expect(201);
        assertEquals(
                "{\"previousNext\":1,\"next\":48214}",
                advance("own/moved", 48_214).expect(200).raw().body());
        assertEquals(48_214, client.next("own/moved").expect(200).first());
    }

    @Test
    void moveInMidYearContinuesThatYearOnly() {
        put(
                        "own/moved-years",
                        "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\": \"{yyyy}-{n:6}\"}",
                        CREATE)
                .expect(201);
        Reply advanced = client.send(
                "POST", "/api/sequences/own/moved-years/advance?date=2026-07-01", "{\"nextAtLeast\": 48214}");
        assertEquals(
                "{\"previousNext\":1,\"next\":48214}",
                advanced.expect(200).raw().body());
        Reply next = client.next("own/moved-years", "?date=2026-07-02", null).expect(200);
        assertEquals(48_214, next.first());
        assertEquals("[\"2026-048214\"]", next.body().get("texts").toString());
        assertEquals(
                1,
                client.next("own/moved-years", "?date=2027-01-01", null)
                        .expect(200)
                        .first());
    }

    @Test
    void retiredSequenceAllocatesNothingNewAndKeepsItsNumbers() {
        put("own/retired", "{\"guarantee\": \"gapless\"}", CREATE).expect(201);
        client.next("own/retired", "", "a").expect(200);
        client.send("DELETE", "/api/sequences/own/retired", null).expectProblem(428, "precondition-required");
        client.send("DELETE", "/api/sequences/own/retired", null, "If-Match", "\"other\"")
                .expectProblem(412, "precondition-failed");
        String tag = client.get("/api/sequences/own/retired")
                .expect(200)
                .raw()
                .headers()
                .firstValue("ETag")
                .orElseThrow();
        for (String sent : List.of(tag, tag, "*")) {
            assertEquals(
                    "",
                    client.send("DELETE", "/api/sequences/own/retired", null, "If-Match", sent)
                            .expect(204)
                            .raw()
                            .body());
        }
        client.next("own/retired", "", "b").expectProblem(410, "retired");
        assertTrue(client.next("own/retired", "", "a")
                .expect(200)
                .body()
                .get("replayed")
                .booleanValue());
        advance("own/retired", 7).expectProblem(410, "retired");
        assertTrue(client.get("/api/sequences/own/retired/state")
                .expect(200)
                .body()
                .has("retiredAt"));
        client.get("/api/sequences/own/retired").expect(200);
        put("own/retired", "{\"guarantee\": \"strict\"}", CREATE).expectProblem(409, "immutable-field");
        put("own/retired", "{}", CREATE).expect(201);
        assertEquals(2, client.next("own/retired", "", "b").expect(200).first());
    }

    @Test
    void aTemplateMakesTheSequencesOfEveryScope() {
        put("~/cust-order", "{\"format\": \"{scope:6}{n:6}\", \"start\": 28}", CREATE)
                .expect(201);
        Reply first = client.next("1234/cust-order").expect(200);
        assertEquals("001234000028", first.body().get("texts").get(0).textValue());
        assertTrue(first.body().get("created").booleanValue());
        assertEquals(
                "001235000028",
                client.next("1235/cust-order")
                        .expect(200)
                        .body()
                        .get("texts")
                        .get(0)
                        .textValue());
        client.next("abc/cust-order").expectProblem(400, "invalid-request");
        client.next("~/cust-order").expectProblem(400, "invalid-request");
    }

    @Test
    void yearsHaveCountersOfTheirOwnAndLateDatesGetTheirYears() {
        put(
                        "own/invoice",
                        "{\"guarantee\": \"gapless\", \"format\": \"INV-{yyyy}-{n:6}\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\"}",
                        CREATE)
                .expect(201);
        assertEquals(
                "INV-2026-000001",
                client.next("own/invoice", "?date=2026-01-05", "x")
                        .body()
                        .get("texts")
                        .get(0)
                        .textValue());
        assertEquals(
                "INV-2025-000001",
                client.next("own/invoice", "?date=2025-12-31", "y")
                        .body()
                        .get("texts")
                        .get(0)
                        .textValue());
        assertEquals(
                "INV-2026-000002",
                client.next("own/invoice", "?date=2026-02-01", "z")
                        .body()
                        .get("texts")
                        .get(0)
                        .textValue());
        client.next("own/invoice", "?date=2025-12-31", "x").expectProblem(422, "key-reused");
        assertEquals(
                "INV-2026-000001",
                client.next("own/invoice", "", "x").body().get("texts").get(0).textValue());
        assertEquals(
                2,
                client.get("/api/sequences/own/invoice/state?date=2025-01-01")
                        .body()
                        .get("next")
                        .longValue());
        assertEquals("{\"number\":2,\"period\":\"2026\"}", parsed("own/invoice", "INV-2026-000002"));
        client.send("POST", "/api/sequences/own/invoice/parse", "{\"text\": \"INV-2026-2\"}")
                .expectProblem(422, "text-unreadable");
        put("own/invoice", "{\"format\": \"R{yy}-{n:4}\", \"timeZone\": \"UTC\"}", "If-Match", "*")
                .expect(200);
        assertEquals(
                "INV-2026-000001",
                client.next("own/invoice", "?date=2026-01-05", "x")
                        .body()
                        .get("texts")
                        .get(0)
                        .textValue());
        assertEquals(
                "R26-0003",
                client.next("own/invoice", "?date=2026-03-01", "w")
                        .body()
                        .get("texts")
                        .get(0)
                        .textValue());
        assertEquals("{\"number\":2,\"period\":\"2026\"}", parsed("own/invoice", "INV-2026-000002"));
        assertEquals("{\"number\":3,\"period\":\"2026\"}", parsed("own/invoice", "R26-0003"));
        List<String> texts = StreamSupport.stream(
                        client.get("/api/sequences/own/invoice/ledger?date=2026-06-30")
                                .expect(200)
                                .body()
                                .get("entries")
                                .spliterator(),
                        false)
                .map(entry -> entry.get("texts").get(0).textValue())
                .toList();
        assertEquals(
                List.of("INV-2026-000001", "INV-2026-000002", "R26-0003"),
                texts,
                "a number keeps the text of its allocation");
    }

    private String parsed(String sequence, String text) {
        return client.send("POST", "/api/sequences/" + sequence + "/parse", "{\"text\": \"" + text + "\"}")
                .expect(200)
                .raw()
                .body();
    }

    @Test
    void sequencesAreListedPageByPage() {
        for (String name : List.of("a", "b", "c")) {
            put("listed/" + name, "{}", CREATE).expect(201);
        }
        Reply first = client.get("/api/sequences?scope=listed&limit=2").expect(200);
        assertEquals(2, first.body().get("sequences").size());
        String token = first.body().get("continuation").textValue();
        Reply second = client.get("/api/sequences?scope=listed&limit=2&continuation=" + token)
                .expect(200);
        assertEquals("c", second.body().get("sequences").get(0).get("name").textValue());
        assertFalse(second.body().has("continuation"));
        client.get("/api/sequences?scope=listed&continuation=" + token.substring(1))
                .expectProblem(400, "invalid-request");
        client.get("/api/sequences?limit=0").expectProblem(400, "invalid-request");
        client.get("/api/sequences?limit=1001").expectProblem(400, "invalid-request");
        assertTrue(
                client.get("/api/sequences").expect(200).body().get("sequences").size() >= 3);
    }

    @Test
    void numbersBeyondTwoToThe53HaveTextsBesideThem() {
        put("own/huge", "{\"start\": 3999999999999999990, \"maxValue\": 4000000000000000000}", CREATE)
                .expect(201);
        assertEquals(
                "[\"3999999999999999990\",\"3999999999999999991\"]",
                client.next("own/huge", "?count=2", null)
                        .expect(200)
                        .body()
                        .get("texts")
                        .toString());
    }
}
