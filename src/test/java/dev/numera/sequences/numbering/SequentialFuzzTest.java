package dev.numera.sequences.numbering;

import dev.numera.sequences.SequentialFuzz;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequentialFuzzTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void everyAnswerAgreesWithAllBefore(long seed) {
        new SequentialFuzz(seed).run(1_500);
    }
}
