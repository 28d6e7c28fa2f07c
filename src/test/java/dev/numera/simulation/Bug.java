package dev.numera.simulation;

import dev.numera.model.Guarantee;

/** A bug that a test plants, under a guarantee that it breaks. */
enum Bug {
    STRICT_WRITING_UNCONDITIONALLY(Guarantee.STRICT, WrongStore.writingUnconditionally()),
    GAPLESS_WRITING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.writingUnconditionally()),
    CACHED_WRITING_UNCONDITIONALLY(Guarantee.CACHED, WrongStore.writingUnconditionally()),
    STRICT_READING_THE_VERSION_APART(Guarantee.STRICT, WrongStore.readingTheVersionApart()),
    GAPLESS_READING_THE_VERSION_APART(Guarantee.GAPLESS, WrongStore.readingTheVersionApart()),
    CACHED_READING_THE_VERSION_APART(Guarantee.CACHED, WrongStore.readingTheVersionApart()),
    STRICT_TAKING_UNKNOWN_FOR_WON(Guarantee.STRICT, WrongStore.takingUnknownForWon()),
    GAPLESS_TAKING_UNKNOWN_FOR_WON(Guarantee.GAPLESS, WrongStore.takingUnknownForWon()),
    CACHED_TAKING_UNKNOWN_FOR_WON(Guarantee.CACHED, WrongStore.takingUnknownForWon()),
    CACHED_FORGETTING_THE_EPOCH(Guarantee.CACHED, WrongStore.forgettingTheEpoch()),
    STRICT_ANSWERING_APART(Guarantee.STRICT, WrongStore.answeringApart()),
    CACHED_ANSWERING_APART(Guarantee.CACHED, WrongStore.answeringApart(), 14),
    GAPLESS_ANSWERING_CLOSED_ASKS(Guarantee.GAPLESS, WrongStore.answeringWhateverBecameOfTheAsk(), 26),
    GAPLESS_POSTING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.postingUnconditionally()),
    STRICT_MARKING_UNCONDITIONALLY(Guarantee.STRICT, WrongStore.markingUnconditionally()),
    GAPLESS_MARKING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.markingUnconditionally(), 13),
    CACHED_MARKING_UNCONDITIONALLY(Guarantee.CACHED, WrongStore.markingUnconditionally()),
    STRICT_OPENING_UNCONDITIONALLY(Guarantee.STRICT, WrongStore.openingUnconditionally(), 59),
    GAPLESS_OPENING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.openingUnconditionally(), 165),
    CACHED_OPENING_UNCONDITIONALLY(Guarantee.CACHED, WrongStore.openingUnconditionally(), 13),
    STRICT_CLOSING_OVER_ANSWERS(Guarantee.STRICT, WrongStore.closingOverAnswers()),
    STRICT_INSERTING_OPEN(Guarantee.STRICT, WrongStore.insertingOpen(), 93),
    STRICT_SHARING_A_ROW(Guarantee.STRICT, WrongStore.sharingARow(), 64),
    GAPLESS_ASKING_IN_ANOTHER_ORDER(Guarantee.GAPLESS, WrongStore.askingInAnotherOrder());

    final Guarantee guarantee;
    final WrongStore.Wrong wrong;
    /**
     * Of a run that notices it, so that a search starts with it; after a change of the runs others may be the first.
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
}
