package dev.numera.functions.batch;

import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.TimerTrigger;
import dev.numera.functions.App;

/** Removes old uploads, every night. What they numbered stays in the ledger. */
public final class RemoveBatchesFunction {
    private final App app;

    public RemoveBatchesFunction(App app) {
        this.app = app;
    }

    @FunctionName("RemoveBatches")
    public void removeBatches(@TimerTrigger(name = "timer", schedule = "0 17 3 * * *") String timer) {
        app.uploads().removeOld();
    }
}
