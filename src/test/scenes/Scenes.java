package dev.numera.client;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Plays each scene with the client for Java: {@code java -cp ... dev.numera.client.Scenes URL scenes.json}. */
public final class Scenes {
    private static final class NoToken extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    public static void main(String[] arguments) throws IOException {
        List<?> scenes = (List<?>) Json.read(Files.readString(Path.of(arguments[1])));
        for (int i = 0; i < scenes.size(); i++) {
            Map<String, ?> scene = map(scenes.get(i));
            List<Object> waits = new ArrayList<>();
            List<Object> retries = new ArrayList<>();
            String url = arguments[0].replace("{scene}", "" + i);
            Map<String, Object> outcome = new LinkedHashMap<>(
                    outcome(() -> client(url, map(scene.get("options")), waits, retries), (List<?>) scene.get("call")));
            outcome.put("waits", waits);
            outcome.put("retries", retries);
            System.out.println(Json.write(outcome));
        }
    }

    private static Numera client(String url, Map<String, ?> options, List<Object> waits, List<Object> retries) {
        Map<String, Object> settings = new LinkedHashMap<>(options);
        double oversleepSeconds =
                settings.remove("oversleepSeconds") instanceof Number seconds ? seconds.doubleValue() : 0;
        String other = (String) settings.remove("url");
        Numera.Builder client = Numera.at(other == null ? url : other).pauses(new Pauses() {
            private double sleptSeconds;

            @Override
            public double now() {
                return SYSTEM.now() + sleptSeconds;
            }

            @Override
            public void sleep(double seconds) throws InterruptedException {
                waits.add(seconds);
                sleptSeconds += seconds + oversleepSeconds;
                Thread.sleep(10);
            }
        });
        client.onRetry(retry -> retries.add(List.of(retry.attempts(), reason(retry))));
        settings.forEach((name, value) -> {
            switch (name) {
                case "functionKey" -> client.functionKey((String) value);
                case "rights" -> client.rights((String) value);
                case "tokenServer" -> client.token(() -> tokenFrom(url + value));
                case "tryForSeconds" -> client.tryFor(duration(value));
                case "answerWithinSeconds" -> client.answerWithin(duration(value));
                case "waitForSeconds" -> client.waitFor(duration(value));
                default -> throw new AssertionError(name);
            }
        });
        return client.build();
    }

    private static Object reason(Retry retry) {
        return retry.cause() == null ? retry.status() : "lost";
    }

    private static String tokenFrom(String server) {
        try {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(server)).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new NoToken();
            }
            return (String) map(Json.read(answer.body())).get("access_token");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Duration duration(Object seconds) {
        return Duration.ofMillis(Math.round(1000 * ((Number) seconds).doubleValue()));
    }

    private static Map<String, ?> outcome(Supplier<Numera> client, List<?> call) {
        try {
            return Map.of("result", plain(result(client.get(), call)));
        } catch (NumeraProblem e) {
            Map<String, Object> problem = new LinkedHashMap<>();
            problem.put("status", e.status());
            problem.put("kind", e.kind().isEmpty() ? null : e.kind());
            problem.put("detail", e.detail().orElse(null));
            problem.put(
                    "retryAfterSeconds", e.retryAfter().map(Duration::toSeconds).orElse(null));
            problem.put("fields", e.fields());
            return Map.of("problem", problem);
        } catch (NumeraUnavailable e) {
            return Map.of(
                    "unavailable", Map.of("attempts", e.attempts(), "status", e.status(), "message", e.getMessage()));
        } catch (NumeraDifference e) {
            return Map.of("difference", e.differences().keySet());
        } catch (NoToken e) {
            return Map.of("noToken", true);
        } catch (IllegalArgumentException | DateTimeException e) {
            return Map.of("invalid", true);
        }
    }

    private static Object result(Numera numera, List<?> call) {
        Object last = call.get(call.size() - 1);
        // A definition is a parameter of its own.
        boolean hasNamed = last instanceof Map<?, ?> && (!call.get(0).equals("define") || call.size() == 4);
        Map<String, Object> named = new LinkedHashMap<>(hasNamed ? map(last) : Map.of());
        String sequence = (String) call.get(1);
        Object result =
                switch ((String) call.get(0)) {
                    case "next" -> numera.next(sequence, text(call, 2), nextOptions(named));
                    case "nextWithoutKey" -> numera.nextWithoutKey(sequence, nextOptions(named));
                    case "reserve" -> numera.reserve(sequence, text(call, 2), nextOptions(named));
                    case "confirm" -> numera.confirm(sequence, text(call, 2), changeOptions(named));
                    case "voidNumbers" ->
                        numera.voidNumbers(sequence, text(call, 2), text(call, 3), changeOptions(named));
                    case "define" -> numera.define(sequence, map(call.get(2)), changeOptions(named));
                    case "state" -> numera.state(sequence, new StateOptions(date(named, "date"), tryFor(named)));
                    case "check" -> numera.check(sequence, checkFilter(named));
                    case "parse" -> numera.parse(sequence, text(call, 2), new CallOptions(tryFor(named)));
                    case "find" ->
                        numera.find(sequence, new FindOptions((String) named.remove("scope"), tryFor(named)));
                    case "closings" -> numera.closings(sequence, new CallOptions(tryFor(named)));
                    case "ledger" -> numera.ledger(sequence, filter(named));
                    case "batch" ->
                        numera.batch(
                                sequence,
                                text(call, 2),
                                list(call.get(3)).stream()
                                        .map(String.class::cast)
                                        .toList(),
                                listOptions(named));
                    case "importNumbers" ->
                        numera.importNumbers(
                                sequence,
                                text(call, 2),
                                list(call.get(3)).stream().map(Scenes::row).toList(),
                                importOptions(named));
                    default -> throw new AssertionError(call);
                };
        if (!named.isEmpty()) {
            throw new AssertionError("The client has no options " + named);
        }
        return result;
    }

    private static String text(List<?> call, int index) {
        return (String) call.get(index);
    }

    private static NextOptions nextOptions(Map<String, Object> named) {
        Number count = (Number) named.remove("count");
        return new NextOptions(
                count == null ? null : count.intValue(), date(named, "date"), actor(named), tryFor(named));
    }

    private static ChangeOptions changeOptions(Map<String, Object> named) {
        return new ChangeOptions(actor(named), tryFor(named));
    }

    private static ListOptions listOptions(Map<String, Object> named) {
        boolean reserve = Boolean.TRUE.equals(named.remove("reserve"));
        return new ListOptions(date(named, "date"), reserve, actor(named), tryFor(named), null);
    }

    private static ImportOptions importOptions(Map<String, Object> named) {
        boolean onlyRefused = Boolean.TRUE.equals(named.remove("onlyRefused"));
        boolean dryRun = Boolean.TRUE.equals(named.remove("dryRun"));
        return new ImportOptions(actor(named), onlyRefused, dryRun, tryFor(named), null);
    }

    private static CheckFilter checkFilter(Map<String, Object> named) {
        CheckFilter filter = CheckFilter.ALL.withTryFor(tryFor(named));
        if (named.containsKey("dateFrom")) {
            filter = filter.withDateFrom(date(named, "dateFrom")).withDateTo(date(named, "dateTo"));
        }
        return filter;
    }

    private static LedgerFilter filter(Map<String, Object> named) {
        LedgerFilter filter = LedgerFilter.NONE.withTryFor(tryFor(named));
        for (String name : List.copyOf(named.keySet())) {
            Object value = named.get(name);
            filter = switch (name) {
                case "dateFrom" -> filter.withDateFrom(date(named, name));
                case "dateTo" -> filter.withDateTo(date(named, name));
                case "limit" -> filter.withLimit(((Number) value).intValue());
                case "key" -> filter.withKey((String) value);
                case "keyPrefix" -> filter.withKeyPrefix((String) value);
                case "status" -> filter.withStatus((String) value);
                case "actor" -> filter.withActor((String) value);
                case "reason" -> filter.withReason((String) value);
                case "order" -> filter.withNewestFirst();
                default -> throw new AssertionError(name);
            };
            named.remove(name);
        }
        return filter;
    }

    private static Duration tryFor(Map<String, Object> named) {
        Object seconds = named.remove("tryForSeconds");
        return seconds == null ? null : duration(seconds);
    }

    private static String actor(Map<String, Object> named) {
        return (String) named.remove("actor");
    }

    private static LocalDate date(Map<String, Object> named, String name) {
        String date = (String) named.remove(name);
        return date == null ? null : LocalDate.parse(date);
    }

    private static RowToImport row(Object value) {
        Map<String, Object> row = new LinkedHashMap<>(map(value));
        return new RowToImport(
                (String) row.get("key"),
                (Long) row.get("number"),
                (String) row.get("text"),
                date(row, "date"),
                (String) row.get("status"),
                (String) row.get("reason"));
    }

    /**
     * Converts a result to plain JSON values. Empty fields are omitted, and an allocation is flattened into its row.
     */
    private static Object plain(Object value) {
        if (value instanceof Iterable<?> rows) {
            List<Object> all = new ArrayList<>();
            rows.forEach(row -> all.add(plain(row)));
            return all;
        }
        if (value instanceof NumeraProblem problem) {
            return problem.fields();
        }
        return value instanceof Record ? object(value) : value;
    }

    private static Map<String, Object> object(Object row) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (RecordComponent component : row.getClass().getRecordComponents()) {
            Object value = value(component, row);
            if (value instanceof Optional<?> optional) {
                value = optional.orElse(null);
            }
            if (value instanceof Allocation || value instanceof LedgerEntry) {
                object.putAll(object(value));
            } else if (value != null) {
                String name = component.getName().equals("voided") ? "void" : component.getName();
                object.put(name, plain(value));
            }
        }
        return object;
    }

    private static Object value(RecordComponent component, Object row) {
        try {
            return component.getAccessor().invoke(row);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static List<?> list(Object value) {
        return (List<?>) value;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> map(Object value) {
        return value == null ? Map.of() : (Map<String, ?>) value;
    }
}
