package dev.numera.localhost;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The signal that ends a process in order. */
final class EndSignal {
    private static final int STOP_SECONDS = 20;

    private EndSignal() {}

    /**
     * Ends a process in order, and waits until it has ended; one that takes longer than {@value #STOP_SECONDS} s is
     * killed.
     */
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
     * At the first SIGINT or SIGTERM runs the action and then exits with code 0. Further signals change nothing.
     *
     * <p>A shutdown hook would be too late: all hooks run at once, and those of the Azure SDKs take away the threads
     * that the calls under way need. On the real host, too, those calls finish before the worker ends.
     */
    static void runFirst(Runnable action) {
        AtomicBoolean ending = new AtomicBoolean();
        try {
            // By name, because the compiler's warning of these classes cannot be turned off. They are open to all in
            // every JDK.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler end = (self, method, values) -> {
                if (ending.compareAndSet(false, true)) {
                    action.run();
                    System.exit(0);
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
