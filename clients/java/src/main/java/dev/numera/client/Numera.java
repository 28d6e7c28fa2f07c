package dev.numera.client;

import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A client of Numera. Repeats calls when a retry can help, always with the same key. A sequence is named
 * {@code scope/name}. The page {@code /api/docs} of the app lists the {@code parameters} of a call, for example
 * {@code Map.of("count", 5, "date", LocalDate.now())}; {@code actor} names the person who makes a change. Thread-safe.
 *
 * <p>Calls block. A list is sent when its iteration starts. A call throws {@link NumeraProblem} if Numera refuses it,
 * and {@link NumeraUnavailable} if no usable answer arrives in time.
 */
public final class Numera {
    private static final int PAGE = 1000;
    // Keys that a header carries unchanged. Any other key is sent as a parameter, and so is a key in quotes, which a
    // header would lose.
    private static final Pattern PLAIN_KEY = Pattern.compile("[!#-~]([ !#-~]*[!#-~])?");
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
    private static final Map<String, String> CSV = Map.of("Content-Type", "text/csv");

    private final Sender sender;
    private final double waitForSeconds;

    private Numera(Builder builder) {
        sender = new Sender(builder.url, builder::headers, builder.tryFor, builder.answerWithin, builder.pauses);
        waitForSeconds = builder.waitFor.toMillis() / 1000.0;
    }

    /**
     * Starts building a client.
     *
     * @param url the address of the API, such as {@code https://APP.azurewebsites.net/api}
     */
    public static Builder at(String url) {
        return new Builder(URI.create(url));
    }

    /** Returns the next numbers for a key. The same key always gets the same numbers. */
    public Allocation next(String sequence, String key) {
        return next(sequence, key, Map.of());
    }

    /** Like {@link #next(String, String)}, with the parameters {@code count}, {@code date} or {@code reserve}. */
    public Allocation next(String sequence, String key, Map<String, ?> parameters) {
        boolean isPlain = PLAIN_KEY.matcher(key).matches();
        Map<String, Object> query = new LinkedHashMap<>(parameters);
        if (!isPlain) {
            query.put("key", key);
        }
        Call call = Call.post(path(sequence, "next"), query, Map.of(), null);
        return Allocation.of(
                sender.send(isPlain ? call.with("Idempotency-Key", key) : call).fields());
    }

    /**
     * Returns the next numbers without a key, so a lost answer skips numbers. Parameters: {@code count} or
     * {@code date}.
     */
    public Allocation nextWithoutKey(String sequence, Map<String, ?> parameters) {
        return Allocation.of(sender.send(Call.post(path(sequence, "next"), parameters, Map.of(), null))
                .fields());
    }

    /** Reserves numbers until the key is confirmed or voided. Parameters: {@code count} or {@code date}. */
    public Allocation reserve(String sequence, String key, Map<String, ?> parameters) {
        return next(sequence, key, with(parameters, "reserve", true));
    }

    /** Issues the reserved numbers of a key. Parameter: {@code actor}. */
    public Allocation confirm(String sequence, String key, Map<String, ?> parameters) {
        return setStatus(sequence, Map.of("key", key, "status", "issued"), parameters);
    }

    /**
     * Voids the numbers of a key permanently. Also succeeds if they are void already, for whatever reason. Parameter:
     * {@code actor}.
     */
    public Allocation voidNumbers(String sequence, String key, String reason, Map<String, ?> parameters) {
        try {
            return setStatus(sequence, Map.of("key", key, "status", "void", "reason", reason), parameters);
        } catch (NumeraProblem problem) {
            return problem.allocation()
                    .filter(allocation -> problem.kind().equals("status-final"))
                    .filter(allocation -> allocation.status().equals("void"))
                    .orElseThrow(() -> problem);
        }
    }

    /**
     * Numbers a list of keys, and iterates over the keys in their order. Parameters: {@code date} or {@code reserve}.
     *
     * @param id names the list: the same list under the same id is uploaded only once
     */
    public Iterable<NumberedKey> batch(String sequence, String id, Collection<String> keys, Map<String, ?> parameters) {
        Map<String, Object> body = with(with(parameters, "id", id), "keys", keys);
        Call upload = Call.post(path(sequence, "batches"), Map.of(), JSON, Json.write(body));
        return numbered(sequence, upload);
    }

    /**
     * Numbers the keys of a CSV file. Parameters: {@code keyColumn}, {@code dateColumn}, {@code separator} or
     * {@code reserve}.
     *
     * @param id names the list; must be ASCII
     */
    public Iterable<NumberedKey> batch(String sequence, String id, String csv, Map<String, ?> parameters) {
        Call upload = Call.post(path(sequence, "batches"), parameters, CSV, csv).with("Idempotency-Key", id);
        return numbered(sequence, upload);
    }

    /**
     * Imports numbers of another system, and iterates over the results in number order. Parameters: {@code actor},
     * {@code outcome}, or {@code dryRun}, which only reports what an import would do.
     *
     * @param id names the import; must be ASCII
     * @param rows each with {@code key}, {@code number} or {@code text}, {@code date}, {@code status} and
     *     {@code reason}
     */
    public Iterable<ImportedRow> importNumbers(
            String sequence, String id, Collection<? extends Map<String, ?>> rows, Map<String, ?> parameters) {
        Map<String, ?> query = without(parameters, "actor", "outcome");
        Call upload = Call.post(path(sequence, "imports"), query, JSON, Json.write(Map.of("rows", rows)));
        return imported(sequence, id, upload, parameters);
    }

    /** Imports the rows of a CSV file. Its columns and its separator are additional parameters. */
    public Iterable<ImportedRow> importNumbers(String sequence, String id, String csv, Map<String, ?> parameters) {
        Map<String, ?> query = without(parameters, "actor", "outcome");
        return imported(sequence, id, Call.post(path(sequence, "imports"), query, CSV, csv), parameters);
    }

    /**
     * Iterates over the entries of the ledger that the parameters select; without parameters, over all of today's
     * period.
     */
    public Iterable<LedgerEntry> ledger(String sequence, Map<String, ?> parameters) {
        String path = path(sequence, "ledger");
        Map<String, ?> query = with(Map.of("limit", PAGE), parameters);
        return () -> new PageIterator<>(
                sender.send(Call.get(path, query)).fields(), next(path, query), "entries", LedgerEntry::of);
    }

    private Allocation setStatus(String sequence, Map<String, String> body, Map<String, ?> parameters) {
        Call call = Call.post(path(sequence, "status"), without(parameters, "actor"), JSON, Json.write(body))
                .withActor(parameters.get("actor"));
        return Allocation.of(sender.send(call).fields());
    }

    private Iterable<NumberedKey> numbered(String sequence, Call upload) {
        return () -> rows(sequence, "batches", upload, Map.of("limit", PAGE), "allocations", NumberedKey::of);
    }

    private Iterable<ImportedRow> imported(String sequence, String id, Call upload, Map<String, ?> parameters) {
        Call named = upload.with("Idempotency-Key", id).withActor(parameters.get("actor"));
        Map<String, Object> query = with(Map.of("limit", PAGE), Map.of());
        if (parameters.containsKey("outcome")) {
            query.put("outcome", parameters.get("outcome"));
        }
        return () -> rows(sequence, "imports", named, query, "rows", ImportedRow::of);
    }

    private <T> Iterator<T> rows(
            String sequence, String kind, Call upload, Map<String, ?> query, String field, Function<Fields, T> row) {
        Fields sent = sender.send(upload).fields();
        String path = path(sequence, kind + "/" + Call.encode(sent.string("id")));
        Fields first = finished(path, query, sent.string("status").equals("pending") ? 1 : 0);
        return new PageIterator<>(first, next(path, query), field, row);
    }

    private Fields finished(String path, Map<String, ?> query, double firstWait) {
        double deadline = sender.now() + waitForSeconds;
        double wait = firstWait;
        while (sender.now() + wait <= deadline) {
            sender.sleep(wait);
            Answer answer = sender.send(Call.get(path, query));
            if (answer.status() != 202) {
                return answer.fields();
            }
            wait = Sender.seconds(answer.retryAfter());
        }
        throw new NumeraUnavailable(
                path + " is not done after " + waitForSeconds + " s. Send the same list again later.", 0, 0, null);
    }

    private Function<String, Fields> next(String path, Map<String, ?> query) {
        return continuation -> sender.send(Call.get(path, with(query, "continuation", continuation)))
                .fields();
    }

    private static String path(String sequence, String call) {
        String[] names = sequence.split("/", -1);
        if (names.length != 2 || names[0].isEmpty() || names[1].isEmpty()) {
            throw new IllegalArgumentException(
                    "A sequence is named 'scope/name', such as 'App1/invoice', not '" + sequence + "'.");
        }
        return "/sequences/" + Call.encode(names[0]) + "/" + Call.encode(names[1]) + "/" + call;
    }

    private static Map<String, Object> with(Map<String, ?> parameters, String name, Object value) {
        return with(parameters, Map.of(name, value));
    }

    private static Map<String, Object> with(Map<String, ?> parameters, Map<String, ?> more) {
        Map<String, Object> all = new LinkedHashMap<>(parameters);
        all.putAll(more);
        return all;
    }

    private static Map<String, ?> without(Map<String, ?> parameters, String... names) {
        Map<String, Object> rest = new LinkedHashMap<>(parameters);
        for (String name : names) {
            rest.remove(name);
        }
        return rest;
    }

    /** The settings of a client. */
    public static final class Builder {
        private final URI url;
        private Supplier<Map<String, String>> credentials = Map::of;
        private Map<String, String> rights = Map.of();
        private Duration tryFor = Duration.ofMinutes(2);
        private Duration answerWithin = Duration.ofSeconds(30);
        private Duration waitFor = Duration.ofMinutes(15);
        private Pauses pauses = Pauses.SYSTEM;

        private Builder(URI url) {
            this.url = url;
        }

        private Map<String, String> headers() {
            Map<String, String> headers = new LinkedHashMap<>(credentials.get());
            headers.putAll(rights);
            return headers;
        }

        /** Sends a function key with each request; null for none. */
        public Builder functionKey(String key) {
            credentials = () -> key == null ? Map.of() : Map.of("x-functions-key", key);
            return this;
        }

        /** Sends a bearer token to a gateway in front of the app. The supplier is called before each request. */
        public Builder token(Supplier<String> token) {
            credentials = () -> Map.of("Authorization", "Bearer " + token.get());
            return this;
        }

        /**
         * Restricts each call to these rights, such as {@code Numera.Allocate:Shop1}, for a backend whose tenants share
         * a key; null for all rights of the key.
         */
        public Builder rights(String only) {
            rights = only == null ? Map.of() : Map.of("Numera-Rights", only);
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
