package dev.numera.simulation;

import dev.numera.contract.Defined;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Series;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.WriteResult;
import dev.numera.definition.Definition;
import dev.numera.definition.StoredDefinition;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The owner of the sequence, who changes his mind before the first number: start, increment or the end of the range.
 * His changes get lost, come late or twice, and race with the first number. What he was told must hold in the end.
 */
final class Owner {
    private static final int CHANGES_MAX = 4;

    private final SequenceName name;
    private final Stage stage;
    private final FaultyStore way;
    /** What the sequence may be in the end, as far as he knows. */
    private final Set<Series> possible = new HashSet<>();

    Owner(SequenceName name, Stage stage, FaultyStore way, Series first) {
        this.name = name;
        this.stage = stage;
        this.way = way;
        possible.add(first);
    }

    /** Until he is told that the sequence is in use, or has had enough. */
    void act() {
        for (int change = 0; change < CHANGES_MAX; change++) {
            stage.sleep(Duration.ofNanos(stage.random().nextInt(3_000_000)));
            try {
                StoredDefinition present = way.definition(name);
                if (present.isInUse()) {
                    return;
                }
                change(present);
            } catch (StoreFailure | LinkageError e) {
                // He tries again, or leaves it.
            }
        }
    }

    private void change(StoredDefinition present) {
        Definition before = present.definition();
        Series changed = changed(before.series());
        // Whatever is thrown, it may be done, or be done later.
        possible.add(changed);
        WriteResult answer = way.replace(
                Defined.stored(
                        name,
                        Defined.ordered(
                                Defined.definition(
                                        before.fixed().guarantee(),
                                        changed,
                                        before.fixed().resetEvery()),
                                before.dateOrder()),
                        false,
                        null,
                        present.version()),
                Defined.change());
        stage.note(() -> "owner was told " + answer);
        if (answer instanceof WriteResult.Won) {
            possible.clear();
            possible.add(changed);
        }
    }

    private Series changed(Series series) {
        long increment = series.increment();
        return switch (stage.random().nextInt(3)) {
            case 0 ->
                new Series(
                        series.start() + 5 * Long.signum(increment),
                        increment,
                        series.minValue(),
                        series.maxValue(),
                        false);
            case 1 ->
                new Series(
                        series.start(),
                        increment + Long.signum(increment),
                        series.minValue(),
                        series.maxValue(),
                        false);
            default ->
                narrowed(
                        series,
                        series.start() + increment * (20 + stage.random().nextInt(100)));
        };
    }

    private static Series narrowed(Series series, long end) {
        return series.increment() > 0
                ? new Series(series.start(), series.increment(), series.minValue(), end, false)
                : new Series(series.start(), series.increment(), end, series.maxValue(), false);
    }

    void requireToldTheTruth(Series inTheEnd) {
        if (!possible.contains(inTheEnd)) {
            throw new AssertionError(
                    "The owner was told that the sequence is one of " + possible + ", but it is " + inTheEnd);
        }
    }
}
