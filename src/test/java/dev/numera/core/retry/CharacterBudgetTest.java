package dev.numera.core.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import org.junit.jupiter.api.Test;

class CharacterBudgetTest {
    private static final long MEGABYTE = 1024 * 1024;
    private static final long UNCOUNTED = 4_096;

    private final CharacterBudget budget = new CharacterBudget(512 * MEGABYTE);

    @Test
    void halfOfTheHeapIsForCharactersOfEightBytes() {
        assertEquals(32 * MEGABYTE, budget.characters());
        assertEquals(8 * MEGABYTE, new CharacterBudget(128 * MEGABYTE).characters());
        assertEquals(4_000_000, new CharacterBudget(MEGABYTE).characters(), "the largest answer fits");
    }

    @Test
    void beyondTheBudgetItIsOverloadedAndHoldsNothing() {
        CharacterBudget.Share one = budget.open();
        CharacterBudget.Share other = budget.open();
        one.hold(UNCOUNTED + budget.characters() - 10);
        other.hold(UNCOUNTED + 10);

        ProblemException refusal = assertThrows(ProblemException.class, () -> other.hold(1));

        assertEquals(ProblemType.OVERLOADED, refusal.type());
        assertTrue(refusal.getMessage().contains("33,554,432 of 33,554,432"), refusal.getMessage());
        assertEquals(budget.characters(), budget.held());
        one.close();
        assertEquals(10, budget.held());
        other.hold(1);
        other.close();
        assertEquals(0, budget.held());
    }

    @Test
    void aShortAnswerFitsBesideAnyNumberOfLongOnes() {
        CharacterBudget.Share longOnes = budget.open();
        longOnes.hold(UNCOUNTED + budget.characters());
        CharacterBudget.Share shortOne = budget.open();
        shortOne.hold(UNCOUNTED);

        assertThrows(ProblemException.class, () -> shortOne.hold(1));
        shortOne.close();
        longOnes.close();
        assertEquals(0, budget.held());
    }

    @Test
    void aClosedShareReturnsWhatItHeldOnce() {
        CharacterBudget.Share share = budget.open();
        share.holdAtLeast(UNCOUNTED + 5);
        share.holdAtLeast(3);
        assertEquals(5, budget.held());
        share.holdAtLeast(UNCOUNTED + 7);
        assertEquals(7, budget.held());
        share.close();
        share.close();
        assertEquals(0, budget.held());
    }

    @Test
    void moreThanTheWholeIsNeverHeld() {
        CharacterBudget.Share share = budget.open();
        assertTrue(share.canEverHold(UNCOUNTED + budget.characters()));
        assertFalse(share.canEverHold(UNCOUNTED + budget.characters() + 1));
        share.hold(1);
        assertFalse(share.canEverHold(UNCOUNTED + budget.characters()));
    }
}
