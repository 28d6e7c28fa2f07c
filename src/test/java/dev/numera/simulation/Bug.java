package dev.numera.simulation;

import dev.numera.counter.Guarantee;

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
    CACHED_ANSWERING_APART(Guarantee.CACHED, WrongStore.answeringApart()),
    GAPLESS_ANSWERING_CLOSED_ASKS(Guarantee.GAPLESS, WrongStore.answeringWhateverBecameOfTheAsk()),
    GAPLESS_POSTING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.postingUnconditionally()),
    STRICT_MARKING_UNCONDITIONALLY(Guarantee.STRICT, WrongStore.markingUnconditionally()),
    GAPLESS_MARKING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.markingUnconditionally()),
    CACHED_MARKING_UNCONDITIONALLY(Guarantee.CACHED, WrongStore.markingUnconditionally()),
    STRICT_OPENING_UNCONDITIONALLY(Guarantee.STRICT, WrongStore.openingUnconditionally()),
    GAPLESS_OPENING_UNCONDITIONALLY(Guarantee.GAPLESS, WrongStore.openingUnconditionally()),
    CACHED_OPENING_UNCONDITIONALLY(Guarantee.CACHED, WrongStore.openingUnconditionally()),
    STRICT_CLOSING_OVER_ANSWERS(Guarantee.STRICT, WrongStore.closingOverAnswers()),
    STRICT_INSERTING_OPEN(Guarantee.STRICT, WrongStore.insertingOpen()),
    STRICT_SHARING_A_ROW(Guarantee.STRICT, WrongStore.sharingARow()),
    GAPLESS_ASKING_IN_ANOTHER_ORDER(Guarantee.GAPLESS, WrongStore.askingInAnotherOrder());

    final Guarantee guarantee;
    final WrongStore.Wrong wrong;

    Bug(Guarantee guarantee, WrongStore.Wrong wrong) {
        this.guarantee = guarantee;
        this.wrong = wrong;
    }
}
