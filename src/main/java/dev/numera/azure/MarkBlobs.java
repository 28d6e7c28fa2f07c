package dev.numera.azure;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the copies of the service's mark in the container of backups. Requests that fail temporarily are
 * sent again. Thread-safe; calls block for some requests of at most a minute each.
 */
public final class MarkBlobs {
    /** The prefix of the names of marks. No backup has it. */
    public static final String FOLDER = "service-mark/";

    private static final String JSON = ".json";
    private static final Pattern MARK = Pattern.compile(Pattern.quote(FOLDER) + "\\d{6}" + Pattern.quote(JSON));

    private final BlobContainerClient container;

    /** @throws ProblemException {@code misconfigured} if the connection has no address of blobs */
    public MarkBlobs(StorageConnection connection) {
        this.container = BackupContainer.client(connection);
    }

    /**
     * Returns the mark that was written last; none if the container does not exist.
     *
     * @throws StoreFailure the mark cannot be read
     */
    MaintenanceMark last() {
        if (!BackupContainer.isThere(container)) {
            return MaintenanceMark.NONE;
        }
        List<String> marks = marks();
        return marks.isEmpty() ? MaintenanceMark.NONE : read(marks.get(marks.size() - 1));
    }

    /**
     * Writes the mark, if the container exists. Each mark goes to a new blob, because the container's immutability
     * policy forbids changing one.
     *
     * @throws StoreFailure the mark may not have been written
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

    private MaintenanceMark read(String name) {
        return mark(name, BackupContainer.described("Reading " + name, () -> container
                .getBlobClient(name)
                .downloadContent()
                .toString()));
    }

    /**
     * Reads a mark from the text of a blob.
     *
     * @throws StoreFailure the text is not a mark; the message names the blob and the member
     */
    static MaintenanceMark mark(String name, String text) {
        Checked mark = Checked.parse(
                text,
                "mark",
                (place, why) -> new StoreFailure(
                        "The blob " + name + " of the container " + BackupContainer.NAME
                                + " was written by another program and cannot be read: " + place + " " + why
                                + ". See docs/tables.md.",
                        false,
                        null));
        return new MaintenanceMark(time(mark, MaintenanceRow.SINCE), time(mark, MaintenanceRow.CREATION_CLOSED_AT));
    }

    /** Reads a time; null if the member is missing or empty. */
    private static @Nullable Instant time(Checked mark, String member) {
        return mark.optional(member)
                .filter(time -> !time.string(0, Integer.MAX_VALUE).isEmpty())
                .map(Checked::instant)
                .orElse(null);
    }
}
