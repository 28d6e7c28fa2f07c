package dev.numera.house;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.asm.Advice;

/**
 * Counts the calls of methods that {@link RecordedClasses} prepared, on all threads, between {@link #start} and
 * {@link #stop}. Constructors and lambdas count as the compiler generates them: a lambda's body is a method of its
 * class.
 */
public final class CallRecorder {
    private static final Map<String, AtomicInteger> CALLS = new ConcurrentSkipListMap<>();
    private static final Set<String> TYPES = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger DEEPEST = new AtomicInteger();
    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);
    private static volatile boolean isOn;

    /**
     * The calls between start and stop.
     *
     * @param calls how often each method was entered, by {@code Type.method}
     * @param types the number of types of these methods, including nested types
     * @param depth the greatest number of these methods on one thread's stack
     */
    record Recording(Map<String, Integer> calls, int types, int depth) {
        int total() {
            return calls.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    private CallRecorder() {}

    static void start() {
        CALLS.clear();
        TYPES.clear();
        DEEPEST.set(0);
        isOn = true;
    }

    static Recording stop() {
        isOn = false;
        Map<String, Integer> calls = new TreeMap<>();
        CALLS.forEach((method, count) -> calls.put(method, count.get()));
        return new Recording(calls, TYPES.size(), DEEPEST.get());
    }

    /** Inlined into each recorded method, so it must be public. */
    public static void enter(String type, String method) {
        int depth = ++DEPTH.get()[0];
        if (isOn) {
            CALLS.computeIfAbsent(type + "." + method, any -> new AtomicInteger())
                    .incrementAndGet();
            TYPES.add(type);
            DEEPEST.accumulateAndGet(depth, Math::max);
        }
    }

    /** Inlined into each recorded method, so it must be public. */
    public static void exit() {
        DEPTH.get()[0]--;
    }

    /** The code that is woven into each method. */
    static final class OfMethods {
        private OfMethods() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.Origin("#t") String type, @Advice.Origin("#m") String method) {
            CallRecorder.enter(type, method);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit() {
            CallRecorder.exit();
        }
    }

    /** The code that is woven into each constructor. A constructor cannot be left through an exception handler. */
    static final class OfConstructors {
        private OfConstructors() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.Origin("#t") String type, @Advice.Origin("#m") String method) {
            CallRecorder.enter(type, "<init>");
        }

        @Advice.OnMethodExit
        static void exit() {
            CallRecorder.exit();
        }
    }
}
