package dev.numera.storage;

import com.azure.core.credential.TokenCredential;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.storage.queue.QueueServiceClientBuilder;

/** How to reach the storage account, and as whom. */
public sealed interface StorageConnection {
    TableServiceClientBuilder connect(TableServiceClientBuilder tables);

    QueueServiceClientBuilder connect(QueueServiceClientBuilder queues);

    /** A connection string with a key or a SAS. */
    record ConnectionString(String value) implements StorageConnection {
        @Override
        public TableServiceClientBuilder connect(TableServiceClientBuilder tables) {
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
