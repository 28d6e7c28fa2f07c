package dev.numera.sequences.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Definition;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The age of a cached definition counts from the moment before its read, however long the process paused afterward. */
class DefinitionAgeTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final Definition DEFINITION =
            Defined.definition(Guarantee.STRICT, new Series(1, 1, 1, 1_000, false), ResetEvery.NEVER);

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final TestClock time = TestClock.alone(Instant.EPOCH);
    private Duration pauseAfterRead = Duration.ZERO;
    private Runnable duringPause = () -> {};
    private int reads;

    private final DefinitionCache definitions = new DefinitionCache(pausing(), 10, time, Duration.ofSeconds(2));

    /** Returns a store after whose answers the process pauses before it caches them. */
    private DefinitionStore pausing() {
        return ForwardingStore.over(DefinitionStore.class, table, request -> {
            Object answer = request.forward();
            if (request.name().equals("find")) {
                reads++;
                time.pass(pauseAfterRead);
                pauseAfterRead = Duration.ZERO;
                duringPause.run();
                duringPause = () -> {};
            }
            return answer;
        });
    }

    @BeforeEach
    void define() {
        table.put(Defined.stored(NAME, DEFINITION, true, null, null));
    }

    /** The old definition was once used for 25 s more, and a sequence that was retired long ago allocated numbers. */
    @Test
    void definitionTooOldWhenItArrivesIsReadAgain() {
        pauseAfterRead = Duration.ofMinutes(10);
        duringPause = () -> table.put(Defined.stored(NAME, DEFINITION, true, Instant.EPOCH, null));
        assertTrue(definitions.get(NAME).isRetired());
        assertEquals(2, reads);
        assertTrue(definitions.get(NAME).isRetired());
        assertEquals(2, reads);
    }

    @Test
    void itsAgeCountsFromBeforeTheRead() {
        pauseAfterRead = Duration.ofSeconds(20);
        assertFalse(definitions.get(NAME).isRetired());
        time.pass(DefinitionCache.KEPT.minusSeconds(20).minusNanos(1));
        definitions.get(NAME);
        assertEquals(1, reads);
        time.pass(Duration.ofNanos(1));
        definitions.get(NAME);
        assertEquals(2, reads);
    }

    @Test
    void markingItMakesItNoYounger() {
        time.pass(Duration.ofSeconds(1));
        Sequence known = definitions.get(NAME);
        time.pass(DefinitionCache.KEPT.minusNanos(1));
        definitions.marked(NAME, known.version());
        time.pass(Duration.ofNanos(1));
        definitions.get(NAME);
        assertEquals(2, reads);
    }
}
