package dev.numera.maintain.prove;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.maintain.history.LedgerEntry;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.maintain.prove.Address.AccessKey;
import dev.numera.maintain.prove.Address.Answer;
import dev.numera.maintain.prove.Proof.JudgedSequence;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run: defines the scratch sequences, starts the callers, advances halfway, reads the ledgers, and always retires
 * the sequences at the end. Used once, by one thread.
 */
final class ProofRun {
    private static final DateTimeFormatter SCOPE = DateTimeFormatter.ofPattern("'prove-'yyyyMMdd't'HHmmss", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int TRIES = 10;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ProofOptions options;
    private final List<Address> addresses;
    private final Runnable awaitLateCalls;
    private final Instant startedAt = Instant.now();
    private final long startNanos = System.nanoTime();
    private final String scope =
            SCOPE.format(startedAt) + "-" + Integer.toHexString((int) (startNanos ^ startNanos >>> 32) & 0xfff);
    private final List<ScratchSequence> sequences =
            List.of(new ScratchSequence(scope, false), new ScratchSequence(scope, true));
    private final AtomicInteger left;
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /**
     * @param addresses the addresses to call, directly or through proxies
     * @param awaitLateCalls blocks until no proxy delays a call
     */
    ProofRun(ProofOptions options, List<Address> addresses, Runnable awaitLateCalls) {
        this.options = options;
        this.addresses = addresses;
        this.awaitLateCalls = awaitLateCalls;
        this.left = new AtomicInteger(options.numbers());
    }

    /** @throws CannotProve the deployment does not meet the requirements of a proof */
    Proof run() {
        addresses.forEach(this::requireNumera);
        boolean isRetired = false;
        List<JudgedSequence> judged;
        try {
            define();
            callAll();
            callLast();
            judged = sequences.stream().map(this::judged).toList();
        } finally {
            isRetired = retire();
        }
        return new Proof(options, scope, startedAt, startNanos, judged, isRetired);
    }

    private void requireNumera(Address address) {
        Answer health = answer(address, AccessKey.NUMBERS, "GET", "/health", null);
        if (health.version().isEmpty() || health.body() == null) {
            throw new CannotProve(address.name() + " is not a Numera API: it answered " + health.status()
                    + " to GET /health. Name the address with its prefix, such as http://127.0.0.1:7071/api.");
        }
        if (health.status() != 200) {
            throw new CannotProve(address.name() + " is not healthy: it answered " + refusal(health) + ".");
        }
        Answer ledger =
                answer(address, AccessKey.NUMBERS, "GET", sequences.get(0).path() + "/ledger", null);
        if (!ledger.problem().equals("unknown-sequence")) {
            throw new CannotProve(
                    address.name() + " answered " + refusal(ledger) + " for a sequence that does not exist yet.");
        }
    }

    private void define() {
        for (ScratchSequence sequence : sequences) {
            Answer defined = answer(
                    addresses.get(0),
                    AccessKey.DEFINITIONS,
                    "PUT",
                    sequence.path(),
                    sequence.definition(),
                    "If-None-Match",
                    "*");
            if (defined.status() != 201) {
                throw new CannotProve(
                        addresses.get(0).name() + " answered " + refusal(defined) + " to PUT " + sequence.path() + ".");
            }
            for (Address address : addresses) {
                Answer found = answer(address, AccessKey.NUMBERS, "GET", sequence.path(), null);
                if (found.status() != 200) {
                    throw new CannotProve(address.name() + " does not have the sequence that was defined at "
                            + addresses.get(0).name() + ": all addresses must be of one deployment.");
                }
            }
        }
    }

    private void callAll() {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds());
        ExecutorService callers = Executors.newFixedThreadPool(options.callers());
        try {
            SplittableRandom seeds = new SplittableRandom();
            for (int number = 1; number <= options.callers(); number++) {
                SplittableRandom random = seeds.split();
                ProofClient client = new ProofClient(
                        "caller-" + number, random, options.faultsPort().isPresent());
                Runnable caller = new ProofCaller(
                        client,
                        random,
                        sequences,
                        addresses,
                        () -> failure.get() == null && left.get() > 0 && System.nanoTime() < deadlineNanos,
                        count -> left.getAndAdd(-count) >= count);
                callers.execute(() -> guarded(caller));
            }
            callers.shutdown();
            advanceHalfway(callers, deadlineNanos);
            while (!callers.isTerminated()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        } finally {
            callers.shutdownNow();
        }
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    private void guarded(Runnable caller) {
        try {
            caller.run();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private void advanceHalfway(ExecutorService callers, long deadlineNanos) {
        long halfNanos = TimeUnit.SECONDS.toNanos(options.seconds()) / 2;
        while (!callers.isTerminated()
                && failure.get() == null
                && left.get() > options.numbers() / 2
                && deadlineNanos - System.nanoTime() > halfNanos) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        ProofClient owner = new ProofClient(
                "owner", new SplittableRandom(), options.faultsPort().isPresent());
        for (ScratchSequence sequence : sequences) {
            for (int tries = 0; tries < TRIES && failure.get() == null; tries++) {
                if (owner.advance(sequence, addresses.get(tries % addresses.size()))) {
                    break;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /**
     * Requests one more number at each address after all other calls, without faults. Its answer reveals numbers that
     * were skipped at the end.
     */
    private void callLast() {
        awaitLateCalls.run();
        ProofClient last = new ProofClient("last", new SplittableRandom(), false);
        for (ScratchSequence sequence : sequences) {
            for (Address address : addresses) {
                ScratchSequence.SentKey key = sequence.isGapless() ? sequence.newKey(1, false) : null;
                ObservedOutcome outcome = last.next(sequence, address, key, 1);
                for (int tries = 1; tries < TRIES && !(outcome instanceof Allocated); tries++) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    outcome = last.next(sequence, address, key, 1);
                }
                if (outcome instanceof NoNumbers failure) {
                    throw new CannotProve(address.name() + " allocates no numbers at the end of the run: "
                            + failure.problem() + ". Look at its log.");
                }
            }
        }
    }

    private JudgedSequence judged(ScratchSequence sequence) {
        List<LedgerEntry> ledger = ledger(sequence);
        List<Recorded> all = sequence.recorded();
        return new JudgedSequence(sequence.guarantee(), all, ledger, sequence.violations(all, ledger));
    }

    private List<LedgerEntry> ledger(ScratchSequence sequence) {
        List<LedgerEntry> entries = new ArrayList<>();
        Optional<String> continuation = Optional.of("");
        while (continuation.isPresent()) {
            JsonNode page = page(sequence, continuation.get());
            try {
                entries.addAll(AnswerReader.entries(page));
                continuation = AnswerReader.continuation(page);
            } catch (AnswerReader.Unreadable e) {
                throw new CannotProve(
                        addresses.get(0).name() + " has a ledger that cannot be read: " + e.getMessage() + ".");
            }
        }
        return entries;
    }

    private JsonNode page(ScratchSequence sequence, String continuation) {
        String path = sequence.path() + "/ledger?limit=1000&continuation="
                + URLEncoder.encode(continuation, StandardCharsets.UTF_8);
        Answer answer = answer(addresses.get(0), AccessKey.NUMBERS, "GET", path, null);
        for (int tries = 1; tries < TRIES && answer.status() != 200; tries++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            answer = answer(addresses.get(0), AccessKey.NUMBERS, "GET", path, null);
        }
        JsonNode body = answer.body();
        if (answer.status() != 200 || body == null) {
            throw new CannotProve(addresses.get(0).name() + " answered " + refusal(answer) + " for the ledger.");
        }
        return body;
    }

    /** Retires the scratch sequences. Returns whether all of them are retired. */
    private boolean retire() {
        boolean isRetired = true;
        for (ScratchSequence sequence : sequences) {
            try {
                Answer retired =
                        addresses.get(0).send(AccessKey.DEFINITIONS, "DELETE", sequence.path(), null, "If-Match", "*");
                isRetired &= retired.status() == 204;
            } catch (IOException | CannotProve e) {
                isRetired = false;
            }
        }
        return isRetired;
    }

    private static Answer answer(
            Address address, AccessKey key, String method, String path, @Nullable String body, String... headers) {
        try {
            return address.send(key, method, path, body, headers);
        } catch (IOException e) {
            throw new CannotProve(address.name() + " does not answer " + method + " " + path + ": "
                    + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage())
                    + ". Is the address right, and does the app run?");
        }
    }

    private static String refusal(Answer answer) {
        JsonNode body = answer.body();
        String detail = body == null ? "" : body.path("detail").asText();
        return answer.status()
                + (answer.isProblem() ? " " + answer.problem() : "")
                + (detail.isEmpty() ? "" : " (" + detail + ")");
    }
}
