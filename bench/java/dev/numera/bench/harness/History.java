package dev.numera.bench.harness;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The calls of all processes in one window. Their times are comparable, because all processes run on one machine. For a
 * call of several numbers, only the first is checked.
 */
final class History {
    private record Call(long number, long beganNanos, long endedNanos) {}

    private final List<Call> calls;

    private History(List<Call> calls) {
        this.calls = calls;
    }

    /** Reads the files that the workers wrote, and removes them. */
    static History read(List<Path> files) {
        List<Call> calls = new ArrayList<>();
        try {
            for (Path file : files) {
                long left = Files.size(file) / (Caller.LONGS_A_CALL * Long.BYTES);
                try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
                    for (; left > 0; left--) {
                        calls.add(new Call(in.readLong(), in.readLong(), in.readLong()));
                    }
                }
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new History(calls);
    }

    /** Returns how many calls received a number that another call received too. */
    long duplicates() {
        long[] numbers = calls.stream().mapToLong(Call::number).sorted().toArray();
        return numbers.length - Arrays.stream(numbers).distinct().count();
    }

    /** Returns how many calls started after another call was answered and yet received a smaller number. */
    long inversions() {
        List<Call> byEnd = sorted(Comparator.comparingLong(Call::endedNanos));
        long highestAnswered = Long.MIN_VALUE;
        int answered = 0;
        long inversions = 0;
        for (Call call : sorted(Comparator.comparingLong(Call::beganNanos))) {
            while (answered < byEnd.size() && byEnd.get(answered).endedNanos() < call.beganNanos()) {
                highestAnswered = Math.max(highestAnswered, byEnd.get(answered).number());
                answered++;
            }
            if (call.number() < highestAnswered) {
                inversions++;
            }
        }
        return inversions;
    }

    private List<Call> sorted(Comparator<Call> order) {
        return calls.stream().sorted(order).toList();
    }
}
