package dev.numera.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnswerTest {
    @Test
    void resultOfACallIsItsAnswer() {
        assertEquals(Answer.of(7), Answer.unlessTrouble(() -> 7));
        assertEquals(List.of(Answer.of(7)), Answer.ofEach(2, () -> List.of(Answer.of(7))));
    }

    @ParameterizedTest
    @EnumSource
    void problemOfACallIsItsAnswerUnlessTheServiceFails(ProblemType type) {
        ProblemException problem = new ProblemException(type, "Why.");
        Supplier<Integer> call = () -> {
            throw problem;
        };
        Supplier<List<Answer<Integer>>> callForTwo = () -> {
            throw problem;
        };

        if (type.isTroubleOfTheService()) {
            assertSame(problem, assertThrows(ProblemException.class, () -> Answer.unlessTrouble(call)));
            assertSame(problem, assertThrows(ProblemException.class, () -> Answer.ofEach(2, callForTwo)));
        } else {
            Answer<Integer> refused = Answer.refused(problem);
            assertEquals(refused, Answer.unlessTrouble(call));
            assertEquals(List.of(refused, refused), Answer.ofEach(2, callForTwo));
        }
    }
}
