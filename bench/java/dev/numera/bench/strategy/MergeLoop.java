package dev.numera.bench.strategy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import dev.numera.bench.harness.Window;
import dev.numera.core.retry.Backoff;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The loop of the blog article: reads, adds one, and merges on condition that no other caller wrote meanwhile. Tries
 * again after 412 or 409.
 */
final class MergeLoop implements Strategy {
    static final int MAX_ATTEMPTS = 50;
    static final Backoff AT_ONCE = new Backoff.FullJitter(Duration.ZERO, Duration.ZERO);
    /** The 30 s, 3 s and 90 s of the partitioning article, as milliseconds. */
    static final Backoff ARTICLE =
            new ExponentialBackoff(Duration.ofMillis(30), Duration.ofMillis(3), Duration.ofMillis(90));

    private static final Set<Integer> LOST = Set.of(409, 412);

    private final TableClient table;
    private final String sequence;
    private final Backoff backoff;

    /** @param backoff the wait after a lost attempt */
    MergeLoop(TableClient table, String sequence, Backoff backoff) {
        this.table = table;
        this.sequence = sequence;
        this.backoff = backoff;
    }

    @Override
    public void prepare(int numbersWanted) {
        table.createEntity(LastNumber.none(sequence));
    }

    @Override
    public long next(Window window) throws InterruptedException {
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            window.requireOpen();
            TableEntity row = table.getEntity(sequence, LastNumber.ROW);
            long number = LastNumber.increment(row);
            try {
                table.updateEntityWithResponse(row, TableEntityUpdateMode.MERGE, true, null, null);
                return number;
            } catch (TableServiceException e) {
                if (!LOST.contains(e.getResponse().getStatusCode())) {
                    throw e;
                }
            }
            TimeUnit.NANOSECONDS.sleep(
                    backoff.delay(attempt, ThreadLocalRandom.current().nextDouble())
                            .toNanos());
        }
        throw new IllegalStateException("Lost " + MAX_ATTEMPTS + " attempts.");
    }
}
