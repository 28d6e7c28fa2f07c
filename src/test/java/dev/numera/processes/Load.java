package dev.numera.processes;

import dev.numera.fixtures.NumeraClient;
import dev.numera.maintain.history.History;
import dev.numera.maintain.history.ObservedOutcome;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Callers over HTTP that request the numbers of one sequence in a loop and record the answers. */
final class Load {
    private static final long GONE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final String sequence;
    private final Pace pace;
    private final Function<URI, NumeraClient> clients;
    private final History history = new History();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();

    /** Creates a load on processes that all run from the start. */
    Load(String sequence) {
        this(sequence, new Pace());
    }

    Load(String sequence, Pace pace) {
        this(sequence, pace, NumeraClient::new);
    }

    /**
     * Creates a load.
     *
     * @param clients returns the client for a process at an address
     */
    Load(String sequence, Pace pace, Function<URI, NumeraClient> clients) {
        this.sequence = sequence;
        this.pace = pace;
        this.clients = clients;
    }

    History history() {
        return history;
    }

    /**
     * Adds callers of one process that run as long as the condition holds. A key that got no numbers is sent again.
     *
     * @param base returns the current address of the process, which changes with a restart
     * @param hasKeys whether each call has its own key
     */
    void add(String process, int count, boolean hasKeys, Supplier<URI> base, BooleanSupplier goesOn) {
        for (int number = 0; number < count; number++) {
            String caller = process + "-" + number;
            running.add(callers.submit(() -> {
                for (int own = 0; goesOn.getAsBoolean(); own++) {
                    String key = hasKeys ? caller + "-" + own : null;
                    ObservedOutcome outcome;
                    do {
                        outcome = history.call(process, caller, key, 1, () -> take(base.get(), key));
                        pace.pause();
                    } while (hasKeys && !(outcome instanceof ObservedOutcome.Allocated) && goesOn.getAsBoolean());
                }
                return null;
            }));
        }
    }

    /** Waits until all callers have ended. */
    void await() throws Exception {
        for (Future<?> caller : running) {
            caller.get();
        }
        callers.shutdown();
    }

    /** Makes one call, which must return numbers. */
    long next(String process, URI base, String key) {
        ObservedOutcome outcome = history.call(process, "last", key, 1, () -> take(base, key));
        if (outcome instanceof ObservedOutcome.Allocated numbers) {
            return numbers.first();
        }
        throw new AssertionError("Expected numbers but got " + outcome);
    }

    private ObservedOutcome take(URI base, String key) {
        try {
            NumeraClient.Reply reply = clients.apply(base).next(sequence, "", key);
            return reply.status() == 200
                    ? new ObservedOutcome.Allocated(
                            reply.first(),
                            reply.first(),
                            1,
                            1,
                            reply.body().path("replayed").asBoolean())
                    : refused(reply);
        } catch (UncheckedIOException e) {
            LockSupport.parkNanos(GONE_NANOS);
            return new ObservedOutcome.NoNumbers(ObservedOutcome.NoNumbers.NO_ANSWER);
        }
    }

    /** Counts contention as possibly committed, because versions up to 0.2.0 may have consumed numbers then. */
    private static ObservedOutcome refused(NumeraClient.Reply reply) {
        ObservedOutcome.NoNumbers byContract =
                new ObservedOutcome.NoNumbers(reply.body().path("type").asText("status " + reply.status()));
        return new ObservedOutcome.NoNumbers(
                byContract.problem(),
                byContract.mayHaveCommitted() || reply.problem().equals("contention"));
    }
}
