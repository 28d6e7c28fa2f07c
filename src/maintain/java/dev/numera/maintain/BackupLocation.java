package dev.numera.maintain;

import dev.numera.azure.StorageConnection;
import dev.numera.azure.backup.BackupBlobs;
import dev.numera.azure.backup.TableExport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * The blob or file that contains a backup, or will contain it. Its {@code toString} returns the text that the operator
 * typed.
 */
sealed interface BackupLocation {
    /** The prefix of a blob's name on the command line. A text without it is the path of a file. */
    String BLOB = "blob:";

    /**
     * Parses the operator's text. Refuses an option as {@link NoCommand}, and a blob as {@code misconfigured} when the
     * environment names no storage account.
     *
     * @param environment the environment variables, which name the storage account of a blob
     */
    static BackupLocation of(String text, Map<String, String> environment) {
        if (text.startsWith("--")) {
            throw new NoCommand("PLACE must be a file or blob:NAME, not the option " + text + ".");
        }
        return text.startsWith(BLOB)
                ? new OfBlob(text.substring(BLOB.length()), StorageConnection.of(environment))
                : new OfFile(Path.of(text));
    }

    /** @throws IOException the backup does not exist, or cannot be read */
    InputStream open() throws IOException;

    /**
     * Writes a backup and returns its number of rows. The backup appears under its name only when it is complete.
     *
     * @throws IllegalStateException a backup of this name exists already
     */
    long export(TableExport tables) throws IOException;

    /** A blob in the container for backups. */
    record OfBlob(String name, StorageConnection connection) implements BackupLocation {
        @Override
        public InputStream open() {
            return new BackupBlobs(connection).open(name);
        }

        @Override
        public long export(TableExport tables) throws IOException {
            return tables.exportTo(new BackupBlobs(connection), name, InstantSource.system());
        }

        @Override
        public String toString() {
            return BLOB + name;
        }
    }

    /** A file on this machine. */
    record OfFile(Path path) implements BackupLocation {
        @Override
        public InputStream open() throws IOException {
            if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
                throw new IOException("The file " + path + " does not exist, is a folder, or cannot be read.");
            }
            return Files.newInputStream(path);
        }

        @Override
        public long export(TableExport tables) throws IOException {
            if (Files.exists(path)) {
                throw new IllegalStateException(
                        "The file " + path + " exists already and is not overwritten: choose another name.");
            }
            Path folder = path.toAbsolutePath().getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw new IOException("The folder " + folder + " does not exist: create it first.");
            }
            Path part = Files.createTempFile(folder, path.getFileName().toString(), ".part");
            try {
                long rows = export(tables, part);
                Files.move(part, path);
                return rows;
            } finally {
                Files.deleteIfExists(part);
            }
        }

        private static long export(TableExport tables, Path part) throws IOException {
            try (OutputStream out = Files.newOutputStream(part)) {
                return tables.exportTo(out, InstantSource.system());
            }
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }
}
