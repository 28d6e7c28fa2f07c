package dev.numera.bench.virtual;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All scenes that are measured in virtual time. */
record Scenes(Storage storage) {
    private static final int[][] SIZES = {{1, 1}, {1, 16}, {2, 4}, {4, 4}, {8, 4}, {8, 16}, {16, 4}, {32, 4}, {64, 4}};
    /**
     * Loads with enough keys to fill each transaction, as instances and callers per instance. They measure how the
     * instances share the throughput.
     */
    private static final int[][] FULL = {{8, 64}, {12, 48}, {40, 16}};
    /** A typical time until a caller over HTTP calls again, or more than that. */
    private static final int RETURN_MILLIS = 1;

    private static final int ENTITIES_PER_SECOND = 2_000;

    List<Scene> all() {
        List<Scene> all = new ArrayList<>();
        for (int[] size : SIZES) {
            all.add(scene(size));
        }
        for (int[] size : SIZES) {
            all.add(scene(size).pausing(RETURN_MILLIS));
        }
        for (int[] size : SIZES) {
            all.add(scene(size).keyed());
        }
        all.addAll(full());
        all.addAll(light());
        all.addAll(onPoorStorage());
        return all;
    }

    /** Returns the scenes that docs/benchmarks.md shows. */
    List<Scene> forThePage() {
        Scene busy = new Scene(8, 16, storage);
        Scene wide = new Scene(64, 4, storage);
        return List.of(
                new Scene(1, 16, storage),
                new Scene(2, 4, storage),
                new Scene(8, 4, storage),
                busy,
                wide,
                busy.pausing(RETURN_MILLIS),
                wide.keyed(),
                new Scene(8, 64, storage).keyed(),
                new Scene(3, 2, storage).pausing(200),
                new Scene(2, 1, storage).inTurns(1_000),
                busy.on(storage.serving(ENTITIES_PER_SECOND)).keyed(),
                busy.on(storage.stalling()));
    }

    private List<Scene> full() {
        return Arrays.stream(FULL).map(size -> scene(size).keyed()).toList();
    }

    private List<Scene> light() {
        return List.of(
                new Scene(1, 6, storage).pausing(200),
                new Scene(2, 4, storage).pausing(50),
                new Scene(3, 2, storage).pausing(200),
                new Scene(3, 2, storage).pausing(1_000),
                new Scene(2, 1, storage).inTurns(1_000),
                new Scene(4, 1, storage).inTurns(1_000));
    }

    private List<Scene> onPoorStorage() {
        Scene busy = new Scene(8, 16, storage);
        return List.of(
                busy.on(storage.serving(ENTITIES_PER_SECOND)),
                busy.on(storage.serving(ENTITIES_PER_SECOND)).keyed(),
                new Scene(2, 4, storage.stalling()),
                busy.on(storage.stalling()));
    }

    private Scene scene(int[] size) {
        return new Scene(size[0], size[1], storage);
    }
}
