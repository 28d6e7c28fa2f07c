package dev.numera.maintain.prove;

import dev.numera.json.Fields;
import dev.numera.maintain.history.KeyStatus;
import dev.numera.maintain.history.LedgerEntry;
import dev.numera.maintain.history.Observation;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.maintain.history.ObservedStatusChange;
import dev.numera.maintain.history.Violation;
import dev.numera.maintain.prove.Proof.JudgedSequence;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code history.json}, and {@code history.html}, a page that contains the same JSON and draws it. Replaces
 * existing files. Streams both call by call, so memory use does not grow with the run.
 */
final class HistoryFiles {
    static final String JSON = "history.json";
    static final String PAGE = "history.html";

    private static final String PLACE_OF_JSON = "@HISTORY@";
    private static final long NANOS_PER_MICRO = 1_000;

    private final Proof proof;

    HistoryFiles(Proof proof) {
        this.proof = proof;
    }

    /** @throws IOException a file cannot be written */
    void write(Path folder) throws IOException {
        try (Writer file = Files.newBufferedWriter(folder.resolve(JSON))) {
            writeJson(text -> text, file);
            file.write('\n');
        }
        String page = template();
        int place = page.indexOf(PLACE_OF_JSON);
        try (Writer file = Files.newBufferedWriter(folder.resolve(PAGE))) {
            file.write(page, 0, place);
            writeJson(HistoryFiles::withinScript, file);
            file.write(page.substring(place + PLACE_OF_JSON.length()));
        }
    }

    /** Escapes JSON for a script element, so that no string in the JSON can end the element. */
    static String withinScript(String json) {
        return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }

    private static String template() throws IOException {
        try (InputStream page = HistoryFiles.class.getResourceAsStream(PAGE)) {
            return new String(
                    Objects.requireNonNull(page, "The jar was built without " + PAGE + ".")
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        }
    }

    private void writeJson(Function<String, String> escape, Writer file) throws IOException {
        String head = new Fields()
                .put("format", "numera-history")
                .put("version", 1)
                .put("scope", proof.scope())
                .put("startedAt", proof.startedAt())
                .put(
                        "addresses",
                        proof.options().addresses().stream().map(URI::toString).toList())
                .put("callers", proof.options().callers())
                .put("faults", proof.options().faultsPort().isPresent())
                .put("retired", proof.isRetired())
                .put("callMillis", proof.callMillis())
                .put("storageMillis", proof.storageMillis())
                .json()
                .toString();
        file.write(escape.apply(head.substring(0, head.length() - 1)));
        file.write(",\"sequences\":[");
        String separator = "";
        for (JudgedSequence sequence : proof.sequences()) {
            file.write(separator + "\n{\"guarantee\":\"" + sequence.guarantee() + "\",\"calls\":");
            writeLines(sequence.calls(), this::line, escape, file);
            file.write(",\"ledger\":");
            writeLines(sequence.ledger(), HistoryFiles::line, escape, file);
            file.write(",\"violations\":");
            IdentityHashMap<Observation, Integer> places = places(sequence.calls());
            writeLines(sequence.violations(), violation -> line(violation, places), escape, file);
            file.write("}");
            separator = ",";
        }
        file.write("]}");
    }

    private static <T> void writeLines(
            List<T> all, Function<T, Fields> line, Function<String, String> escape, Writer file) throws IOException {
        file.write("[");
        String separator = "\n";
        for (T each : all) {
            file.write(separator);
            file.write(escape.apply(line.apply(each).json().toString()));
            separator = ",\n";
        }
        file.write("]");
    }

    private static IdentityHashMap<Observation, Integer> places(List<Recorded> calls) {
        IdentityHashMap<Observation, Integer> places = new IdentityHashMap<>();
        for (int i = 0; i < calls.size(); i++) {
            places.put(calls.get(i).observed(), i);
        }
        return places;
    }

    /** The JSON of one call. Times are in microseconds since the start of the run. */
    private Fields line(Recorded recorded) {
        Observation observed = recorded.observed();
        @Nullable ObservedCall call = observed instanceof ObservedCall of ? of : null;
        @Nullable ObservedStatusChange change = observed instanceof ObservedStatusChange of ? of : null;
        @Nullable Allocated numbers = call != null && call.outcome() instanceof Allocated of ? of : null;
        @Nullable KeyStatus status = numbers != null ? numbers.status() : change == null ? null : change.answered();
        String problem = Proof.problem(recorded);
        boolean isUnknown = call != null && call.outcome() instanceof NoNumbers failure && failure.mayHaveCommitted()
                || change != null && change.mayHaveChanged();
        return new Fields()
                .put("kind", call == null ? "status" : word(call.purpose()))
                .put("at", observed.process())
                .put("by", observed.caller())
                .put("from", micros(observed.startNanos()))
                .put("to", micros(observed.answeredNanos()))
                .put("key", observed.key())
                .put("count", call == null ? null : call.count())
                .put("first", numbers == null ? null : numbers.first())
                .put("last", numbers == null ? null : numbers.last())
                .put("replayed", numbers != null && numbers.replayed() ? true : null)
                .put("wanted", change == null ? null : change.wanted().toString())
                .put("status", status == null ? null : word(status.kind()))
                .put("reason", status == null ? null : status.reason())
                .put("problem", problem.isEmpty() ? null : problem)
                .put("unknown", isUnknown ? true : null)
                .put("fault", recorded.fault().isEmpty() ? null : recorded.fault())
                .put("copy", recorded.isCopy() ? true : null)
                .put("storageMillis", recorded.storageMillis() < 0 ? null : recorded.storageMillis());
    }

    private static Fields line(LedgerEntry entry) {
        KeyStatus status = entry.status();
        return new Fields()
                .put("kind", word(entry.kind()))
                .put("key", entry.key())
                .put("first", entry.first())
                .put("last", entry.last())
                .put("status", status == null ? null : word(status.kind()))
                .put("reason", status == null ? null : status.reason());
    }

    /** The JSON of one violation. It refers to each call by its index in the list of calls. */
    private static Fields line(Violation violation, IdentityHashMap<Observation, Integer> places) {
        return new Fields()
                .put("rule", violation.rule().name())
                .put("promise", violation.rule().promise())
                .put("what", violation.what())
                .put(
                        "calls",
                        violation.calls().stream()
                                .map(call -> places.getOrDefault(call, -1))
                                .toList());
    }

    private long micros(long nanos) {
        return (nanos - proof.startNanos()) / NANOS_PER_MICRO;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
