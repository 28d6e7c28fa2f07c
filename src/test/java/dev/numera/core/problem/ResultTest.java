package dev.numera.core.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResultTest {
    @Test
    void resultOfACallIsItsAnswer() {
        assertEquals(Result.of(7), Result.unlessTrouble(() -> 7));
        assertEquals(List.of(Result.of(7)), Result.ofEach(2, () -> List.of(Result.of(7))));
    }

    @ParameterizedTest
    @EnumSource
    void problemOfACallIsItsAnswerUnlessTheServiceFails(ProblemType type) {
        ProblemException problem = new ProblemException(type, "Why.");
        Supplier<Integer> call = () -> {
            throw problem;
        };
        Supplier<List<Result<Integer>>> callForTwo = () -> {
            throw problem;
        };

        if (type.isTroubleOfTheService()) {
            assertSame(problem, assertThrows(ProblemException.class, () -> Result.unlessTrouble(call)));
            assertSame(problem, assertThrows(ProblemException.class, () -> Result.ofEach(2, callForTwo)));
        } else {
            Result<Integer> refused = Result.refused(problem);
            assertEquals(refused, Result.unlessTrouble(call));
            assertEquals(List.of(refused, refused), Result.ofEach(2, callForTwo));
        }
    }
}
