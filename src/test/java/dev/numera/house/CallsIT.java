package dev.numera.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.SharedAzurite;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Bounds on the work of one call, counted in entries of the app's own methods, so that no work is done twice. The
 * counts do not depend on the machine.
 */
class CallsIT {
    private static final int RECORDINGS = 20;
    private static final int MAX_CALLS_OF_NEXT = 870;
    private static final int MAX_TYPES_OF_NEXT = 113;
    private static final int MAX_DEPTH_OF_NEXT = 33;
    private static final int MAX_CALLS_OF_A_DESCRIPTION = 1_600;

    @Test
    void aCallEntersFewMethods() throws ReflectiveOperationException {
        Function<String, Integer> scene = scene();
        assertEquals(201, scene.apply("create"));
        for (int i = 0; i < 5; i++) {
            assertEquals(200, scene.apply("next"));
        }

        CallRecorder.Recording next = record(scene, "next");
        assertTrue(next.total() <= MAX_CALLS_OF_NEXT, () -> most(next));
        assertTrue(next.types() <= MAX_TYPES_OF_NEXT, () -> most(next));
        assertTrue(next.depth() <= MAX_DEPTH_OF_NEXT, () -> most(next));

        CallRecorder.Recording described = record(scene, "describe");
        assertTrue(described.total() <= MAX_CALLS_OF_A_DESCRIPTION, () -> most(described));
    }

    /**
     * Returns the smallest of some recordings, because threads that look for requests of other instances sometimes add
     * to one.
     */
    private static CallRecorder.Recording record(Function<String, Integer> scene, String call) {
        return IntStream.range(0, RECORDINGS)
                .mapToObj(i -> {
                    CallRecorder.start();
                    int status = scene.apply(call);
                    CallRecorder.Recording recording = CallRecorder.stop();
                    assertEquals(200, status);
                    return recording;
                })
                .min(Comparator.comparing(CallRecorder.Recording::total))
                .orElseThrow();
    }

    @SuppressWarnings("unchecked")
    private static Function<String, Integer> scene() throws ReflectiveOperationException {
        return (Function<String, Integer>) new RecordedClasses()
                .loadClass(RecordedScene.class.getName())
                .getConstructor(String.class)
                .newInstance(SharedAzurite.emptyAccount());
    }

    private static String most(CallRecorder.Recording recording) {
        return recording.total() + " calls, " + recording.types() + " types, " + recording.depth() + " deep\n"
                + recording.calls().entrySet().stream()
                        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                        .limit(Integer.getInteger("calls.shown", 25))
                        .map(entry -> "%6d %s".formatted(entry.getValue(), entry.getKey()))
                        .collect(Collectors.joining("\n"));
    }
}
