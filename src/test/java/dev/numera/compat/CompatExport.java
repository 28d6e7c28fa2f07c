package dev.numera.compat;

import dev.numera.azure.StorageConnection;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.localhost.Azurite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Writes {@code src/test/compat/rows-N.jsonl} with every kind of row as this version stores it. Run it once per feature
 * level, with the first version of that level. Existing files are never overwritten, because tables outlive versions.
 */
public final class CompatExport {
    private CompatExport() {}

    /**
     * Runs the export.
     *
     * @param arguments the file, which must not exist
     */
    public static void main(String... arguments) throws IOException {
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            new Scene(new NumeraClient(host.baseUri()), host::output).play();
            StorageConnection connection = new StorageConnection.ConnectionString(azurite.connectionString());
            System.out.println(new CompatRows(connection).exportTo(Path.of(arguments[0])) + " rows");
        }
    }
}
