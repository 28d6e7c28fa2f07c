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
 * Where uploads are kept. Parts are counted from 1. Calls block for storage requests and throw
 * {@link dev.numera.core.retry.StoreFailure}. Thread-safe.
 */
public interface UploadStore {
    Optional<Upload> find(Upload.Id id);

    /** Lost where there is one already. */
    WriteResult insert(Upload upload);

    /** Replaces the upload that is still at this one's version. */
    WriteResult replace(Upload upload);

    /** Stores the parts' rows, in order from the first part on; those that are there already are left as they are. */
    void insertParts(Upload upload, List<Upload.Content> parts);

    /**
     * @throws ProblemException {@code unknown-batch}, {@code unknown-import}: the upload was removed since it was found
     */
    Upload.Content part(Upload upload, int part);

    /**
     * Writes the answers of a part and the progress with it, if the upload is still at its version. Refusals that are
     * too long together are kept without what only explains them.
     */
    WriteResult finish(Upload upload, List<Result<PrintedAllocation>> answersOfLastPart);

    /**
     * The answers of a part that is done, one for each row, without keys; of several numbers of one row, without texts.
     *
     * @param rows how many rows the part has
     * @throws ProblemException as for {@link #part}
     */
    List<Result<PrintedAllocation>> answers(Upload upload, int part, int rows);

    /** An upload that was kept long enough. Another may have its id by now: the time distinguishes them. */
    record OldUpload(Upload.Id id, Instant sentAt) {}

    /** The oldest uploads that were sent before a moment. */
    List<OldUpload> sentBefore(Instant moment, int limit);

    /**
     * An upload in a list.
     *
     * @param id null where the row that leads to it cannot be read
     * @param upload or why it cannot be read, which concerns no other one
     */
    record Listed(@Nullable String id, Result<Upload> upload) {}

    /**
     * The uploads of a kind that a sequence has, the last one first. A page may be shorter than the limit, even empty,
     * and yet not the last.
     *
     * @param limit 1 to {@value UploadReader#MAX_LISTED}; one query, and one read for each upload, at most sixteen at
     *     once
     * @param position of the page before; null on the first one
     * @throws ProblemException {@code invalid-request}: no page ended there
     */
    Page<Listed, String> list(SequenceName sequence, Upload.Kind kind, int limit, @Nullable String position);

    /**
     * Removes all that is stored of an upload, and nothing of another with its id. What a removal leaves that breaks
     * off is still old.
     */
    void remove(OldUpload upload);
}
