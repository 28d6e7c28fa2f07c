package dev.numera.client;

import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A client of Numera. Repeats calls when a retry can help, always with the same key. A sequence is named
 * {@code scope/name}. Thread-safe.
 *
 * <p>Calls block; {@link #async} makes one in a thread of its own. A list is sent when its iteration starts. A call
 * throws {@link NumeraProblem} if Numera refuses it, {@link NumeraUnavailable} if no usable answer arrives in time, and
 * {@link IllegalArgumentException} before anything is sent if a key is missing or a value cannot be sent.
 */
public final class Numera {
    private static final int PAGE = 1000;

    private final Sender sender;
    private final Duration waitFor;

    private Numera(Builder builder) {
        sender = new Sender(builder);
        waitFor = builder.waitFor;
    }

    /**
     * Starts building a client.
     *
     * @param url the address of the API, such as {@code https://APP.azurewebsites.net/api}
     * @throws IllegalArgumentException this is no such address
     */
    public static Builder at(String url) {
        return new Builder(url);
    }

    /** Returns the next number for a key. The same key always gets the same number. */
    public Allocation next(String sequence, String key) {
        return next(sequence, key, NextOptions.NONE);
    }

    /** Returns the next numbers for a key. The same key always gets the same numbers. */
    public Allocation next(String sequence, String key, NextOptions options) {
        return allocate(sequence, Call.text("key", key), options, Map.of());
    }

    /** Returns the next numbers without a key: a lost answer skips numbers, and a repeated call gets other numbers. */
    public Allocation nextWithoutKey(String sequence, NextOptions options) {
        return allocate(sequence, null, options, Map.of());
    }

    /** Reserves numbers until the key is confirmed or voided. */
    public Allocation reserve(String sequence, String key, NextOptions options) {
        return allocate(sequence, Call.text("key", key), options, Map.of("reserve", true));
    }

    /** Issues the reserved numbers of a key. */
    public Allocation confirm(String sequence, String key, ChangeOptions options) {
        return setStatus(sequence, Map.of("key", Call.text("key", key), "status", "issued"), options);
    }

    /** Voids the numbers of a key permanently. Also succeeds if they are void already, for whatever reason. */
    public Allocation voidNumbers(String sequence, String key, String reason, ChangeOptions options) {
        Map<String, String> body =
                Map.of("key", Call.text("key", key), "status", "void", "reason", Call.text("reason", reason));
        try {
            return setStatus(sequence, body, options);
        } catch (NumeraProblem problem) {
            return problem.allocation()
                    .filter(allocation -> problem.kind().equals("status-final"))
                    .filter(allocation -> allocation.status().equals("void"))
                    .orElseThrow(() -> problem);
        }
    }

    /**
     * Creates the sequence, or returns its definition if each field of the argument has the same value already. Changes
     * no sequence.
     *
     * @param definition by the field names of the page {@code /api/docs}, such as {@code Map.of("guarantee",
     *     "gapless")}
     * @throws NumeraDifference a field has another value
     * @throws IllegalArgumentException a value is null: leave out a field that may have any value
     */
    public Map<String, Object> define(String sequence, Map<String, ?> definition, ChangeOptions options) {
        definition.forEach((field, value) -> {
            if (value == null) {
                throw new IllegalArgumentException("A definition has no null: leave out the field " + field + ".");
            }
        });
        Optional<Fields> stored = definition(path(sequence), options.tryFor());
        return stored.isPresent()
                ? same(sequence, stored.get().values(), definition)
                : create(sequence, definition, options);
    }

    /** Returns the next number, and how many are allocated and left. Allocates nothing. */
    public State state(String sequence, StateOptions options) {
        Map<String, Object> query = new LinkedHashMap<>();
        query.put("date", options.date());
        return State.of(get(path(sequence, "state"), query, options.tryFor(), "next", Long.class));
    }

    /** Checks whether each number is accounted for: adds up all pages. */
    public Check check(String sequence, CheckFilter filter) {
        return Check.of(allPages(path(sequence, "check"), filter.query(), filter.tryFor(), "gaps"));
    }

    /** Returns the number and the period of a text. */
    public ParsedText parse(String sequence, String text, CallOptions options) {
        Map<String, String> body = Map.of("text", Call.text("text", text));
        Call call = Call.postJson(path(sequence, "parse"), Map.of(), body, options.tryFor());
        return ParsedText.of(sender.send(call, "number", Long.class).fields());
    }

    /** Finds a key, a text or a number in all sequences, or in the sequences of a scope: adds up all pages. */
    public Found find(String text, FindOptions options) {
        Map<String, Object> query = new LinkedHashMap<>(Map.of("q", Call.text("search", text)));
        query.put("scope", options.scope() == null ? null : Call.text("scope", options.scope()));
        return Found.of(allPages("/find", query, options.tryFor(), "entries"));
    }

    /** Iterates over the recorded closings. */
    public Iterable<Closing> closings(String sequence, CallOptions options) {
        return rows(path(sequence, "closings"), Map.of("limit", PAGE), options.tryFor(), "closings", Closing::of);
    }

    /**
     * Numbers a list of keys, and iterates over the keys in their order.
     *
     * @param id names the list: the same list under the same id is uploaded only once
     */
    public Iterable<NumberedKey> batch(String sequence, String id, Collection<String> keys, ListOptions options) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("id", Call.text("id", id));
        body.put("keys", keys.stream().map(key -> Call.text("key", key)).toList());
        body.put("date", options.date());
        body.put("reserve", options.reserve() ? true : null);
        Call upload = Call.postJson(path(sequence, "batches"), Map.of(), body, options.tryFor())
                .withActor(options.actor());
        Map<String, ?> query = Map.of("limit", PAGE);
        return () -> rowsOfList(sequence, "batches", upload, query, options.waitFor(), "allocations", NumberedKey::of);
    }

    /**
     * Imports numbers of another system, and iterates over the results in number order.
     *
     * @param id names the import; must be ASCII
     */
    public Iterable<ImportedRow> importNumbers(
            String sequence, String id, Collection<RowToImport> rows, ImportOptions options) {
        if (!Call.isPlain(Call.text("id", id))) {
            throw new IllegalArgumentException("The id of an import must be ASCII without quotes, not " + id + ".");
        }
        List<Map<String, Object>> list = rows.stream().map(RowToImport::values).toList();
        Map<String, ?> dryRun = options.dryRun() ? Map.of("dryRun", true) : Map.of();
        Call upload = Call.postJson(path(sequence, "imports"), dryRun, Map.of("rows", list), options.tryFor())
                .with("Idempotency-Key", id)
                .withActor(options.actor());
        Map<String, ?> query =
                options.onlyRefused() ? Map.of("limit", PAGE, "outcome", "refused") : Map.of("limit", PAGE);
        return () -> rowsOfList(sequence, "imports", upload, query, options.waitFor(), "rows", ImportedRow::of);
    }

    /** Iterates over the entries of the ledger that the filter selects. */
    public Iterable<LedgerEntry> ledger(String sequence, LedgerFilter filter) {
        Map<String, Object> query = with(Map.of("limit", PAGE), filter.query());
        return rows(path(sequence, "ledger"), query, filter.tryFor(), "entries", LedgerEntry::of);
    }

    /**
     * Makes a call in a thread of its own, such as {@code numera.async(n -> n.next("shop/invoice", key))}. Cancelling
     * the future interrupts the call: its number may have been allocated, and with a key the same call returns it
     * later.
     */
    public <T> CompletableFuture<T> async(Function<? super Numera, ? extends T> call) {
        AsyncCall<T> result = new AsyncCall<>();
        result.start(() -> call.apply(this));
        return result;
    }

    private Fields get(String path, Map<String, ?> query, Duration tryFor, String field, Class<?> type) {
        return sender.send(Call.get(path, query, tryFor), field, type).fields();
    }

    private List<Fields> allPages(String path, Map<String, ?> query, Duration tryFor, String field) {
        List<Fields> pages = new ArrayList<>();
        pages.add(get(path, query, tryFor, field, List.class));
        while (pages.get(pages.size() - 1).has("continuation")) {
            String continuation = pages.get(pages.size() - 1).string("continuation");
            pages.add(next(path, query, tryFor, field).apply(continuation));
        }
        return pages;
    }

    private Optional<Fields> definition(String path, Duration tryFor) {
        try {
            return Optional.of(get(path, Map.of(), tryFor, "guarantee", String.class));
        } catch (NumeraProblem problem) {
            if (problem.kind().equals("unknown-sequence")) {
                return Optional.empty();
            }
            throw problem;
        }
    }

    /** Creates a sequence. Another program may have created it meanwhile, or this one, if an answer was lost. */
    private Map<String, Object> create(String sequence, Map<String, ?> definition, ChangeOptions options) {
        String path = path(sequence);
        Call call = Call.putJson(path, definition, options.tryFor()).withActor(options.actor());
        try {
            return sender.send(call, "guarantee", String.class).fields().values();
        } catch (NumeraProblem problem) {
            if (problem.kind().equals("precondition-failed")) {
                Fields stored = definition(path, options.tryFor()).orElseThrow(() -> problem);
                return same(sequence, stored.values(), definition);
            }
            throw problem;
        }
    }

    /** Returns the stored definition if it has each wanted value. */
    private static Map<String, Object> same(String sequence, Map<String, Object> stored, Map<String, ?> wanted) {
        TreeMap<String, NumeraDifference.Values> differences = new TreeMap<>();
        wanted.forEach((field, value) -> {
            if (!isSame(stored.get(field), asStored(field, value))) {
                String present = stored.containsKey(field) ? Json.write(stored.get(field)) : null;
                differences.put(field, new NumeraDifference.Values(present, Json.write(value)));
            }
        });
        if (!differences.isEmpty()) {
            throw new NumeraDifference(sequence, differences);
        }
        return stored;
    }

    /** Returns a month for its first day, as the service does. */
    private static Object asStored(String field, Object value) {
        String text = value.toString();
        return field.equals("fiscalYearStart") && text.matches("[0-9]{2}-01")
                ? Long.valueOf(text.substring(0, 2))
                : value;
    }

    private static boolean isSame(Object stored, Object wanted) {
        return stored instanceof Number && wanted instanceof Number
                ? new BigDecimal(stored.toString()).compareTo(new BigDecimal(wanted.toString())) == 0
                : Json.write(wanted).equals(Json.write(stored));
    }

    private Allocation allocate(String sequence, String key, NextOptions options, Map<String, ?> more) {
        boolean isPlain = key != null && Call.isPlain(key);
        Map<String, Object> query = new LinkedHashMap<>(more);
        query.put("key", isPlain ? null : key);
        query.put("count", options.count());
        query.put("date", options.date());
        Call call =
                Call.next(path(sequence, "next"), query, key, options.tryFor()).withActor(options.actor());
        return Allocation.of(sender.send(isPlain ? call.with("Idempotency-Key", key) : call, "first", Long.class));
    }

    private Allocation setStatus(String sequence, Map<String, String> body, ChangeOptions options) {
        Call call = Call.postJson(path(sequence, "status"), Map.of(), body, options.tryFor());
        return Allocation.of(sender.send(call.withActor(options.actor()), "first", Long.class));
    }

    private <T> Iterable<T> rows(
            String path, Map<String, ?> query, Duration tryFor, String field, Function<Fields, T> row) {
        return () -> new PageIterator<>(
                get(path, query, tryFor, field, List.class), next(path, query, tryFor, field), field, row);
    }

    private <T> Iterator<T> rowsOfList(
            String sequence,
            String kind,
            Call upload,
            Map<String, ?> query,
            Duration longest,
            String field,
            Function<Fields, T> row) {
        Fields sent = sender.send(upload, "id", String.class).fields();
        String path = path(sequence, kind + "/" + Call.encode(sent.string("id")));
        double firstWait = sent.string("status").equals("pending") ? 1 : 0;
        Fields first = finished(Call.get(path, query, upload.tryFor()), firstWait, longest == null ? waitFor : longest);
        return new PageIterator<>(first, next(path, query, upload.tryFor(), field), field, row);
    }

    private Fields finished(Call result, double firstWait, Duration longest) {
        double deadline = sender.now() + longest.toMillis() / 1000.0;
        double wait = firstWait;
        while (sender.now() + wait <= deadline) {
            sender.sleep(wait, result);
            Answer answer = sender.send(result, "id", String.class);
            if (answer.status() != 202) {
                return answer.fields();
            }
            wait = Sender.seconds(answer.retryAfter());
        }
        throw new NumeraUnavailable(
                result.location() + " is not done after " + longest.toSeconds() + " s. Send the same list again later.",
                0,
                0,
                null);
    }

    private Function<String, Fields> next(String path, Map<String, ?> query, Duration tryFor, String field) {
        return continuation -> get(path, with(query, Map.of("continuation", continuation)), tryFor, field, List.class);
    }

    private static String path(String sequence, String call) {
        return path(sequence) + "/" + call;
    }

    private static String path(String sequence) {
        String[] names = sequence.split("/", -1);
        if (names.length != 2 || names[0].isEmpty() || names[1].isEmpty()) {
            throw new IllegalArgumentException(
                    "A sequence is named 'scope/name', such as 'App1/invoice', not '" + sequence + "'.");
        }
        return "/sequences/" + Call.encode(names[0]) + "/" + Call.encode(names[1]);
    }

    private static Map<String, Object> with(Map<String, ?> query, Map<String, ?> more) {
        Map<String, Object> all = new LinkedHashMap<>(query);
        all.putAll(more);
        return all;
    }

    /** The settings of a client. */
    public static final class Builder {
        final String url;
        Duration tryFor = Duration.ofMinutes(2);
        Duration answerWithin = Duration.ofSeconds(30);
        Consumer<Retry> onRetry = retry -> {};
        HttpClient http;
        Pauses pauses = Pauses.SYSTEM;
        private Duration waitFor = Duration.ofMinutes(15);
        private Supplier<Map<String, String>> credentials = Map::of;
        private Map<String, String> rights = Map.of();

        private Builder(String url) {
            if (!isAddress(url)) {
                throw new IllegalArgumentException(
                        "The url is such as https://APP.azurewebsites.net/api, not " + url + ".");
            }
            this.url = url.replaceAll("/+$", "");
        }

        private static boolean isAddress(String url) {
            try {
                URI address = new URI(url);
                boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
                return isHttp && address.getHost() != null && address.getRawQuery() == null;
            } catch (URISyntaxException e) {
                return false;
            }
        }

        Map<String, String> headers() {
            Map<String, String> headers = new LinkedHashMap<>(credentials.get());
            headers.putAll(rights);
            return headers;
        }

        /** Sends a function key with each request; null or empty for none. */
        public Builder functionKey(String key) {
            Map<String, String> header = key == null || key.isEmpty()
                    ? Map.of()
                    : Map.of("x-functions-key", Call.header("function key", key));
            credentials = () -> header;
            return this;
        }

        /** Sends a bearer token to a gateway in front of the app. The supplier is called before each request. */
        public Builder token(Supplier<String> token) {
            credentials = () -> Map.of("Authorization", "Bearer " + Call.header("token", token.get()));
            return this;
        }

        /**
         * Restricts each call to these rights, such as {@code Numera.Allocate:Shop1}, for a backend whose tenants share
         * a key; null for all rights of the key.
         */
        public Builder rights(String only) {
            rights = only == null ? Map.of() : Map.of("Numera-Rights", Call.header("rights", only));
            return this;
        }

        /** Sets the total time for which a call is retried; 2 minutes by default. */
        public Builder tryFor(Duration duration) {
            tryFor = duration;
            return this;
        }

        /** Sets the time that one request may take; 30 s by default. */
        public Builder answerWithin(Duration duration) {
            answerWithin = duration;
            return this;
        }

        /** Sets the time that the result of a list may take; 15 minutes by default. */
        public Builder waitFor(Duration duration) {
            waitFor = duration;
            return this;
        }

        /**
         * Sends the requests with this client, for example because of its proxy or certificates.
         *
         * @throws IllegalArgumentException the client follows redirects, which turn POST into GET
         */
        public Builder httpClient(HttpClient client) {
            if (client.followRedirects() != HttpClient.Redirect.NEVER) {
                throw new IllegalArgumentException("The HTTP client must not follow redirects.");
            }
            http = client;
            return this;
        }

        /** Calls this before each pause, for example to log it. */
        public Builder onRetry(Consumer<Retry> listener) {
            onRetry = listener;
            return this;
        }

        Builder pauses(Pauses others) {
            pauses = others;
            return this;
        }

        /** Returns the client. */
        public Numera build() {
            return new Numera(this);
        }
    }
}
