package dev.numera.simulation;

import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.InstanceAsk;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import dev.numera.definition.DefinitionStore;
import dev.numera.definition.StoredDefinition;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The way from one process to the table, on which everything fails that can fail. A request takes two steps, there and
 * back, and other tasks may run at each. It carries the requests of every store: what returns a {@link WriteResult} is
 * a write, whose fate can stay unknown; everything else is a read, which fails or not.
 */
final class Network {
    private final Scheduler scheduler;
    private final Faults faults;
    private final Watcher watcher;

    /** Learns of every write of a counter that was won and whose answer arrived unharmed. */
    interface Watcher {
        /** @param before empty where the write opened the counter */
        void delivered(Optional<CounterState> before, CounterState after);
    }

    Network(Scheduler scheduler, Faults faults, Watcher watcher) {
        this.scheduler = scheduler;
        this.faults = faults;
        this.watcher = watcher;
    }

    /** A store whose requests go over this network. */
    <T> T to(Class<T> type, T store) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> send(store, method, args)));
    }

    private Object send(Object store, Method method, Object[] args) {
        if (args != null && args.length == 1 && args[0] instanceof CounterWrite write) {
            return write((CounterStore) store, write);
        }
        if (method.getDeclaringClass() == Object.class) {
            return invoke(store, method, args);
        }
        Supplier<Object> request = () -> invoke(store, method, args);
        String what = Summary.of(method.getName(), args);
        return method.getReturnType() == WriteResult.class
                ? write(what, () -> (WriteResult) request.get())
                : read(what, request, isDefinitionRead(method));
    }

    private static boolean isDefinitionRead(Method method) {
        return method.getReturnType() == Optional.class && method.getDeclaringClass() == DefinitionStore.class;
    }

    private WriteResult write(CounterStore table, CounterWrite write) {
        Before before = new Before();
        WriteResult answer = write(Summary.of(write), () -> {
            before.take(table, write);
            return table.write(write);
        });
        if (answer instanceof WriteResult.Won won && won.version() != null) {
            watcher.delivered(before.state, write.state());
        }
        return answer;
    }

    /** The counter before a write arrived for the first time. */
    private static final class Before {
        private Optional<CounterState> state;

        void take(CounterStore table, CounterWrite write) {
            if (state == null) {
                state = table.read(write.id()).map(Versioned::state);
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
        scheduler.trace(() -> what + (fault == null ? "" : ": " + fault));
        if (fault == null) {
            Object answer = request.get();
            scheduler.step();
            scheduler.trace(() -> what + " answered " + Summary.of(answer));
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
            // It was sent already.
            if (scheduler.chance(0.5)) {
                scheduler.later(request::get);
            }
            throw e;
        }
        Faults.NetworkFault fault = faults.next();
        scheduler.trace(() -> what + (fault == null ? "" : ": " + fault));
        WriteResult answer = fault == null ? request.get() : answer(fault, request);
        scheduler.step();
        scheduler.trace(() -> what + " answered " + answer);
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
                return request.get() instanceof WriteResult.Lost lost ? lost : new WriteResult.Won(null);
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

    /** Requests and answers for the trace: without random ids, which no seed decides. */
    private static final class Summary {
        private static final int PRINTED_UNITS_MAX = 120;

        private Summary() {}

        static String of(String method, Object... args) {
            return args == null
                    ? method
                    : Arrays.stream(args)
                            .map(Summary::of)
                            .filter(part -> !part.isEmpty())
                            .collect(Collectors.joining(" ", method + " ", ""));
        }

        static String of(CounterWrite write) {
            return (write.opens() ? "open" : "write") + " next " + write.state().next() + ", epoch "
                    + write.state().epoch() + " at " + write.version()
                    + (write.answered().isEmpty()
                            ? ""
                            : ", answering "
                                    + write.answered().stream()
                                            .map(answered -> answered.posted().version())
                                            .toList())
                    + (write.marksDefinition() ? " under " + write.definitionVersion() : "");
        }

        static String of(Object part) {
            if (part instanceof Optional<?> found) {
                return found.map(Summary::of).orElse("nothing");
            }
            if (part instanceof StoredDefinition stored) {
                return "[" + stored.definition().format() + " "
                        + stored.definition().series()
                        + (stored.isInUse() ? ", in use" : "") + (stored.isRetired() ? ", retired" : "") + " at "
                        + stored.version() + "]";
            }
            if (part instanceof InstanceAsk.Posted posted) {
                return posted.state() + " at " + posted.version();
            }
            if (part instanceof InstanceAsk ask) {
                return "for " + ask.requests().size();
            }
            if (part instanceof Versioned counter) {
                return "next " + counter.state().next() + ", epoch "
                        + counter.state().epoch() + " at " + counter.version();
            }
            if (part instanceof Collection<?> several) {
                return shortened(several.stream().map(Summary::of));
            }
            boolean isPlain = part instanceof Enum<?>
                    || part instanceof Number
                    || part instanceof String text && !text.contains("-");
            return isPlain || part instanceof String version && version.startsWith("version") ? part.toString() : "";
        }

        private static String shortened(Stream<String> parts) {
            String all = parts.collect(Collectors.joining(", ", "(", ")"));
            return all.length() > PRINTED_UNITS_MAX ? all.substring(0, PRINTED_UNITS_MAX) + "..." : all;
        }
    }
}
