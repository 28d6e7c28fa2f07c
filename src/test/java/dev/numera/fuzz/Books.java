package dev.numera.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.RawHttp;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stored state that the answers of one scope imply. The books record only successful answers, so any effect of a
 * refused request shows as a difference. For one thread.
 */
final class Books {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern CALL = Pattern.compile("/api/sequences/([^/?]+)/([^/?]+)(?:/(\\w+))?/?(?:\\?.*)?");
    private static final Pattern YEAR = Pattern.compile("date=(\\d{4})-");

    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(5);

    private record ExpectedAccount(long next, long allocated) {}

    private final String scope;
    private final Map<String, String> definitions = new TreeMap<>();
    private final Map<String, JsonNode> parsed = new HashMap<>();
    private final Set<String> hidden = new TreeSet<>();
    private final Map<String, ExpectedAccount> accounts = new HashMap<>();
    private final Set<String> uploads = new TreeSet<>();
    private final Set<String> imports = new TreeSet<>();

    Books(String scope) {
        this.scope = scope;
    }

    /** Defines a sequence for uploads, which are settled at the end. */
    void openForUploads(NumeraClient client) {
        write(
                RequestMaker.UPLOADED,
                client.send("PUT", "/api/sequences/" + scope + "/" + RequestMaker.UPLOADED, "{}", "If-None-Match", "*")
                        .expect(201)
                        .raw()
                        .body());
    }

    /** Defines a sequence and its books. */
    void open(NumeraClient client, String name, String definition) {
        write(
                name,
                client.send("PUT", "/api/sequences/" + scope + "/" + name, definition, "If-None-Match", "*")
                        .expect(201)
                        .raw()
                        .body());
        for (String year : RequestMaker.YEARS) {
            if (name.equals("yearly") || year.equals(RequestMaker.YEARS.get(0))) {
                String key = name.equals("gapless") ? "first" : null;
                client.next(scope + "/" + name, "?date=" + year + "-01-01", key).expect(200);
                accounts.put(account(name, year), new ExpectedAccount(start(name) + increment(name), 1));
            }
        }
    }

    /** Books a successful answer. */
    void book(Draft request, RawHttp.RawAnswer answer) {
        Matcher call = CALL.matcher(request.target());
        if (!call.matches() || !call.group(1).equals(scope)) {
            return;
        }
        String name = call.group(2);
        String what = request.method + " " + (call.group(3) == null ? "" : call.group(3));
        switch (what) {
            case "PUT ", "PATCH " -> write(name, answer.body());
            case "DELETE " -> bookRetired(name);
            case "POST next" -> bookNumbers(request, name, json(answer.body()));
            case "POST batches" -> uploads.add(json(answer.body()).get("id").textValue());
            case "POST imports" -> imports.add(json(answer.body()).get("id").textValue());
            case "POST advance" -> bookAdvance(request, name, json(answer.body()));
            default -> {}
        }
    }

    /** Hides an unused sequence: lists omit it until it is defined again. */
    private void bookRetired(String name) {
        if (RequestMaker.UNUSED.contains(name)) {
            hidden.add(name);
        }
    }

    private void bookNumbers(Draft request, String name, JsonNode allocation) {
        if (allocation.has("created")) {
            definitions.put(name, null);
        }
        ExpectedAccount before = accounts.get(account(name, year(request)));
        if (before == null || allocation.has("replayed")) {
            return;
        }
        int count = allocation.get("count").intValue();
        long expected = isCycle(name)
                        && before.next + count - 1
                                > parsed.get(name).get("maxValue").longValue()
                ? parsed.get(name).get("minValue").longValue()
                : before.next;
        assertEquals(
                expected,
                allocation.get("first").longValue(),
                () -> "a refused request before this one has consumed numbers: " + request);
        accounts.put(
                account(name, year(request)),
                new ExpectedAccount(expected + count * increment(name), before.allocated + count));
    }

    private void bookAdvance(Draft request, String name, JsonNode advanced) {
        accounts.computeIfPresent(account(name, year(request)), (key, before) -> {
            if (!name.equals("cached")) {
                assertEquals(before.next, advanced.get("previousNext").longValue(), request::toString);
            }
            return new ExpectedAccount(advanced.get("next").longValue(), before.allocated);
        });
    }

    /** Compares the books with the stored state. */
    void audit(NumeraClient client) {
        Set<String> stored = new TreeSet<>();
        client.get("/api/sequences?limit=1000&scope=" + scope)
                .expect(200)
                .body()
                .get("sequences")
                .forEach(sequence -> stored.add(sequence.get("name").textValue()));
        Set<String> expected = new TreeSet<>(definitions.keySet());
        expected.removeAll(hidden);
        assertEquals(expected, stored);
        definitions.forEach((name, definition) -> {
            if (definition != null) {
                assertEquals(
                        definition,
                        client.get("/api/sequences/" + scope + "/" + name)
                                .expect(200)
                                .raw()
                                .body());
            }
        });
        accounts.forEach((account, kept) -> {
            if (!account.startsWith("cached")) {
                JsonNode state = client.get(
                                "/api/sequences/" + scope + "/" + account.replace("@", "/state?date=") + "-01-01")
                        .expect(200)
                        .body();
                assertEquals(
                        kept,
                        new ExpectedAccount(
                                state.get("next").longValue(),
                                state.get("allocated").longValue()),
                        account);
            }
        });
    }

    /**
     * Waits for the accepted uploads and imports. Requires that the uploads' numbers are all numbers that their
     * sequence allocated, and that no import has one of these numbers.
     */
    void settleUploads(NumeraClient client) {
        String sequence = "/api/sequences/" + scope + "/" + RequestMaker.UPLOADED;
        Set<Long> numbers = new TreeSet<>();
        for (String upload : uploads) {
            JsonNode body = client.awaitUpload(
                            sequence + "/batches/" + upload + "?limit=1000", SETTLED_WITHIN, () -> "")
                    .body();
            body.path("allocations").findValues("first").forEach(first -> numbers.add(first.longValue()));
        }
        int before = numbers.size();
        for (String imported : imports) {
            client.awaitUpload(sequence + "/imports/" + imported + "?limit=1000", SETTLED_WITHIN, () -> "")
                    .body()
                    .get("rows")
                    .forEach(row -> assertTrue(
                            !row.get("outcome").textValue().equals("imported")
                                    || numbers.add(row.get("first").longValue()),
                            row::toString));
        }
        assertEquals(
                before,
                client.get(sequence + "/state")
                        .expect(200)
                        .body()
                        .get("allocated")
                        .intValue());
    }

    private void write(String name, String definition) {
        hidden.remove(name);
        definitions.put(name, definition);
        parsed.put(name, json(definition));
    }

    private static String account(String name, String year) {
        return name + "@" + (name.equals("yearly") ? year : RequestMaker.YEARS.get(0));
    }

    private static String year(Draft request) {
        Matcher year = YEAR.matcher(request.target());
        return year.find() ? year.group(1) : "today";
    }

    private long start(String name) {
        return parsed.get(name).get("start").longValue();
    }

    private long increment(String name) {
        return parsed.get(name).get("increment").longValue();
    }

    private boolean isCycle(String name) {
        return parsed.get(name).get("cycle").booleanValue();
    }

    static JsonNode json(String body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError("No JSON: " + body, e);
        }
    }
}
