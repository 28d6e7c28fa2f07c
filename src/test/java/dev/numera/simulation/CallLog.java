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

/** What all callers of a run sent and were answered. */
final class CallLog {
    /**
     * A request for numbers.
     *
     * @param askedNanos by the true time
     * @param list the call that it was a part of: the others in it were answered together
     * @param printed null where there was no answer, or a problem
     */
    record TimedCall(ObservedCall call, long startNanos, int list, PrintedAllocation printed) {}

    /** Where an advance had got when its caller was answered. */
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

    /** How many calls for numbers were answered, turning away not counted. */
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

    /** The keys that were sent, and how many numbers each is for. */
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

    /** The keys that were also sent with another count. */
    Set<String> askedWrongly() {
        return askedWrongly;
    }

    Set<String> importedAsVoid() {
        return importedAsVoid;
    }

    /** The numbers of writes that were won and whose answers arrived: nothing excuses their loss. */
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
