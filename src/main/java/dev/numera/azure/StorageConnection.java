package dev.numera.azure;

import com.azure.core.client.traits.ConnectionStringTrait;
import com.azure.core.client.traits.EndpointTrait;
import com.azure.core.client.traits.TokenCredentialTrait;
import com.azure.core.credential.TokenCredential;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The address of the storage account, and the credentials for it. */
public sealed interface StorageConnection {
    /** The name of the connection, in the Functions convention. */
    String NAME = "NumeraStorage";

    /** The services of a storage account. */
    enum Service {
        TABLES("table"),
        QUEUES("queue"),
        /** Needed only by backups. */
        BLOBS("blob");

        private final String word;

        Service(String word) {
            this.word = word;
        }
    }

    /**
     * Sets the address of the service and the credentials on a client's builder.
     *
     * @throws ProblemException {@code misconfigured} if the setting of blobs is missing
     * @throws IllegalArgumentException the setting is unusable; the message can contain the account's key
     */
    <B extends ConnectionStringTrait<B> & EndpointTrait<B> & TokenCredentialTrait<B>> B connect(
            Service service, B builder);

    /**
     * Returns the name of the setting with the service's address.
     *
     * @throws ProblemException {@code misconfigured} if the setting of blobs is missing
     */
    String setting(Service service);

    /**
     * Reads the connection from the app settings, in the order of the Functions host: names with the prefix
     * AzureWebJobs come first, a connection string comes before separate settings, and the account's name before the
     * URIs.
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
                        "is missing. Set it to a connection string, or set " + NAME + "__accountName, or " + NAME
                                + "__tableServiceUri and " + NAME + "__queueServiceUri"));
    }

    private static Optional<StorageConnection> find(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value != null && !value.isBlank()) {
            return Optional.of(new ConnectionString(name, value));
        }
        Endpoint tables = endpoint(values, name, Service.TABLES);
        Endpoint queues = endpoint(values, name, Service.QUEUES);
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
        Map<Service, Endpoint> endpoints = Map.of(
                Service.TABLES, tables, Service.QUEUES, queues, Service.BLOBS, endpoint(values, name, Service.BLOBS));
        return Optional.of(new Identity(endpoints, credential != null, values.get(name + "__clientId")));
    }

    private static Endpoint endpoint(Map<String, String> values, String name, Service service) {
        String account = values.get(name + "__accountName");
        if (account != null) {
            if (!Endpoint.ACCOUNT.matcher(account).matches()) {
                throw misconfigured(
                        name + "__accountName",
                        "must be the name of a storage account, 3 to 24 small letters and digits, not an address");
            }
            return new Endpoint(
                    name + "__accountName", "https://" + account + "." + service.word + ".core.windows.net");
        }
        String setting = name + "__" + service.word + "ServiceUri";
        return new Endpoint(setting, values.get(setting));
    }

    private static ProblemException misconfigured(String setting, String why) {
        return new ProblemException(
                ProblemType.MISCONFIGURED, "The setting " + setting + " " + why + ".", Map.of("setting", setting));
    }

    /**
     * A connection string with a key or a SAS.
     *
     * @param setting the name of the setting with this value
     */
    record ConnectionString(String setting, String value) implements StorageConnection {
        private static final Pattern KEY = Pattern.compile("(?i)(?:^|;)\\s*AccountKey=([^;]*)");

        public ConnectionString(String value) {
            this(NAME, value);
        }

        @Override
        public <B extends ConnectionStringTrait<B> & EndpointTrait<B> & TokenCredentialTrait<B>> B connect(
                Service service, B builder) {
            return builder.connectionString(valueWithAKey());
        }

        /**
         * Decodes the key to check it. The clients decode it only to sign the first request; an invalid key would then
         * look like an unavailable account.
         */
        private String valueWithAKey() {
            Matcher key = KEY.matcher(value);
            if (key.find()) {
                Base64.getDecoder().decode(key.group(1));
            }
            return value;
        }

        @Override
        public String setting(Service service) {
            return setting;
        }

        /** Hides the value, which can contain the account's key. */
        @Override
        public String toString() {
            return "ConnectionString[]";
        }
    }

    /**
     * The address of a service.
     *
     * @param setting the name of the setting that contains the address
     * @param uri null if the setting is missing
     */
    record Endpoint(String setting, @Nullable String uri) {
        private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9]{3,24}");
    }

    /**
     * A Microsoft Entra identity with roles in the account.
     *
     * @param endpoints of every service; the one of blobs may lack a URI
     * @param isManaged true for the managed identity of the app; false for the identity that is signed in on this
     *     machine, as in the Functions host
     * @param clientId of a user-assigned identity; null for the app's own
     */
    record Identity(Map<Service, Endpoint> endpoints, boolean isManaged, @Nullable String clientId)
            implements StorageConnection {
        @Override
        public <B extends ConnectionStringTrait<B> & EndpointTrait<B> & TokenCredentialTrait<B>> B connect(
                Service service, B builder) {
            return builder.endpoint(endpoint(service).uri()).credential(credential());
        }

        @Override
        public String setting(Service service) {
            Endpoint endpoint = endpoint(service);
            if (endpoint.uri() == null) {
                throw misconfigured(endpoint.setting(), "is missing: backups go to blobs");
            }
            return endpoint.setting();
        }

        private Endpoint endpoint(Service service) {
            return Objects.requireNonNull(endpoints.get(service), "Every service has an endpoint.");
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
