package dev.numera.simulation;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.DefinitionStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The way from one process to the table, with every possible failure. A request takes two steps, one in each direction,
 * and other tasks may run at each step. The network carries the requests of every store. A method that returns a
 * {@link WriteResult} is a write, whose outcome can stay unknown; every other method is a read, which succeeds or
 * fails.
 */
final class Network {
    private final Scheduler scheduler;
    private final Faults faults;
    private final Watcher watcher;

    /** Observes every write of a counter that was won and whose answer arrived unharmed. */
    interface Watcher {
        /** @param before empty if the write opened the counter */
        void delivered(Optional<CounterState> before, CounterState after);
    }

    Network(Scheduler scheduler, Faults faults, Watcher watcher) {
        this.scheduler = scheduler;
        this.faults = faults;
        this.watcher = watcher;
    }

    /** Returns a store whose requests go over this network. */
    <T> T to(Class<T> type, T store) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> send(store, method, args)));
    }

    private Object send(Object store, Method method, Object[] args) {
        if (args != null && args.length == 1 && args[0] instanceof Transaction write) {
            return write((CounterStore) store, write);
        }
        if (method.getDeclaringClass() == Object.class) {
            return invoke(store, method, args);
        }
        Supplier<Object> request = () -> invoke(store, method, args);
        String what = Words.of(method, args);
        return method.getReturnType() == WriteResult.class
                ? write(what, () -> (WriteResult) request.get())
                : read(what, request, isDefinitionRead(method));
    }

    private static boolean isDefinitionRead(Method method) {
        return method.getReturnType() == Optional.class && method.getDeclaringClass() == DefinitionStore.class;
    }

    private WriteResult write(CounterStore table, Transaction write) {
        Before before = new Before();
        WriteResult answer = write(Words.of(write), () -> {
            before.take(table, write);
            return table.write(write);
        });
        if (answer instanceof WriteResult.Won won && won.version() != null) {
            watcher.delivered(before.state, write.state());
        }
        return answer;
    }

    /** The counter as a write found it when it arrived for the first time. */
    private static final class Before {
        private Optional<CounterState> state;

        void take(CounterStore table, Transaction write) {
            if (state == null) {
                state = table.read(write.id()).map(Versioned::value);
            }
        }
    }

    private static Object invoke(Object store, Method method, Object[] args) {
        try {
            return method.invoke(store, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            if (e.getCause() instanceof Error thrown) {
                throw thrown;
            }
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object read(String what, Supplier<Object> request, boolean isOfDefinition) {
        scheduler.step();
        Faults.NetworkFault fault = isOfDefinition ? faults.nextOfDefinition() : faults.next();
        scheduler.traceRequest(() -> what + (fault == null ? "" : ": " + fault));
        if (fault == null) {
            Object answer = request.get();
            scheduler.step();
            scheduler.traceRequest(() -> what + " answered " + Words.of(answer));
            return answer;
        }
        switch (fault) {
            case FORBIDDEN -> throw forbidden();
            case BROKEN_BEFORE, BROKEN_AFTER -> throw broken();
            case REFUSED -> scheduler.step();
            default -> scheduler.sleep(faults.timeout());
        }
        throw passing();
    }

    private WriteResult write(String what, Supplier<WriteResult> request) {
        try {
            scheduler.step();
        } catch (Scheduler.Killed e) {
            // The process was killed after it had sent the request, which may still arrive.
            if (scheduler.chance(0.5)) {
                scheduler.later(request::get);
            }
            throw e;
        }
        Faults.NetworkFault fault = faults.next();
        scheduler.traceRequest(() -> what + (fault == null ? "" : ": " + fault));
        WriteResult answer = fault == null ? request.get() : answer(fault, request);
        scheduler.step();
        scheduler.traceRequest(() -> what + " answered " + Words.of(answer));
        return answer;
    }

    private WriteResult answer(Faults.NetworkFault fault, Supplier<WriteResult> request) {
        switch (fault) {
            case REFUSED -> {
                scheduler.step();
                throw passing();
            }
            case FORBIDDEN -> throw forbidden();
            case SWALLOWED -> {}
            case LOST_REPLY -> request.get();
            case LATE -> scheduler.later(request::get);
            case VERY_LATE -> scheduler.later(faults.veryLate(), request::get);
            case DUPLICATED -> {
                request.get();
                scheduler.step();
                return request.get();
            }
            case DUPLICATED_LATE -> {
                scheduler.later(request::get);
                return request.get();
            }
            case WITHOUT_VERSION -> {
                return request.get() instanceof WriteResult.Refused lost ? lost : new WriteResult.Won(null);
            }
            case BROKEN_BEFORE -> throw broken();
            case BROKEN_AFTER -> {
                request.get();
                throw broken();
            }
        }
        if (scheduler.chance(0.5)) {
            scheduler.sleep(faults.timeout());
        }
        return new WriteResult.Unknown(passing());
    }

    private static Error broken() {
        return new LinkageError("The client broke.");
    }

    private static StoreFailure passing() {
        return new StoreFailure("No answer.", true, null);
    }

    private static StoreFailure forbidden() {
        return new StoreFailure("Forbidden.", false, null);
    }
}
