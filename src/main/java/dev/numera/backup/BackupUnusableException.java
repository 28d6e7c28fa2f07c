package dev.numera.backup;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What was read is no whole backup; the message says where and why. */
public final class BackupUnusableException extends IOException {
    private static final long serialVersionUID = 1L;

    BackupUnusableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
