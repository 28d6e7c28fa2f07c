package dev.numera.localhost;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.sas.QueueSasPermission;
import com.azure.storage.queue.sas.QueueServiceSasSignatureValues;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * The app's process under {@code mvn -Pstart}: a {@link LocalHost}, and the steps that only this project needs. It
 * creates the tables and queues, checks the app's settings through its health endpoint, and prints commands to try.
 */
final class NumeraHost {
    private static final String CONNECTION = "NumeraStorage";
    private static final String CREATE_TABLES = "Numera_CreateTables";
    private static final List<String> TABLES = List.of("numerasequences", "numeracounters", "numerabatches");
    private static final String REQUESTS = "numbering-requests";
    private static final String RESULTS = "numbering-results";
    private static final List<String> QUEUES = List.of(REQUESTS, REQUESTS + "-poison", RESULTS);
    /**
     * A date far in the future, so that the URLs stay the same for every start. Azurite's key is public, so a long
     * expiry exposes nothing.
     */
    private static final OffsetDateTime SAS_EXPIRY = OffsetDateTime.of(2099, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private NumeraHost() {}

    /** Takes the arguments of {@link LocalHost#main}. */
    public static void main(String... arguments) {
        HostJvm.runMain(() -> {
            AppSettings settings = AppSettings.ofThisProcess();
            Optional<String> key = arguments.length > 2 ? Optional.of(arguments[2]) : Optional.empty();
            boolean makesTables = !settings.get(CREATE_TABLES).orElse("").equals("false");
            QueueServiceClient queues = makeTablesAndQueues(settings.connectionString(CONNECTION), makesTables);
            LocalHost host = LocalHost.start(Path.of(arguments[0]), settings, Integer.parseInt(arguments[1]), key);
            EndSignal.runFirst(host::close);
            refuseIfMisconfigured(host);
            host.listen();
            sayReady(host, key, queues);
            sayWhereToLook(host);
        });
    }

    private static QueueServiceClient makeTablesAndQueues(String connectionString, boolean makesTables) {
        try {
            TableServiceClient tables = new TableServiceClientBuilder()
                    .connectionString(connectionString)
                    .buildClient();
            QueueServiceClient queues = new QueueServiceClientBuilder()
                    .connectionString(connectionString)
                    .buildClient();
            // The app creates no tables either if the setting is false: a lost table would look like an empty one.
            if (makesTables) {
                TABLES.forEach(tables::createTableIfNotExists);
            }
            QUEUES.forEach(name -> queues.getQueueClient(name).createIfNotExists());
            return queues;
        } catch (RuntimeException e) {
            // The clients throw a dozen unrelated types, for example for a malformed connection string or a refused
            // connection.
            throw cannotMakeThem(e.getMessage(), e);
        } catch (LinkageError e) {
            // Azurite refuses a wrong key or signature with XML, and the table client then lacks an XML parser.
            throw cannotMakeThem("the account refused a request: is its key or shared access signature right?", e);
        }
    }

    private static StartRefused cannotMakeThem(String reason, Throwable cause) {
        return new StartRefused(
                "Cannot create the tables and queues in the storage account of the app setting '" + CONNECTION + "' ("
                        + reason + "): check the setting, and whether the account is reachable.",
                cause);
    }

    /**
     * Ends the start if the app reports that it is misconfigured. On the real host such an app keeps running and
     * answers every call with the reason; here a person can correct it at once.
     */
    private static void refuseIfMisconfigured(LocalHost host) {
        HttpResponse<String> answer = get(host.uri().resolve("/api/health"));
        if (answer.statusCode() == 503
                && JsonParser.parseString(answer.body()) instanceof JsonObject problem
                && problem.get("type").getAsString().endsWith("misconfigured")) {
            throw new StartRefused(problem.get("detail").getAsString());
        }
    }

    /** Prints the console's URL if the app serves a console. */
    private static void sayWhereToLook(LocalHost host) {
        URI console = host.uri().resolve("/api/console");
        if (get(console).statusCode() == 200) {
            System.out.printf("Console: %s%n%n", console);
        }
    }

    private static HttpResponse<String> get(URI uri) {
        try {
            return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new StartRefused("The app does not answer at " + uri + " (" + e + ").", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefused("The start was interrupted.", e);
        }
    }

    private static void sayReady(LocalHost host, Optional<String> key, QueueServiceClient queues) {
        URI api = host.uri().resolve("/api");
        String header = key.map(value -> "-H 'x-functions-key: " + value + "' ").orElse("");
        System.out.printf(
                "%nNumera is ready on %s (its own local host, not the Azure Functions host; Ctrl-C ends it)%n%n", api);
        System.out.printf("  curl -X POST %s'%s/sequences/demo/invoice/next'%n", header, api);
        if (queues.getAccountName().equals(Azurite.ACCOUNT)) {
            System.out.printf("%nSend a message to %s and receive its answer from %s:%n%n", REQUESTS, RESULTS);
            System.out.printf(
                    "  curl -d '<QueueMessage><MessageText>%s</MessageText></QueueMessage>' '%s'%n",
                    "{\"id\": \"batch-1\", \"scope\": \"demo\", \"name\": \"invoice\", \"keys\": [\"order-1\", \"order-2\"]}",
                    messagesUrl(queues.getQueueClient(REQUESTS)));
            System.out.printf("  curl '%s'%n%n", messagesUrl(queues.getQueueClient(RESULTS)));
        }
    }

    /** Returns a URL for adding and taking messages of this queue without any other credentials. */
    private static String messagesUrl(QueueClient queue) {
        QueueSasPermission addAndTake =
                new QueueSasPermission().setAddPermission(true).setProcessPermission(true);
        String sas = queue.generateSas(new QueueServiceSasSignatureValues(SAS_EXPIRY, addAndTake));
        return queue.getQueueUrl() + "/messages?" + sas;
    }
}
