package dev.numera.storage;

import com.azure.core.credential.TokenCredential;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How to reach the storage account, and as whom. */
public sealed interface StorageConnection {
    /** @throws IllegalArgumentException if it is none; the message can hold the account's key */
    TableServiceClientBuilder connect(TableServiceClientBuilder tables);

    QueueServiceClientBuilder connect(QueueServiceClientBuilder queues);

    /** A connection string with a key or a SAS. */
    record ConnectionString(String value) implements StorageConnection {
        private static final Pattern KEY = Pattern.compile("(?i)(?:^|;)\\s*AccountKey=([^;]*)");

        /** The client itself decodes the key only when it signs the first request: too late to be told from an account that is down. */
        @Override
        public TableServiceClientBuilder connect(TableServiceClientBuilder tables) {
            Matcher key = KEY.matcher(value);
            if (key.find()) {
                Base64.getDecoder().decode(key.group(1));
            }
            return tables.connectionString(value);
        }

        @Override
        public QueueServiceClientBuilder connect(QueueServiceClientBuilder queues) {
            return queues.connectionString(value);
        }

        /** The value can hold the account's key. */
        @Override
        public String toString() {
            return "ConnectionString[]";
        }
    }

    /**
     * Endpoints, and a managed identity that has roles there.
     *
     * @param clientId of a user-assigned identity; null for the app's own
     */
    record Identity(String tableServiceUri, String queueServiceUri, String clientId) implements StorageConnection {
        @Override
        public TableServiceClientBuilder connect(TableServiceClientBuilder tables) {
            return tables.endpoint(tableServiceUri).credential(credential());
        }

        @Override
        public QueueServiceClientBuilder connect(QueueServiceClientBuilder queues) {
            return queues.endpoint(queueServiceUri).credential(credential());
        }

        private TokenCredential credential() {
            return new ManagedIdentityCredentialBuilder().clientId(clientId).build();
        }
    }
}
