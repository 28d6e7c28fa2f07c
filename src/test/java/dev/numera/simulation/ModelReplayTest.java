package dev.numera.simulation;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Counterexamples of the model ({@code model}), replayed step by step in the code: each breaks a promise if the code
 * drops the rule, and none otherwise.
 */
class ModelReplayTest {
    private static final int FAULTS = 2;

    @ParameterizedTest
    @EnumSource
    void historyBreaksPromiseOnlyWithoutTheRule(Counterexample counterexample) {
        List<String> trace = new ArrayList<>();
        AssertionError failure = assertThrows(
                AssertionError.class,
                () -> replay(counterexample, counterexample.wrong, trace),
                () -> String.join("\n", trace));
        assertTrue(
                failure.getMessage().contains(counterexample.broken),
                () -> failure.getMessage() + "\n" + String.join("\n", trace));
        replay(counterexample, WrongStore.Wrong.NOTHING, null);
    }

    private static void replay(Counterexample counterexample, WrongStore.Wrong wrong, List<String> trace) {
        Deque<String> left = new ArrayDeque<>(counterexample.steps);
        Turns.Chooser script = (moves, faultsLeft) -> {
            List<String> names =
                    moves.stream().map(Turns.PossibleMove::toString).toList();
            // An instance that keeps the rule needs fewer requests, or sends other requests after the last step.
            while (!left.isEmpty() && !names.contains(left.peek())) {
                left.poll();
            }
            return left.isEmpty() ? 0 : names.indexOf(left.poll());
        };
        new SmallRun(counterexample.scenario, wrong, FAULTS, script, Seeds.THREADS, trace).run();
    }
}
