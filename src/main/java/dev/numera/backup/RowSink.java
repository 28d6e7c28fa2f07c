package dev.numera.backup;

import java.io.IOException;

/** Takes rows one after the other, so that nobody need hold them all. */
@FunctionalInterface
public interface RowSink {
    void take(Row row) throws IOException;
}
