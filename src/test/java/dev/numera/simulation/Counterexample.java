package dev.numera.simulation;

import dev.numera.core.model.Guarantee;
import dev.numera.simulation.SmallScenario.Ask;
import dev.numera.simulation.SmallScenario.Caller;
import dev.numera.simulation.SmallScenario.Setting;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A history that breaks a promise if the model drops one of its rules, as a schedule of the code. Each step is one
 * request of an instance that has started, or the late arrival of a write.
 */
enum Counterexample {
    CONDITIONAL(
            Setting.PAIR.of(Guarantee.STRICT),
            WrongStore.writingUnconditionally(),
            "was allocated twice",
            "i1,i2, i1,i2,i2,i2,i1,i1"),
    ONE_READ(
            Setting.PAIR.of(Guarantee.STRICT),
            WrongStore.readingTheVersionApart(),
            "was allocated twice",
            "i1,i2, i1,i2,i2,i2,i1,i1"),
    WON_FIRST(
            Setting.PAIR.of(Guarantee.STRICT),
            WrongStore.takingUnknownForWon(),
            "was allocated twice",
            "i1,i2, i1,i1 UNANSWERED,i2,i2"),
    FROZEN(
            Setting.TOGETHER.of(Guarantee.GAPLESS),
            new WrongStore.Wrong(
                    GrowingGroups::new, WrongStore.Wrong.NOTHING.table(), 1, WrongStore.Wrong.NOTHING.scenario()),
            "was allocated twice",
            "i1.0,i1.1,i2.2, i1.0,i1.0,i1.0 UNANSWERED,i1.1,i1.0,i1 thread 1,i1 thread 1,i1 thread 1,late write of i1,i1.0,i1.0"),
    LOOK_FOR_ID(
            Setting.PAIR.of(Guarantee.STRICT),
            CarelessWriter.withoutLookingForIds(),
            "numbers were consumed, but callers know",
            "i1,i2, i1,i1 UNANSWERED,late write of i1,i1 SLOW"),
    LIST_REACHES(
            keys("", ",,,,,,,,"),
            CarelessWriter.withoutEndOfList(),
            "numbers were consumed, but callers know",
            "i1,i2, i1,i1 UNANSWERED,late write of i1,i2,i2,i2,i2,i2,i2,i2,i2,i2,i2,i1 SLOW"),
    READ_AFTER_REFUSAL(
            Setting.PAIR.of(Guarantee.STRICT),
            CarelessWriter.withoutReadAfterRefusal(),
            "numbers were consumed, but callers know",
            "i1,i2, i1,i1 TWICE,i1,i1"),
    OWN_ROW(
            keys("a", "b,a,c,d,e,f,g,h,i"),
            CarelessWriter.withoutOwnRow(),
            "was allocated twice",
            "i1,i2, i1,i1 UNANSWERED,i2,i2,i2,i2,i2,i2,i2,i2,i2,i2,i1,i1"),
    INSERTED(keys("a", "a"), CarelessTable.replacingKeyRows(), "key 'a' got two allocations", "i1,i2, i1,i1,i2,i2"),
    TRANSACTION(keys("a", "a"), CarelessTable.writingRowsApart(), "key 'a' got two allocations", "i1,i2, i1,i1,i2,i2");

    final SmallScenario scenario;
    final WrongStore.Wrong wrong;
    /** A part of the expected verdict. */
    final String broken;

    final List<String> steps;

    Counterexample(SmallScenario scenario, WrongStore.Wrong wrong, String broken, String steps) {
        this.scenario = scenario;
        this.wrong = wrong;
        this.broken = broken;
        this.steps = List.of(steps.split(", *"));
    }

    /**
     * Returns two instances that request one number for each of these keys, separated by commas. An empty key means a
     * request without a key.
     */
    private static SmallScenario keys(String first, String second) {
        List<Caller> callers = Stream.of(new Caller("i1", asks(first)), new Caller("i2", asks(second)))
                .toList();
        SmallScenario pair = Setting.PAIR.of(Guarantee.STRICT);
        return new SmallScenario(
                pair.guarantee(),
                callers,
                pair.isOpen(),
                pair.hasThreads(),
                pair.isRestored(),
                pair.lossesBeforePeerRequest());
    }

    private static List<Ask> asks(String keys) {
        return Arrays.stream(keys.split(",", -1))
                .map(key -> key.isEmpty() ? Ask.ONE : Ask.key(key))
                .toList();
    }
}
