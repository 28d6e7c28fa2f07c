package dev.numera.sequences.numbering;

import dev.numera.fixtures.Effort;
import dev.numera.sequences.SequentialFuzz;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class SequentialFuzzIT {
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void everyAnswerAgreesWithAllBefore(long seed) {
        new SequentialFuzz(seed).run(Effort.times(10_000));
    }
}
