package dev.numera.core.counter;

import dev.numera.contract.CounterTable;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A store whose next answers the test scripts. Each step gets the request that would go to the table and may send it,
 * drop it, run other code before or after it, or return any answer. Requests without a step go through.
 */
final class ScriptedStore implements CounterTable {
    final MemoryCounterStore table = new MemoryCounterStore();
    /**
     * All requests, in order: "read", "write", "find [a, b]"; for the instance's own peer request "insert", "look",
     * "post" and "close".
     */
    final List<String> log = new ArrayList<>();
    /**
     * The requests of {@link #log} and those for other peer requests: "requests" lists the open ones, "remove" removes
     * the old ones.
     */
    final List<String> all = new ArrayList<>();
    /** The transactions that were to be written, in order. */
    final List<Transaction> written = new ArrayList<>();
    /** The timeout of the last lookup of keys. */
    Duration lastAtMost;

    private final Deque<UnaryOperator<Supplier<Optional<Versioned<CounterState>>>>> reads = new ArrayDeque<>();
    private final Deque<UnaryOperator<Supplier<WriteResult>>> writes = new ArrayDeque<>();
    private final Deque<UnaryOperator<Supplier<Map<String, Result<Allocation>>>>> finds = new ArrayDeque<>();
    private final Deque<UnaryOperator<Supplier<List<LedgerRow>>>> rows = new ArrayDeque<>();
    private final Deque<UnaryOperator<Supplier<List<PeerRequest>>>> takes = new ArrayDeque<>();
    private final Deque<UnaryOperator<Supplier<Optional<PeerRequest>>>> looks = new ArrayDeque<>();
    private final Deque<UnaryOperator<Supplier<WriteResult>>> inserts = new ArrayDeque<>();
    private final Deque<UnaryOperator<Supplier<WriteResult>>> posts = new ArrayDeque<>();

    private final Runnable duringLook;

    /** @param duringLook runs with each read of the own peer request, because waiting calls need time to pass */
    ScriptedStore(Runnable duringLook) {
        this.duringLook = duringLook;
    }

    void onRead(UnaryOperator<Supplier<Optional<Versioned<CounterState>>>> step) {
        reads.add(step);
    }

    void onWrite(UnaryOperator<Supplier<WriteResult>> step) {
        writes.add(step);
    }

    void onFind(UnaryOperator<Supplier<Map<String, Result<Allocation>>>> step) {
        finds.add(step);
    }

    /** Adds a step for a read of ledger rows in number order, which an import sends before each write. */
    void onRows(UnaryOperator<Supplier<List<LedgerRow>>> step) {
        rows.add(step);
    }

    void onPeerRequests(UnaryOperator<Supplier<List<PeerRequest>>> step) {
        takes.add(step);
    }

    void onLook(UnaryOperator<Supplier<Optional<PeerRequest>>> step) {
        looks.add(step);
    }

    /** Adds a step for the insert of a peer request's row, which an instance sends if it has no row yet. */
    void onInsert(UnaryOperator<Supplier<WriteResult>> step) {
        inserts.add(step);
    }

    void onPost(UnaryOperator<Supplier<WriteResult>> step) {
        posts.add(step);
    }

    /** Runs the code, then sends the request. */
    static <T> UnaryOperator<Supplier<T>> after(Runnable first) {
        return request -> () -> {
            first.run();
            return request.get();
        };
    }

    /** Sends the request and loses its answer. */
    static UnaryOperator<Supplier<WriteResult>> lostReply() {
        return request -> () -> {
            request.get();
            return unknown();
        };
    }

    /** Drops the request and leaves its outcome unknown. */
    static UnaryOperator<Supplier<WriteResult>> swallowed() {
        return request -> ScriptedStore::unknown;
    }

    /** Queues the request, for the test to send later, and leaves its outcome unknown. */
    static UnaryOperator<Supplier<WriteResult>> late(Deque<Supplier<WriteResult>> underWay) {
        return request -> () -> {
            underWay.add(request);
            return unknown();
        };
    }

    /** Sends the request twice, like an intermediary, and returns the second answer. */
    static UnaryOperator<Supplier<WriteResult>> duplicated() {
        return request -> () -> {
            request.get();
            return request.get();
        };
    }

    static <T> UnaryOperator<Supplier<T>> failing(RuntimeException failure) {
        return request -> () -> {
            throw failure;
        };
    }

    static <T> UnaryOperator<Supplier<T>> breaking(Error error) {
        return request -> () -> {
            throw error;
        };
    }

    static StoreFailure passing() {
        return new StoreFailure("Reading failed: 503.", true, null);
    }

    static StoreFailure lasting() {
        return new StoreFailure("Reading failed: 403.", false, null);
    }

    static WriteResult unknown() {
        return new WriteResult.Unknown(new StoreFailure("Writing failed: no answer.", true, null));
    }

    @Override
    public Optional<Versioned<CounterState>> read(CounterId id) {
        log("read");
        return answer(reads, () -> table.read(id));
    }

    @Override
    public WriteResult write(Transaction write) {
        log("write");
        written.add(write);
        return answer(writes, () -> table.write(write));
    }

    @Override
    public Map<String, Result<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
        log("find " + new TreeSet<>(keys));
        lastAtMost = atMost;
        return answer(finds, () -> table.find(sequence, keys, atMost));
    }

    @Override
    public WriteResult writeTogether(List<Transaction> moves) {
        return table.writeTogether(moves);
    }

    @Override
    public RestoredCounters restored(SequenceName sequence, String firstPeriod, int limit) {
        return table.restored(sequence, firstPeriod, limit);
    }

    @Override
    public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        return answer(rows, () -> table.rowsFrom(id, number, limit));
    }

    @Override
    public List<PeerRequest> open(CounterId id) {
        all.add("requests");
        return answer(takes, () -> table.open(id));
    }

    @Override
    public boolean removeOld(CounterId id) {
        all.add("remove");
        return table.removeOld(id);
    }

    @Override
    public Optional<PeerRequest> find(CounterId id, String process) {
        log("look");
        duringLook.run();
        return answer(looks, () -> table.find(id, process));
    }

    @Override
    public WriteResult post(CounterId id, PeerRequest request) {
        boolean isInsert = request.version() == null;
        log(isInsert ? "insert" : request.state() == PeerRequest.State.OPEN ? "post" : "close");
        return answer(isInsert ? inserts : posts, () -> table.post(id, request));
    }

    private void log(String request) {
        log.add(request);
        all.add(request);
    }

    List<String> operationIds() {
        return written.stream().map(write -> write.state().operationId()).toList();
    }

    private static <T> T answer(Deque<UnaryOperator<Supplier<T>>> steps, Supplier<T> request) {
        UnaryOperator<Supplier<T>> step = steps.poll();
        return (step == null ? request : step.apply(request)).get();
    }
}
