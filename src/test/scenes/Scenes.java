package dev.numera.client;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
            Numera numera = client(arguments[0].replace("{scene}", "" + i), map(scene.get("options")), waits);
            Map<String, Object> outcome = new LinkedHashMap<>(outcome(numera, (List<?>) scene.get("call")));
            outcome.put("waits", waits);
            System.out.println(Json.write(outcome));
        }
    }

    private static Numera client(String url, Map<String, ?> options, List<Object> waits) {
        Map<String, Object> settings = new LinkedHashMap<>(options);
        double oversleepSeconds =
                settings.remove("oversleepSeconds") instanceof Number seconds ? seconds.doubleValue() : 0;
        Numera.Builder client = Numera.at(url).pauses(new Pauses() {
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

    private static Map<String, ?> outcome(Numera numera, List<?> call) {
        try {
            return Map.of("result", plain(result(numera, call)));
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
            return Map.of("unavailable", Map.of("attempts", e.attempts(), "status", e.status()));
        } catch (NoToken e) {
            return Map.of("noToken", true);
        } catch (IllegalArgumentException e) {
            return Map.of("invalid", true);
        }
    }

    private static Object result(Numera numera, List<?> call) {
        Object last = call.get(call.size() - 1);
        Map<String, Object> parameters = new LinkedHashMap<>(last instanceof Map<?, ?> ? map(last) : Map.of());
        String sequence = (String) call.get(1);
        switch ((String) call.get(0)) {
            case "next":
                String key = (String) parameters.remove("key");
                return key == null
                        ? numera.nextWithoutKey(sequence, parameters)
                        : numera.next(sequence, key, parameters);
            case "reserve":
                return numera.reserve(sequence, (String) call.get(2), parameters);
            case "confirm":
                return numera.confirm(sequence, (String) call.get(2), parameters);
            case "voidNumbers":
                return numera.voidNumbers(sequence, (String) call.get(2), (String) call.get(3), parameters);
            case "ledger":
                return numera.ledger(sequence, parameters);
            case "batch":
                return call.get(3) instanceof String csv
                        ? numera.batch(sequence, (String) call.get(2), csv, parameters)
                        : numera.batch(sequence, (String) call.get(2), keys(call.get(3)), parameters);
            case "importNumbers":
                if (parameters.remove("onlyRefused") != null) {
                    parameters.put("outcome", "refused");
                }
                return call.get(3) instanceof String csv
                        ? numera.importNumbers(sequence, (String) call.get(2), csv, parameters)
                        : numera.importNumbers(sequence, (String) call.get(2), rows(call.get(3)), parameters);
            default:
                throw new AssertionError(call);
        }
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
            if (value instanceof Allocation allocation) {
                object.putAll(object(allocation));
            } else if (value != null) {
                object.put(component.getName(), plain(value));
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

    private static List<String> keys(Object list) {
        return ((List<?>) list).stream().map(String.class::cast).toList();
    }

    private static List<Map<String, ?>> rows(Object list) {
        List<Map<String, ?>> rows = new ArrayList<>();
        ((List<?>) list).forEach(row -> rows.add(map(row)));
        return rows;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> map(Object value) {
        return value == null ? Map.of() : (Map<String, ?>) value;
    }
}
