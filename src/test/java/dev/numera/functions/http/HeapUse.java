package dev.numera.functions.http;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** The number of bytes that a call allocates on the heap, whether or not they are released. */
public final class HeapUse {
    private HeapUse() {}

    public static long bytes(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        call.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
