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
 * Calls of Numera. Each is retried where that can help, with the same key each time. A sequence is named
 * {@code scope/name}. The {@code parameters} of a call are those of {@code docs/http.md}, by their names, such as
 * {@code Map.of("count", 5, "date", LocalDate.now())}; {@code actor} is who makes a change. Thread-safe.
 *
 * <p>A list is sent when its iteration starts. A call throws {@link NumeraProblem} where Numera refuses it, and
 * {@link NumeraUnavailable} where no usable answer arrives in time.
 */
public final class Numera {
    private static final int PAGE = 1000;
    // A header carries these keys as they are. Any other key is a parameter, and so is one in quotes, which a header
    // would lose.
    private static final Pattern PLAIN_KEY = Pattern.compile("[!#-~]([ !#-~]*[!#-~])?");
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
    private static final Map<String, String> CSV = Map.of("Content-Type", "text/csv");

    private final Sender sender;
    private final double waitForSeconds;

    private Numera(Builder builder) {
        sender = new Sender(builder.url, builder.credentials, builder.tryFor, builder.answerWithin, builder.pauses);
        waitForSeconds = builder.waitFor.toMillis() / 1000.0;
    }

    /**
     * Starts a client of an app.
     *
     * @param url the address of the API, such as {@code https://APP.azurewebsites.net/api}
     */
    public static Builder at(String url) {
        return new Builder(URI.create(url));
    }

    /** The next numbers of a key: the same ones forever. */
    public Allocation next(String sequence, String key) {
        return next(sequence, key, Map.of());
    }

    /** As above, with {@code count}, {@code date} or {@code reserve}. */
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

    /** The next numbers without a key: a lost answer skips numbers. With {@code count} or {@code date}. */
    public Allocation nextWithoutKey(String sequence, Map<String, ?> parameters) {
        return Allocation.of(sender.send(Call.post(path(sequence, "next"), parameters, Map.of(), null))
                .fields());
    }

    /** Reserves numbers, until the key is confirmed or voided. With {@code count} or {@code date}. */
    public Allocation reserve(String sequence, String key, Map<String, ?> parameters) {
        return next(sequence, key, with(parameters, "reserve", true));
    }

    /** Issues what was reserved under a key. With {@code actor}. */
    public Allocation confirm(String sequence, String key, Map<String, ?> parameters) {
        return setStatus(sequence, Map.of("key", key, "status", "issued"), parameters);
    }

    /**
     * Voids the numbers of a key for good. For numbers that are void already, whatever the reason was, this is success.
     * With {@code actor}.
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
     * Numbers a list of keys, and iterates over the keys in their order. With {@code date} or {@code reserve}.
     *
     * @param id names the list: the same list under the same id is one upload
     */
    public Iterable<NumberedKey> batch(String sequence, String id, Collection<String> keys, Map<String, ?> parameters) {
        Map<String, Object> body = with(with(parameters, "id", id), "keys", keys);
        Call upload = Call.post(path(sequence, "batches"), Map.of(), JSON, Json.write(body));
        return numbered(sequence, upload);
    }

    /**
     * As above, for the text of a CSV file. With {@code keyColumn}, {@code dateColumn}, {@code separator} or
     * {@code reserve}.
     *
     * @param id in ASCII
     */
    public Iterable<NumberedKey> batch(String sequence, String id, String csv, Map<String, ?> parameters) {
        Call upload = Call.post(path(sequence, "batches"), parameters, CSV, csv).with("Idempotency-Key", id);
        return numbered(sequence, upload);
    }

    /**
     * Imports numbers of another system, and iterates over the results in number order. With {@code actor},
     * {@code outcome} or {@code dryRun}, which only reports what an import would do.
     *
     * @param id in ASCII
     * @param rows each with {@code key}, {@code number} or {@code text}, {@code date}, {@code status} and
     *     {@code reason}
     */
    public Iterable<ImportedRow> importNumbers(
            String sequence, String id, Collection<? extends Map<String, ?>> rows, Map<String, ?> parameters) {
        Map<String, ?> query = without(parameters, "actor", "outcome");
        Call upload = Call.post(path(sequence, "imports"), query, JSON, Json.write(Map.of("rows", rows)));
        return imported(sequence, id, upload, parameters);
    }

    /** As above, for the text of a CSV file, whose columns and separator are further parameters. */
    public Iterable<ImportedRow> importNumbers(String sequence, String id, String csv, Map<String, ?> parameters) {
        Map<String, ?> query = without(parameters, "actor", "outcome");
        return imported(sequence, id, Call.post(path(sequence, "imports"), query, CSV, csv), parameters);
    }

    /** Iterates over the entries of the ledger that the parameters select; without any over all of today's period. */
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

    /** Settings of a client. */
    public static final class Builder {
        private final URI url;
        private Supplier<Map<String, String>> credentials = Map::of;
        private Duration tryFor = Duration.ofMinutes(2);
        private Duration answerWithin = Duration.ofSeconds(30);
        private Duration waitFor = Duration.ofMinutes(15);
        private Pauses pauses = Pauses.SYSTEM;

        private Builder(URI url) {
            this.url = url;
        }

        /** Sends a function key; null for none. */
        public Builder functionKey(String key) {
            credentials = () -> key == null ? Map.of() : Map.of("x-functions-key", key);
            return this;
        }

        /** Sends a bearer token to a gateway in front of the app; it is fetched before each request. */
        public Builder token(Supplier<String> token) {
            credentials = () -> Map.of("Authorization", "Bearer " + token.get());
            return this;
        }

        /** How long a call is retried, in total; by default 2 minutes. */
        public Builder tryFor(Duration duration) {
            tryFor = duration;
            return this;
        }

        /** How long one request may take; by default 30 s. */
        public Builder answerWithin(Duration duration) {
            answerWithin = duration;
            return this;
        }

        /** How long the result of a list may take; by default 15 minutes. */
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
