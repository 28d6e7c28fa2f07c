package dev.numera.simulation;

import dev.numera.core.model.Guarantee;

/** A planted bug, with a guarantee that it breaks. */
enum Bug {
    STRICT_WRITING_UNCONDITIONALLY(Guarantee.STRICT, WrongStore.writingUnconditionally()),
    GAPLESS_WRITING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.writingUnconditionally()),
    CACHED_WRITING_UNCONDITIONALLY(Guarantee.CACHED, WrongStore.writingUnconditionally()),
    STRICT_READING_THE_VERSION_APART(Guarantee.STRICT, WrongStore.readingTheVersionApart(), 2_004),
    GAPLESS_READING_THE_VERSION_APART(Guarantee.GAPLESS, WrongStore.readingTheVersionApart(), 2_003),
    CACHED_READING_THE_VERSION_APART(Guarantee.CACHED, WrongStore.readingTheVersionApart(), 1_002),
    STRICT_TAKING_UNKNOWN_FOR_WON(Guarantee.STRICT, WrongStore.takingUnknownForWon(), 1_008),
    GAPLESS_TAKING_UNKNOWN_FOR_WON(Guarantee.GAPLESS, WrongStore.takingUnknownForWon(), 2_001),
    CACHED_TAKING_UNKNOWN_FOR_WON(Guarantee.CACHED, WrongStore.takingUnknownForWon(), 2_004),
    CACHED_FORGETTING_THE_EPOCH(Guarantee.CACHED, WrongStore.forgettingTheEpoch()),
    STRICT_ANSWERING_APART(Guarantee.STRICT, WrongStore.answeringApart(), 1_002),
    CACHED_ANSWERING_APART(Guarantee.CACHED, WrongStore.answeringApart(), 1_011),
    GAPLESS_ANSWERING_CLOSED_ASKS(Guarantee.GAPLESS, WrongStore.answeringWhateverBecameOfTheAsk(), 2_054),
    GAPLESS_POSTING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.postingUnconditionally(), 1_024),
    STRICT_MARKING_UNCONDITIONALLY(Guarantee.STRICT, WrongStore.markingUnconditionally(), 2_004),
    GAPLESS_MARKING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.markingUnconditionally(), 2_004),
    CACHED_MARKING_UNCONDITIONALLY(Guarantee.CACHED, WrongStore.markingUnconditionally(), 1_004),
    STRICT_OPENING_UNCONDITIONALLY(Guarantee.STRICT, WrongStore.openingUnconditionally(), 1_040),
    GAPLESS_OPENING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.openingUnconditionally(), 2_003),
    CACHED_OPENING_UNCONDITIONALLY(Guarantee.CACHED, WrongStore.openingUnconditionally(), 2_172),
    STRICT_CLOSING_OVER_ANSWERS(Guarantee.STRICT, WrongStore.closingOverAnswers(), 2_060),
    STRICT_INSERTING_OPEN(Guarantee.STRICT, WrongStore.insertingOpen(), 1_122),
    STRICT_SHARING_A_ROW(Guarantee.STRICT, WrongStore.sharingARow(), 1_102),
    GAPLESS_ASKING_IN_ANOTHER_ORDER(Guarantee.GAPLESS, WrongStore.askingInAnotherOrder(), 1_019);

    final Guarantee guarantee;
    final WrongStore.Wrong wrong;
    /**
     * The seed of a run that notices the bug. If a change of the runs makes it useless, the test searches for another
     * seed.
     */
    final long seed;

    Bug(Guarantee guarantee, WrongStore.Wrong wrong) {
        this(guarantee, wrong, 1);
    }

    Bug(Guarantee guarantee, WrongStore.Wrong wrong, long seed) {
        this.guarantee = guarantee;
        this.wrong = wrong;
        this.seed = seed;
    }

    boolean isNoticedBy(long run) {
        return Seeds.fails(run, guarantee, wrong);
    }
}
