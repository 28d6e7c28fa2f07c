package dev.numera.storage;

import com.azure.core.credential.TokenCredential;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceClientBuilder;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How to reach the storage account, and as whom. */
public sealed interface StorageConnection {
    /** The name of the connection, in the Functions convention. */
    String NAME = "NumeraStorage";

    /** @throws IllegalArgumentException if it is none; the message can hold the account's key */
    TableServiceClientBuilder connect(TableServiceClientBuilder tables);

    QueueServiceClientBuilder connect(QueueServiceClientBuilder queues);

    /** Only where {@link #blobsSetting} throws nothing. */
    BlobServiceClientBuilder connect(BlobServiceClientBuilder blobs);

    /** The setting that says where the tables are. */
    String tablesSetting();

    /** The setting that says where the queues are. */
    String queuesSetting();

    /**
     * The setting that says where the blobs are, which only backups need.
     *
     * @throws ProblemException {@code misconfigured} where it is missing
     */
    String blobsSetting();

    /**
     * By the Functions convention for connections, in the host's order: first with the prefix AzureWebJobs, a
     * connection string before a section, the account's name before the URIs.
     *
     * @param settings the app settings
     * @throws ProblemException {@code misconfigured}, naming the setting
     */
    static StorageConnection of(Map<String, String> settings) {
        Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        values.putAll(settings);
        return find(values, "AzureWebJobs" + NAME)
                .or(() -> find(values, NAME))
                .orElseThrow(() -> misconfigured(
                        NAME,
                        "is missing. Give it a connection string, or set " + NAME + "__accountName, or " + NAME
                                + "__tableServiceUri and " + NAME + "__queueServiceUri"));
    }

    private static Optional<StorageConnection> find(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value != null && !value.isBlank()) {
            return Optional.of(new ConnectionString(name, value));
        }
        Endpoint tables = endpoint(values, name, "table");
        Endpoint queues = endpoint(values, name, "queue");
        if (tables.uri() == null && queues.uri() == null) {
            return Optional.empty();
        }
        if (tables.uri() == null || queues.uri() == null) {
            throw misconfigured((tables.uri() == null ? tables : queues).setting(), "is missing: both URIs are needed");
        }
        String credential = values.get(name + "__credential");
        if (credential != null && !credential.equalsIgnoreCase("managedidentity")) {
            throw misconfigured(
                    name + "__credential", "must be managedidentity, or left out for the identity that is signed in");
        }
        return Optional.of(new Identity(
                tables, queues, endpoint(values, name, "blob"), credential != null, values.get(name + "__clientId")));
    }

    private static Endpoint endpoint(Map<String, String> values, String name, String service) {
        String account = values.get(name + "__accountName");
        if (account != null) {
            return new Endpoint(name + "__accountName", "https://" + account + "." + service + ".core.windows.net");
        }
        String setting = name + "__" + service + "ServiceUri";
        return new Endpoint(setting, values.get(setting));
    }

    private static ProblemException misconfigured(String setting, String why) {
        return new ProblemException(
                ProblemType.MISCONFIGURED, "The setting " + setting + " " + why + ".", Map.of("setting", setting));
    }

    /**
     * A connection string with a key or a SAS.
     *
     * @param setting that holds it
     */
    record ConnectionString(String setting, String value) implements StorageConnection {
        private static final Pattern KEY = Pattern.compile("(?i)(?:^|;)\\s*AccountKey=([^;]*)");

        public ConnectionString(String value) {
            this(NAME, value);
        }

        @Override
        public TableServiceClientBuilder connect(TableServiceClientBuilder tables) {
            return tables.connectionString(valueWithAKey());
        }

        @Override
        public QueueServiceClientBuilder connect(QueueServiceClientBuilder queues) {
            return queues.connectionString(valueWithAKey());
        }

        @Override
        public BlobServiceClientBuilder connect(BlobServiceClientBuilder blobs) {
            return blobs.connectionString(valueWithAKey());
        }

        /**
         * The clients themselves decode the key only when they sign the first request: too late to be told from an
         * account that is down.
         */
        private String valueWithAKey() {
            Matcher key = KEY.matcher(value);
            if (key.find()) {
                Base64.getDecoder().decode(key.group(1));
            }
            return value;
        }

        @Override
        public String tablesSetting() {
            return setting;
        }

        @Override
        public String queuesSetting() {
            return setting;
        }

        @Override
        public String blobsSetting() {
            return setting;
        }

        /** The value can hold the account's key. */
        @Override
        public String toString() {
            return "ConnectionString[]";
        }
    }

    /**
     * Where a service is.
     *
     * @param setting that says so
     * @param uri null where it is not set
     */
    record Endpoint(String setting, @Nullable String uri) {}

    /**
     * Endpoints, that of blobs perhaps without a URI, and an identity that has roles there.
     *
     * @param isManaged whether it is the managed identity of the app; else whoever is signed in, as the Functions host
     *     has it
     * @param clientId of a user-assigned identity; null for the app's own
     */
    record Identity(Endpoint tables, Endpoint queues, Endpoint blobs, boolean isManaged, @Nullable String clientId)
            implements StorageConnection {
        @Override
        public TableServiceClientBuilder connect(TableServiceClientBuilder builder) {
            return builder.endpoint(tables.uri()).credential(credential());
        }

        @Override
        public QueueServiceClientBuilder connect(QueueServiceClientBuilder builder) {
            return builder.endpoint(queues.uri()).credential(credential());
        }

        @Override
        public BlobServiceClientBuilder connect(BlobServiceClientBuilder builder) {
            return builder.endpoint(blobs.uri()).credential(credential());
        }

        @Override
        public String tablesSetting() {
            return tables.setting();
        }

        @Override
        public String queuesSetting() {
            return queues.setting();
        }

        @Override
        public String blobsSetting() {
            if (blobs.uri() == null) {
                throw misconfigured(blobs.setting(), "is missing: backups go to blobs");
            }
            return blobs.setting();
        }

        private TokenCredential credential() {
            return isManaged
                    ? new ManagedIdentityCredentialBuilder().clientId(clientId).build()
                    : new DefaultAzureCredentialBuilder()
                            .managedIdentityClientId(clientId)
                            .build();
        }
    }
}
