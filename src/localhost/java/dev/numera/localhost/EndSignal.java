package dev.numera.localhost;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sends and handles the signals that end a process gracefully. */
final class EndSignal {
    private static final int STOP_SECONDS = 20;

    private EndSignal() {}

    /** Asks a process to end and waits for it. Kills it after {@value #STOP_SECONDS} s. */
    static void sendTo(ProcessHandle process) {
        process.destroy();
        try {
            process.onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs the action at the first SIGINT or SIGTERM, then exits with code 0. Later signals have no effect.
     *
     * <p>A shutdown hook would be too late: all hooks run in parallel, and the Azure SDKs' hooks stop the threads that
     * the calls in progress need. The real host also lets these calls finish before the worker ends.
     */
    static void runFirst(Runnable action) {
        AtomicBoolean ending = new AtomicBoolean();
        try {
            // Loads the classes by name, because the compiler's warning about them cannot be suppressed. Every JDK
            // exports them.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler end = (self, method, values) -> {
                if (ending.compareAndSet(false, true)) {
                    try {
                        action.run();
                    } finally {
                        System.exit(0);
                    }
                }
                return null;
            };
            Object proxy = Proxy.newProxyInstance(EndSignal.class.getClassLoader(), new Class<?>[] {handler}, end);
            for (String name : List.of("INT", "TERM")) {
                Object named = signal.getConstructor(String.class).newInstance(name);
                signal.getMethod("handle", signal, handler).invoke(null, named, proxy);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This JVM does not hand on signals: start it without -Xrs.", e);
        }
    }
}
