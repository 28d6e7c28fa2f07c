package dev.numera.storage;

import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobItem;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.execution.StoreFailure;
import dev.numera.json.Json;
import dev.numera.model.ServiceMark;
import dev.numera.problem.ProblemException;
import dev.numera.storage.StorageConnection.Service;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The container of backups. Requests that fail for a moment are sent again. Thread-safe; calls block for some requests
 * of at most a minute each.
 */
public final class BackupBlobs {
    /** Always in lower case, as containers are named. */
    public static final String CONTAINER = "numera-backups";

    /** The folder of the marks of the service. */
    private static final String MARKS = "service-mark/";

    private static final String JSON = ".json";
    private static final Pattern MARK = Pattern.compile(Pattern.quote(MARKS) + "\\d{6}" + Pattern.quote(JSON));

    /** A page of rows that a filter has to search for takes the service up to 5 s, and a block some seconds. */
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);
    /** Whatever is read or staged twice is the same as once. */
    static final RetryOptions RETRIES = new RetryOptions(new ExponentialBackoffOptions()
            .setMaxRetries(4)
            .setBaseDelay(Duration.ofMillis(200))
            .setMaxDelay(Duration.ofSeconds(5)));

    private final BlobContainerClient container;

    /** @throws ProblemException {@code misconfigured} where the connection has no address of blobs */
    public BackupBlobs(StorageConnection connection) {
        this.container = StorageAccount.usable(connection.setting(Service.BLOBS), () -> connection
                .connect(Service.BLOBS, new BlobServiceClientBuilder())
                .httpClient(StorageAccount.httpClient(REQUEST_TIMEOUT))
                .retryOptions(RETRIES)
                .buildClient()
                .getBlobContainerClient(CONTAINER));
    }

    /** Makes the container unless it is there. */
    public void create() {
        described("Making the container " + CONTAINER, container::createIfNotExists);
    }

    /**
     * A backup that is there only once it is committed.
     *
     * @throws StoreFailure there is no trustworthy answer
     * @throws IllegalStateException there is one of this name
     */
    BlobUpload begin(String name) {
        if (described("Looking for " + name, () -> container.getBlobClient(name).exists())) {
            throw new IllegalStateException(
                    "There is a backup " + name + " in " + CONTAINER + ", and none is written over another.");
        }
        return new BlobUpload(container.getBlobClient(name).getBlockBlobClient());
    }

    /** @throws StoreFailure it is not there, or cannot be read; reading on throws {@code IOException} */
    public InputStream open(String name) {
        return described(
                "Reading the backup " + name + " of the container " + CONTAINER,
                () -> container.getBlobClient(name).openInputStream());
    }

    /** The names of all backups, oldest first where the app named them; empty where there is no container yet. */
    public List<String> names() {
        if (!isThere()) {
            return List.of();
        }
        return described("Listing the container " + CONTAINER, () -> container.listBlobs().stream()
                .map(BlobItem::getName)
                .filter(name -> !name.startsWith(MARKS))
                .toList());
    }

    /**
     * The mark of the service that was kept last; none where there is no container.
     *
     * @throws StoreFailure it cannot be read
     */
    ServiceMark serviceMark() {
        if (!isThere()) {
            return ServiceMark.NONE;
        }
        List<String> marks = marks();
        return marks.isEmpty() ? ServiceMark.NONE : mark(marks.get(marks.size() - 1));
    }

    /**
     * Keeps the mark of the service, where there is a container: in a blob of its own each time, since none can be
     * changed while the container's policy holds.
     *
     * @throws StoreFailure it is not known to be kept
     */
    void keep(ServiceMark mark) {
        if (!isThere()) {
            return;
        }
        List<String> marks = marks();
        int last = marks.isEmpty() ? 0 : number(marks.get(marks.size() - 1));
        String name = String.format(Locale.ROOT, "%s%06d%s", MARKS, last + 1, JSON);
        String json = Json.object()
                .put(ServiceRow.SINCE, ServiceRow.text(mark.suspendedAt()))
                .put(ServiceRow.CREATION_CLOSED_AT, ServiceRow.text(mark.creationClosedAt()))
                .toString();
        described("Writing " + name, () -> {
            container.getBlobClient(name).upload(BinaryData.fromString(json), false);
            return name;
        });
    }

    private boolean isThere() {
        return described("Looking for the container " + CONTAINER, container::exists);
    }

    /** Returns the names of the marks, oldest first. */
    private List<String> marks() {
        return described(
                "Listing the marks of the service in the container " + CONTAINER,
                () -> container.listBlobsByHierarchy(MARKS).stream()
                        .map(BlobItem::getName)
                        .filter(name -> MARK.matcher(name).matches())
                        .sorted()
                        .toList());
    }

    private static int number(String mark) {
        return Integer.parseInt(mark.substring(MARKS.length(), mark.length() - JSON.length()));
    }

    private ServiceMark mark(String name) {
        String text = described(
                "Reading " + name,
                () -> container.getBlobClient(name).downloadContent().toString());
        try {
            JsonNode mark = Json.read(text);
            return new ServiceMark(time(mark, ServiceRow.SINCE), time(mark, ServiceRow.CREATION_CLOSED_AT));
        } catch (JsonProcessingException | DateTimeException e) {
            throw new StoreFailure(
                    "The blob " + name + " of the container " + CONTAINER + " holds no mark of the service: another"
                            + " program wrote it. See docs/tables.md.",
                    false,
                    e);
        }
    }

    private static @Nullable Instant time(JsonNode mark, String member) {
        String text = mark.path(member).asText();
        return text.isEmpty() ? null : Instant.parse(text);
    }

    static <T> T described(String what, Supplier<T> request) {
        try {
            return request.get();
        } catch (RuntimeException e) {
            // The client throws unrelated types: whatever it is, the request is not known to have done its work.
            RequestFailure failure = RequestFailure.of(e, new WireAnswer());
            if (failure.status() == 404) {
                throw new StoreFailure(
                        what + " failed: it does not exist (404). 'list' of numera-maintain.jar lists the names of"
                                + " backups. The container " + CONTAINER
                                + " is made on Azure by 'azd provision', elsewhere"
                                + " by the app's first backup (Numera_BackupSchedule).",
                        false,
                        e);
            }
            throw failure.describedAs(what);
        }
    }
}
