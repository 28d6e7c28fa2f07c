package dev.numera.simulation;

import dev.numera.core.problem.ProblemType;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.ObservedStatusChange;
import dev.numera.sequences.access.PrintedAllocation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The requests of all callers of a run, and their answers. */
final class CallLog {
    /**
     * A request for numbers.
     *
     * @param startNanos the true time of the request
     * @param list the call that the request was a part of; all its requests are answered together
     * @param printed null if there was no answer, or a problem
     */
    record TimedCall(ObservedCall call, long startNanos, int list, PrintedAllocation printed) {}

    /** The next number after an advance, at the time when its caller was answered. */
    record Moved(long answeredTick, long answeredNanos, long next) {}

    private final List<TimedCall> requested = new ArrayList<>();
    private final List<Moved> moves = new ArrayList<>();
    private final List<ObservedStatusChange> statusCalls = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final Map<String, Integer> countByKey = new HashMap<>();
    private final Set<String> askedWrongly = new HashSet<>();
    private final Set<String> importedAsVoid = new HashSet<>();
    private final Set<Long> delivered = new HashSet<>();
    private long taken;
    private int lists;
    private int imports;

    List<TimedCall> requested() {
        return requested;
    }

    TimedCall last() {
        return requested.get(requested.size() - 1);
    }

    /**
     * Returns the number of calls for numbers that were answered. Calls that were refused as overloaded do not count.
     */
    long taken() {
        return taken;
    }

    void add(TimedCall call) {
        boolean isOfSameCall = !requested.isEmpty() && last().list() == call.list();
        requested.add(call);
        boolean isTurnedAway = call.call().outcome() instanceof ObservedOutcome.NoNumbers failure
                && failure.problem().equals(ProblemType.OVERLOADED.urn());
        if (!isTurnedAway && !isOfSameCall) {
            taken++;
        }
    }

    List<Moved> moves() {
        return moves;
    }

    List<ObservedStatusChange> statusCalls() {
        return statusCalls;
    }

    /** Returns the keys that were sent; {@link #count} returns how many numbers each is for. */
    List<String> keys() {
        return keys;
    }

    int count(String key) {
        return countByKey.get(key);
    }

    String newKey(int count) {
        String key = "key " + keys.size();
        keys.add(key);
        countByKey.put(key, count);
        return key;
    }

    /** Returns the keys that were also sent with another count. */
    Set<String> askedWrongly() {
        return askedWrongly;
    }

    Set<String> importedAsVoid() {
        return importedAsVoid;
    }

    /**
     * Returns the numbers of writes that were won and whose answers arrived. Nothing excuses the loss of these numbers.
     */
    Set<Long> delivered() {
        return delivered;
    }

    int newList() {
        lists++;
        return lists;
    }

    int newImport() {
        imports++;
        return imports;
    }
}
