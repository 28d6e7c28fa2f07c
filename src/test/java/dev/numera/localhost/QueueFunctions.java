package dev.numera.localhost;

import com.microsoft.azure.functions.ExecutionContext;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.QueueTrigger;
import com.microsoft.azure.functions.annotation.TimerTrigger;
import java.util.concurrent.TimeUnit;

/**
 * Functions that log the arguments that the host passed to them. A text that starts with "fail" throws, and one with
 * "slow" delays.
 */
public final class QueueFunctions {
    static final int SLOW_MILLIS = 3_000;

    private static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Planned() {
            super("later", null, false, false);
        }
    }

    public record Order(String id, int lines) {}

    @FunctionName("Text")
    public void text(
            @QueueTrigger(name = "message", queueName = "%QUEUE%", connection = "Fixture") String message,
            @BindingName("QueueTrigger") String trigger,
            @BindingName("DequeueCount") int dequeueCount,
            @BindingName("Id") String id,
            @BindingName("InsertionTime") String insertionTime,
            @BindingName("ExpirationTime") String expirationTime,
            @BindingName("NextVisibleTime") String nextVisibleTime,
            @BindingName("PopReceipt") String popReceipt,
            ExecutionContext context)
            throws InterruptedException {
        context.getLogger()
                .info("text=[%s] same=%s dequeueCount=%d id=%s inserted=%s expires=%s visible=%s receipt=%s at=%d"
                        .formatted(
                                message,
                                message.equals(trigger),
                                dequeueCount,
                                id,
                                insertionTime,
                                expirationTime,
                                nextVisibleTime,
                                !popReceipt.isEmpty(),
                                System.nanoTime()));
        if (message.equals("fail as planned")) {
            throw new Planned();
        }
        if (message.startsWith("fail")) {
            throw new IllegalStateException("fails on request");
        }
        if (message.startsWith("slow")) {
            TimeUnit.MILLISECONDS.sleep(SLOW_MILLIS);
            context.getLogger().info("finished " + message);
        }
    }

    @FunctionName("Pojo")
    public void pojo(
            @QueueTrigger(name = "message", queueName = "%QUEUE%-pojo", connection = "Fixture") Order order,
            ExecutionContext context) {
        context.getLogger().info("order=" + order);
    }

    @FunctionName("Poisoned")
    public void poisoned(
            @QueueTrigger(name = "message", queueName = "%QUEUE%-poison", connection = "NoSuchConnection")
                    String message) {
        throw new AssertionError(message);
    }

    @FunctionName("Timer")
    public void timer(@TimerTrigger(name = "timer", schedule = "%TIMER%") String timer, ExecutionContext context) {
        context.getLogger().info("timer=" + timer);
    }
}
