package dev.numera.sequences.lists;

import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Storage for uploads. Parts are counted from 1. Calls block for storage requests and throw
 * {@link dev.numera.core.retry.StoreFailure}. Thread-safe.
 */
public interface UploadStore {
    Optional<Upload> find(Upload.Id id);

    /** Inserts an upload. Loses if the id is already used. */
    WriteResult insert(Upload upload);

    /** Replaces an upload. Loses if the stored one has another version. */
    WriteResult replace(Upload upload);

    /**
     * Stores the rows of the parts, in order from the first part on. Leaves parts that are already stored as they are.
     */
    void insertParts(Upload upload, List<Upload.Content> parts);

    /**
     * Reads the rows of a part.
     *
     * @throws ProblemException {@code unknown-batch}, {@code unknown-import} if the upload was removed since it was
     *     found
     */
    Upload.Content part(Upload upload, int part);

    /**
     * Writes the answers of a part together with the progress. Loses if the stored upload has another version. If the
     * refusals are too long together, stores them without their explanations.
     */
    WriteResult finish(Upload upload, List<Result<PrintedAllocation>> answersOfLastPart);

    /**
     * Reads the answers of a part that is done, one for each row, without keys. The answer to a row with several
     * numbers has no texts.
     *
     * @param rows how many rows the part has
     * @throws ProblemException as in {@link #part}
     */
    List<Result<PrintedAllocation>> answers(Upload upload, int part, int rows);

    /** An upload to be removed. Another upload may have the same id by now; the time distinguishes them. */
    record OldUpload(Upload.Id id, Instant sentAt) {}

    /** Returns the oldest uploads that were sent before a moment. */
    List<OldUpload> sentBefore(Instant moment, int limit);

    /**
     * An upload in a list.
     *
     * @param id null if the row that points to the upload cannot be read
     * @param upload the upload, or why it cannot be read; the other uploads of the list stay readable
     */
    record Listed(@Nullable String id, Result<Upload> upload) {}

    /**
     * Returns a page of the uploads of a kind for a sequence, the latest first. A page may be shorter than the limit,
     * or empty, although others follow.
     *
     * @param limit 1 to {@value UploadReader#MAX_LISTED}; sends one query, and one read for each upload, at most
     *     sixteen at once
     * @param position where the page starts; null for the first page
     * @throws ProblemException {@code invalid-request} for a position where no page ends
     */
    Page<Listed, String> list(SequenceName sequence, Upload.Kind kind, int limit, @Nullable String position);

    /**
     * Removes all rows of an upload, but no rows of another upload with the same id. The rows that an interrupted
     * removal leaves are found again as old.
     */
    void remove(OldUpload upload);
}
