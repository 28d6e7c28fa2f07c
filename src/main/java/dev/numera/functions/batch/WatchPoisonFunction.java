package dev.numera.functions.batch;

import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.TimerTrigger;
import dev.numera.counter.StoreFailure;
import dev.numera.functions.App;
import dev.numera.problem.ProblemException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Writes into the log how many messages lie in the queue {@value Queues#POISON}, every quarter of an hour in which
 * there are any: Azure has no metric for the length of one queue. That it ran is what tells the operator's alert that
 * the app is alive and reaches its storage.
 */
public final class WatchPoisonFunction {
    /** Alert rule and workbook look for this text; the number follows. */
    public static final String FOUND = "Messages in the queue " + Queues.POISON + ": ";

    private static final Logger LOG = Logger.getLogger(WatchPoisonFunction.class.getName());

    private final App app;

    public WatchPoisonFunction(App app) {
        this.app = app;
    }

    /**
     * @throws ProblemException {@code misconfigured} or {@code storage-unavailable}
     * @throws StoreFailure the queue cannot be asked
     */
    @FunctionName("WatchPoison")
    public void watchPoison(@TimerTrigger(name = "timer", schedule = "0 4,19,34,49 * * * *") String timer) {
        app.requireHealthy();
        long found = app.storage().queue(Queues.POISON).approximateCount();
        if (found > 0) {
            LOG.log(Level.WARNING, FOUND + found);
        }
    }
}
