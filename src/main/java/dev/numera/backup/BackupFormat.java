package dev.numera.backup;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What writer and reader agree on. */
final class BackupFormat {
    static final String NAME = "numera-backup";
    static final int VERSION = 1;

    private BackupFormat() {}

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
