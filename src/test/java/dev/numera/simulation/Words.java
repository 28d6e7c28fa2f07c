package dev.numera.simulation;

import static java.util.Map.entry;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.ledger.LedgerStore;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words for requests and answers in a trace. They show no type, method, field or constant of the app, so that a
 * trace stays the same when one of these is renamed. A renamed method of a store changes only the left side of
 * {@link #REQUESTS}. Random ids are left out, because no seed decides them.
 */
final class Words {
    private static final int PRINTED_UNITS_MAX = 120;

    /** The words for requests, by interface and method. */
    private static final Map<String, String> REQUESTS = Map.ofEntries(
            entry(name(CounterStore.class, "read"), "counter"),
            entry(name(CounterStore.class, "find"), "keys"),
            entry(name(CounterStore.class, "rowsFrom"), "rows"),
            entry(name(PeerRequests.class, "open"), "open requests"),
            entry(name(PeerRequests.class, "removeOld"), "remove old requests"),
            entry(name(PeerRequests.class, "find"), "own request"),
            entry(name(PeerRequests.class, "post"), "post"),
            entry(name(DefinitionStore.class, "find"), "definition"),
            entry(name(DefinitionStore.class, "insert"), "insert definition"),
            entry(name(DefinitionStore.class, "replace"), "replace definition"),
            entry(name(DefinitionStore.class, "mark"), "mark definition"),
            entry(name(DefinitionStore.class, "setKeyForm"), "set form of keys"),
            entry(name(DefinitionStore.class, "changesFrom"), "changes"),
            entry(name(DefinitionStore.class, "closingsFrom"), "closings"),
            entry(name(DefinitionStore.class, "periods"), "counters"),
            entry(name(DefinitionStore.class, "counters"), "counters"),
            entry(name(DefinitionStore.class, "indexed"), "index row"),
            entry(name(DefinitionStore.class, "index"), "write index row"),
            entry(name(DefinitionStore.class, "reindex"), "replace index row"),
            entry(name(DefinitionStore.class, "noteUnused"), "note unused"),
            entry(name(DefinitionStore.class, "list"), "index rows"),
            entry(name(DefinitionStore.class, "serviceMark"), "service mark"),
            entry(name(DefinitionStore.class, "walk"), "definitions"),
            entry(name(LedgerStore.class, "findKey"), "key"),
            entry(name(LedgerStore.class, "setStatus"), "write status"),
            entry(name(LedgerStore.class, "marked"), "marked keys"),
            entry(name(LedgerStore.class, "markedFrom"), "marked keys from"),
            entry(name(LedgerStore.class, "rowsFrom"), "ledger rows"),
            entry(name(LedgerStore.class, "rows"), "ledger rows"),
            entry(name(LedgerStore.class, "time"), "time"),
            entry(name(LedgerStore.class, "writtenSince"), "written keys"));

    private Words() {}

    private static String name(Class<?> store, String method) {
        return store.getName() + "." + method;
    }

    static String of(Method method, Object... args) {
        String name = name(method.getDeclaringClass(), method.getName());
        String requested = REQUESTS.get(name);
        if (requested == null) {
            throw new IllegalStateException("Traces have no word for " + name + ".");
        }
        if (method.getName().equals("post") && args[1] instanceof PeerRequest request) {
            return posted(requested, request);
        }
        return args == null
                ? requested
                : Arrays.stream(args)
                        .map(Words::of)
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(" ", requested + " ", ""))
                        .strip();
    }

    private static String posted(String requested, PeerRequest request) {
        String version = request.version();
        return requested + " for " + request.requests().size() + " " + state(request.state())
                + (version == null ? "" : " " + of(version));
    }

    static String of(Transaction write) {
        return (write.createsCounter() ? "open" : "write") + " next "
                + write.state().next() + ", epoch "
                + write.state().epoch() + " at " + write.version()
                + (write.answered().isEmpty()
                        ? ""
                        : ", answering "
                                + write.answered().stream()
                                        .map(answered -> answered.version())
                                        .toList())
                + (write.marksDefinition() ? " under " + write.definitionVersion() : "");
    }

    static String of(Object part) {
        if (part instanceof Optional<?> found) {
            return found.map(Words::of).orElse("nothing");
        }
        if (part instanceof Result<?> result) {
            return result.isRefused() ? "refused" : of(result.orThrow());
        }
        if (part instanceof Collection<?> several) {
            return shortened(several.stream().map(Words::of));
        }
        if (part instanceof Map<?, ?> several) {
            return shortened(several.entrySet().stream()
                    .map(one -> one.getKey() + ": " + of(one.getValue()))
                    .sorted());
        }
        return ofOne(part);
    }

    private static String ofOne(Object part) {
        if (part instanceof WriteResult result) {
            return result(result);
        }
        if (part instanceof Sequence stored) {
            return definition(stored);
        }
        if (part instanceof PeerRequest posted) {
            return state(posted.state()) + " at " + posted.version();
        }
        if (part instanceof Versioned<?> read) {
            return of(read.value()) + " at " + read.version();
        }
        if (part instanceof CounterState state) {
            return "next " + state.next() + ", epoch " + state.epoch();
        }
        if (part instanceof LedgerRow row) {
            return row.lowest() + " to " + row.highest();
        }
        if (part instanceof Allocation allocation) {
            return allocation.first() + " and on for " + allocation.count();
        }
        return part instanceof Number || part instanceof String text && isNoId(text) ? part.toString() : "";
    }

    private static String result(WriteResult result) {
        if (result instanceof WriteResult.Won won) {
            String version = won.version();
            return version != null && isVersion(version) ? "won at " + version : "won";
        }
        if (result instanceof WriteResult.Refused lost) {
            return switch (lost) {
                case CHANGED -> "lost, it was changed";
                case EXISTS -> "lost, a row is there";
            };
        }
        return "unknown";
    }

    private static String definition(Sequence stored) {
        Series series = stored.definition().series();
        return "[" + stored.definition().format() + " " + series.minValue() + " to " + series.maxValue() + " by "
                + series.increment() + (stored.isInUse() ? ", in use" : "") + (stored.isRetired() ? ", retired" : "")
                + " at " + stored.version() + "]";
    }

    private static String state(PeerRequest.State state) {
        return switch (state) {
            case OPEN -> "open";
            case CLOSED -> "closed";
            case ANSWERED -> "answered";
        };
    }

    private static boolean isNoId(String text) {
        return !text.contains("-") || isVersion(text);
    }

    /**
     * Whether the text is a version of a row in the store of the tests, as opposed to the version of a key's status.
     */
    private static boolean isVersion(String text) {
        return text.startsWith("version-");
    }

    private static String shortened(Stream<String> parts) {
        String all = parts.collect(Collectors.joining(", ", "(", ")"));
        return all.length() > PRINTED_UNITS_MAX ? all.substring(0, PRINTED_UNITS_MAX) + "..." : all;
    }
}
