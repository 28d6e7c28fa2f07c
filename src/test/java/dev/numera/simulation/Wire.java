package dev.numera.simulation;

import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.DefinitionStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * The way from one process to the table in an enumerated schedule. Each request waits for its turn and is then done at
 * once. Its answer arrives in the same step if no other thread of the process could observe the difference.
 */
final class Wire {
    static final Duration TIMEOUT = Duration.ofMillis(30);
    private static final Duration ROUND_TRIP = Duration.ofMillis(1);
    /** A delay beyond every deadline. */
    private static final Duration LONG = Duration.ofSeconds(3);

    private final Turns turns;
    private final ChosenProcess process;
    private final PlainIds ids;
    private final boolean isDefinitionFixed;
    private final Runnable onCrash;

    /**
     * @param isDefinitionFixed whether the definition never changes; its reads then wait for no turn
     * @param onCrash runs when the process dies
     */
    Wire(Turns turns, ChosenProcess process, PlainIds ids, boolean isDefinitionFixed, Runnable onCrash) {
        this.turns = turns;
        this.process = process;
        this.ids = ids;
        this.isDefinitionFixed = isDefinitionFixed;
        this.onCrash = onCrash;
    }

    /** Returns a store whose requests go this way. */
    <T> T to(Class<T> type, T store) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> send(store, method, args)));
    }

    private Object send(Object store, Method method, Object[] args) {
        turns.requireAlive();
        Class<?> owner = method.getDeclaringClass();
        if (owner == Object.class || owner == DefinitionStore.class && isDefinitionFixed) {
            return invoke(store, method, args);
        }
        boolean isWrite = method.getReturnType() == WriteResult.class;
        String what = isWrite ? ids.plain(process.name(), method.getName() + Arrays.toString(args)) : method.getName();
        List<Fate> fates =
                owner == DefinitionStore.class ? Fate.OF_A_DEFINITION : isWrite ? Fate.OF_A_WRITE : Fate.OF_A_READ;
        Supplier<Object> request = () -> invoke(store, method, args);
        Fate fate = turns.request(fates);
        try {
            Object answer = isWrite ? write(fate, what, request) : read(fate, request);
            observe(method.getName() + " " + answer);
            return answer;
        } catch (StoreFailure e) {
            observe(method.getName() + " failed: " + e.getMessage());
            throw e;
        }
    }

    private void observe(String answer) {
        String plain = ids.plain(process.name(), answer);
        turns.trace(() -> "    " + plain);
        process.pass(ROUND_TRIP);
        process.observes(plain + " at " + process.nanoTime());
        if (turns.isRivaled(process)) {
            turns.step();
        }
    }

    private Object read(Fate fate, Supplier<Object> request) {
        if (fate == Fate.UNANSWERED) {
            process.pass(TIMEOUT);
            throw noAnswer();
        }
        Object answer = request.get();
        if (fate == Fate.SLOW) {
            process.pass(LONG);
        }
        return answer;
    }

    private Object write(Fate fate, String what, Supplier<Object> request) {
        switch (fate) {
            case REFUSED -> throw noAnswer();
            case UNANSWERED -> {
                land(what, request);
                process.pass(TIMEOUT);
                return new WriteResult.Unknown(noAnswer());
            }
            case CRASHED ->
                turns.kill(process, () -> {
                    land(what, request);
                    onCrash.run();
                });
            case TWICE -> request.get();
            default -> {}
        }
        Object answer = request.get();
        if (fate == Fate.SLOW) {
            process.pass(LONG);
        }
        return fate == Fate.WITHOUT_VERSION && answer instanceof WriteResult.Won ? new WriteResult.Won(null) : answer;
    }

    private void land(String what, Supplier<Object> request) {
        turns.later("late write of " + process.name(), what, () -> {
            Object answer = request.get();
            turns.trace(() -> "    " + answer);
        });
    }

    private static StoreFailure noAnswer() {
        return new StoreFailure("No answer.", true, null);
    }

    private static Object invoke(Object store, Method method, Object[] args) {
        try {
            return method.invoke(store, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
