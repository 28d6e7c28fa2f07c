package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.counter.Backoff;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A definition is changed before the first number, while another instance still holds the old one. */
class StaleDefinitionIT {
    private static final LocalDate DATE = LocalDate.of(2026, 3, 1);

    private final Sequences owner = instance();
    private final Sequences late = instance();

    private static Sequences instance() {
        StorageAccount account = new StorageAccount(
                new StorageConnection.ConnectionString(SharedAzurite.connectionString()), Duration.ofSeconds(5));
        account.createTables();
        CounterLimits limits = new CounterLimits(50, Duration.ofSeconds(10),
                new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)), Duration.ofMillis(30), 200);
        return Sequences.over(account.stores(), AutoCreate.ALWAYS, limits, 100);
    }

    private static DefinitionDraft draft(Guarantee guarantee, ResetEvery resetEvery) {
        return new DefinitionDraft(guarantee, null, null, null, null, null, null, null, resetEvery, null, null);
    }

    /** Defines it, lets the late instance see that, and defines it anew. */
    private SequenceName changed(String name, DefinitionDraft before, DefinitionDraft after) {
        SequenceName sequence = new SequenceName("stale", name);
        owner.administration().put(sequence, before, new Precondition.Absent());
        late.numbering().state(sequence, DATE);
        owner.administration().put(sequence, after, new Precondition.Present());
        return sequence;
    }

    private static Numbers next(Sequences instance, SequenceName name, String key) {
        return instance.numbering().next(name, List.of(new Ask(key, 1, DATE))).answers().get(0).orThrow();
    }

    @Test
    void aResetThatTheOtherInstanceDoesNotKnowOfMakesNoSecondCounter() {
        SequenceName name = changed("reset", draft(null, ResetEvery.NEVER), draft(null, ResetEvery.YEAR));
        assertEquals(1, next(owner, name, null).first());
        assertEquals(2, next(late, name, null).first());
        assertEquals(3, next(owner, name, null).first());
        assertEquals("2026", late.numbering().state(name, DATE).period());
    }

    @Test
    void theOtherInstanceMayComeFirstAndPinWhatStands() {
        SequenceName name = changed("first", draft(null, ResetEvery.NEVER), draft(null, ResetEvery.YEAR));
        assertEquals(1, next(late, name, null).first());
        assertEquals(2, next(owner, name, null).first());
    }

    @Test
    void aGaplessSequenceGetsNoNumberWithoutAKeyFromAnInstanceThatThinksItStrict() {
        SequenceName name = changed("gapless", draft(null, null), draft(Guarantee.GAPLESS, null));
        assertEquals(1, next(owner, name, "a").first());
        assertEquals(ProblemType.KEY_REQUIRED, assertThrows(ProblemException.class, () -> next(late, name, null)).type());
        assertEquals(2, next(late, name, "b").first());
    }

    @Test
    void aCachedSequenceGetsNoKeysFromAnInstanceThatThinksItStrict() {
        SequenceName name = changed("cached", draft(null, null), draft(Guarantee.CACHED, null));
        assertEquals(1, next(owner, name, null).first());
        assertEquals(ProblemType.KEY_REFUSED, assertThrows(ProblemException.class, () -> next(late, name, "a")).type());
    }

    @Test
    void aStrictSequenceGivesNoBlocksToAnInstanceThatThinksItCached() {
        SequenceName name = changed("strict", draft(Guarantee.CACHED, null), draft(null, null));
        assertEquals(1, next(owner, name, null).first());
        assertEquals(2, next(late, name, null).first());
        assertEquals(3, next(owner, name, null).first());
    }
}
