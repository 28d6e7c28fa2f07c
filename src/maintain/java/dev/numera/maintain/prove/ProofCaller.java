package dev.numera.maintain.prove;

import dev.numera.maintain.history.KeyStatus;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.maintain.prove.ScratchSequence.SentKey;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends one random call after another, each to a random address: new numbers with and without keys, reservations,
 * repeats of keys that any caller sent before, confirmations and voids. Not thread-safe.
 */
final class ProofCaller implements Runnable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final double STATUSES = 0.2;
    private static final double REPEATS = 0.2;
    private static final int COUNT_MAX = 3;

    private final ProofClient client;
    private final SplittableRandom random;
    private final List<ScratchSequence> sequences;
    private final List<Address> addresses;
    private final BooleanSupplier goesOn;
    private final IntPredicate takes;

    /** @param takes whether a caller may still request this many numbers; if so, it counts them as requested */
    ProofCaller(
            ProofClient client,
            SplittableRandom random,
            List<ScratchSequence> sequences,
            List<Address> addresses,
            BooleanSupplier goesOn,
            IntPredicate takes) {
        this.client = client;
        this.random = random;
        this.sequences = sequences;
        this.addresses = addresses;
        this.goesOn = goesOn;
        this.takes = takes;
    }

    @Override
    public void run() {
        while (goesOn.getAsBoolean()) {
            ScratchSequence sequence = sequences.get(random.nextInt(sequences.size()));
            Optional<SentKey> known = sequence.anyKey(random);
            double what = random.nextDouble();
            if (what < STATUSES && known.isPresent()) {
                client.changeStatus(sequence, anyAddress(), known.get().key(), anyChange());
            } else if (what < STATUSES + REPEATS && known.isPresent()) {
                send(sequence, known.get(), known.get().count());
            } else {
                takeNew(sequence);
            }
        }
    }

    private void takeNew(ScratchSequence sequence) {
        int count = random.nextBoolean() ? 1 : 1 + random.nextInt(COUNT_MAX);
        if (takes.test(count)) {
            boolean isKeyed = sequence.isGapless() || random.nextInt(3) == 0;
            send(sequence, isKeyed ? sequence.newKey(count, random.nextInt(3) == 0) : null, count);
        }
    }

    /** Sends a call, and repeats it once if it has a key and got no numbers, as clients do. */
    private void send(ScratchSequence sequence, @Nullable SentKey key, int count) {
        ObservedOutcome outcome = client.next(sequence, anyAddress(), key, count);
        if (outcome instanceof NoNumbers) {
            LockSupport.parkNanos(PAUSE_NANOS);
            if (key != null) {
                client.next(sequence, anyAddress(), key, count);
            }
        }
    }

    private KeyStatus anyChange() {
        return random.nextInt(3) > 0 ? KeyStatus.ISSUED : KeyStatus.voided("reason " + random.nextInt(2));
    }

    private Address anyAddress() {
        return addresses.get(random.nextInt(addresses.size()));
    }
}
