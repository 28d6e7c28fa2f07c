package dev.numera.localhost;

import com.microsoft.azure.functions.ExecutionContext;
import com.microsoft.azure.functions.TraceContext;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Logger;

/** The context of one call, as the function sees it. */
record Invocation(String getFunctionName, String getInvocationId, Logger getLogger)
        implements ExecutionContext, TraceContext {
    static Invocation of(String function, Logger logger) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        // The lock of UUID.randomUUID() would be the most contended one of the host, and this id may be guessable.
        UUID id = new UUID(random.nextLong() & ~0xF000L | 0x4000L, random.nextLong() >>> 2 | Long.MIN_VALUE);
        return new Invocation(function, id.toString(), logger);
    }

    @Override
    public TraceContext getTraceContext() {
        return this;
    }

    /** Returns nothing, like a host without telemetry. */
    @Override
    public String getTraceparent() {
        return "";
    }

    @Override
    public String getTracestate() {
        return "";
    }

    @Override
    public Map<String, String> getAttributes() {
        return Map.of();
    }
}
