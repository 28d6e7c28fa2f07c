package dev.numera.functions.http;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much memory a call takes from the heap, whether or not it is released. */
public final class HeapUse {
    private HeapUse() {}

    public static long bytes(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        call.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
