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

/** Where a backup is, or is to be; its text is what it was called by. */
sealed interface BackupLocation {
    /** Before the name of a blob; whatever else is the path of a file. */
    String BLOB = "blob:";

    /**
     * By its text on the command line. A blob is refused as {@code misconfigured} where the environment does not say
     * which account it is in.
     *
     * @param environment where the storage account of a blob is
     */
    static BackupLocation of(String text, Map<String, String> environment) {
        return text.startsWith(BLOB)
                ? new OfBlob(text.substring(BLOB.length()), StorageConnection.of(environment))
                : new OfFile(Path.of(text));
    }

    /** @throws IOException there is none, or it cannot be read */
    InputStream open() throws IOException;

    /**
     * Writes a backup that is there only when it is whole; returns how many rows it has.
     *
     * @throws IllegalStateException there is one already
     */
    long export(TableExport tables) throws IOException;

    /** Of a blob in the container of backups. */
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

    /** On this machine. */
    record OfFile(Path path) implements BackupLocation {
        @Override
        public InputStream open() throws IOException {
            if (!Files.isReadable(path)) {
                throw new IOException("There is no file " + path + " that can be read.");
            }
            return Files.newInputStream(path);
        }

        @Override
        public long export(TableExport tables) throws IOException {
            if (Files.exists(path)) {
                throw new IllegalStateException(
                        "There is a file " + path + ", and nothing is written over it: choose another name.");
            }
            Path folder = path.toAbsolutePath().getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw new IOException("There is no folder " + folder + ": make it first.");
            }
            Path part = path.resolveSibling(path.getFileName() + ".part");
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
