package dev.numera.batch;

import dev.numera.counter.SequenceName;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Ask;
import dev.numera.sequence.Keys;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks of one sequence that belong together and are numbered in the order listed. Each has a key, which makes it safe
 * to send the batch again.
 */
public record Batch(SequenceName sequence, List<Ask> asks) {
    public Batch {
        asks = List.copyOf(asks);
    }

    /**
     * A number for each key.
     *
     * @param date null for the day on which the batch was sent
     * @throws ProblemException {@code invalid-request}: no key, one that is none, or one that is there twice
     */
    public static Batch ofKeys(SequenceName sequence, List<String> keys, @Nullable LocalDate date) {
        if (keys.isEmpty()) {
            throw InvalidRequest.because("keys", "must hold at least one key");
        }
        List<Ask> asks = new ArrayList<>();
        Map<String, Integer> places = new HashMap<>();
        for (int place = 0; place < keys.size(); place++) {
            String key = keys.get(place);
            Keys.require("keys[" + place + "]", key);
            Integer earlier = places.put(key, place);
            if (earlier != null) {
                throw InvalidRequest.because(
                        "keys[" + place + "]", "repeats keys[" + earlier + "]: each key stands for one number");
            }
            asks.add(new Ask(key, 1, date));
        }
        return new Batch(sequence, asks);
    }

    /** The same, but the numbers are reserved. */
    public Batch reserved() {
        return new Batch(
                sequence,
                asks.stream()
                        .map(ask -> new Ask(ask.key(), ask.count(), ask.date(), true))
                        .toList());
    }

    /**
     * So many numbers at once, all or none.
     *
     * @param id the key under which they stand in the ledger
     * @param date null for the day on which the batch was sent
     * @throws ProblemException {@code invalid-request} for the id or the count
     */
    public static Batch ofCount(SequenceName sequence, String id, int count, @Nullable LocalDate date) {
        Keys.require("id", id);
        return new Batch(sequence, List.of(new Ask(id, count, date)));
    }
}
