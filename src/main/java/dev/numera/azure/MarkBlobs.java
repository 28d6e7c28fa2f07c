package dev.numera.azure;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import dev.numera.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The marks of the service in the container of backups, where there is one. Requests that fail for a moment are sent
 * again. Thread-safe; calls block for some requests of at most a minute each.
 */
public final class MarkBlobs {
    /** The prefix of the names of marks. No backup has it. */
    public static final String FOLDER = "service-mark/";

    private static final String JSON = ".json";
    private static final Pattern MARK = Pattern.compile(Pattern.quote(FOLDER) + "\\d{6}" + Pattern.quote(JSON));

    private final BlobContainerClient container;

    /** @throws ProblemException {@code misconfigured} where the connection has no address of blobs */
    public MarkBlobs(StorageConnection connection) {
        this.container = BackupContainer.client(connection);
    }

    /**
     * The mark of the service that was kept last; none where there is no container.
     *
     * @throws StoreFailure it cannot be read
     */
    MaintenanceMark last() {
        if (!BackupContainer.isThere(container)) {
            return MaintenanceMark.NONE;
        }
        List<String> marks = marks();
        return marks.isEmpty() ? MaintenanceMark.NONE : mark(marks.get(marks.size() - 1));
    }

    /**
     * Keeps the mark of the service, where there is a container: in a blob of its own each time, since none can be
     * changed while the container's policy holds.
     *
     * @throws StoreFailure it is not known to be kept
     */
    void keep(MaintenanceMark mark) {
        if (!BackupContainer.isThere(container)) {
            return;
        }
        List<String> marks = marks();
        int last = marks.isEmpty() ? 0 : number(marks.get(marks.size() - 1));
        String name = String.format(Locale.ROOT, "%s%06d%s", FOLDER, last + 1, JSON);
        String json = Json.object()
                .put(MaintenanceRow.SINCE, MaintenanceRow.text(mark.suspendedAt()))
                .put(MaintenanceRow.CREATION_CLOSED_AT, MaintenanceRow.text(mark.creationClosedAt()))
                .toString();
        BackupContainer.described("Writing " + name, () -> {
            container.getBlobClient(name).upload(BinaryData.fromString(json), false);
            return name;
        });
    }

    /** Returns the names of the marks, oldest first. */
    private List<String> marks() {
        return BackupContainer.described(
                "Listing the marks of the service in the container " + BackupContainer.NAME,
                () -> container.listBlobsByHierarchy(FOLDER).stream()
                        .map(BlobItem::getName)
                        .filter(name -> MARK.matcher(name).matches())
                        .sorted()
                        .toList());
    }

    private static int number(String mark) {
        return Integer.parseInt(mark.substring(FOLDER.length(), mark.length() - JSON.length()));
    }

    private MaintenanceMark mark(String name) {
        String text = BackupContainer.described(
                "Reading " + name,
                () -> container.getBlobClient(name).downloadContent().toString());
        try {
            JsonNode mark = Json.read(text);
            return new MaintenanceMark(time(mark, MaintenanceRow.SINCE), time(mark, MaintenanceRow.CREATION_CLOSED_AT));
        } catch (JsonProcessingException | DateTimeException e) {
            throw new StoreFailure(
                    "The blob " + name + " of the container " + BackupContainer.NAME
                            + " holds no mark of the service: another program wrote it. See docs/tables.md.",
                    false,
                    e);
        }
    }

    private static @Nullable Instant time(JsonNode mark, String member) {
        String text = mark.path(member).asText();
        return text.isEmpty() ? null : Instant.parse(text);
    }
}
