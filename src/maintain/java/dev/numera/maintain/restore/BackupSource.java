package dev.numera.maintain.restore;

import java.io.IOException;
import java.io.InputStream;

/** A backup that can be opened twice: once to check that it is complete, once to restore it. */
@FunctionalInterface
public interface BackupSource {
    InputStream open() throws IOException;
}
