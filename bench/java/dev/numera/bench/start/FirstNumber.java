package dev.numera.bench.start;

import dev.numera.azure.StorageAccount;
import dev.numera.azure.StorageConnection;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.functions.Settings;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.access.AutoCreate;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/**
 * A process that allocates one number and prints how many milliseconds have passed since the JVM started. The sequence
 * exists already, as it does for most instances that start. Arguments: the connection, the sequence and the HTTP
 * client.
 */
public final class FirstNumber {
    /** The HTTP client of the storage SDK. */
    public enum Client {
        /** The JDK's client, which the app ships. */
        JDK,
        /** The storage SDK's default client. */
        NETTY
    }

    private FirstNumber() {}

    public static void main(String[] arguments) {
        Settings settings = Settings.of(Map.of("NumeraStorage", arguments[0]));
        StorageConnection connection = new StorageConnection.ConnectionString(arguments[0]);
        StorageAccount account = Client.valueOf(arguments[2]) == Client.JDK
                ? new StorageAccount(connection, settings.storageTimeout())
                : new StorageAccount(
                        connection,
                        settings.storageTimeout(),
                        new com.azure.core.http.netty.NettyAsyncHttpClientBuilder().build());
        // The app does this too before its first call.
        account.createTables();
        Sequences sequences = Sequences.over(account.stores(), AutoCreate.ALWAYS, settings.limits());
        long number = sequences
                .allocator()
                .next(new SequenceName("bench", arguments[1]), List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow()
                .first();
        if (number > 0) {
            System.out.println(System.currentTimeMillis()
                    - ManagementFactory.getRuntimeMXBean().getStartTime());
        }
        System.exit(0);
    }
}
