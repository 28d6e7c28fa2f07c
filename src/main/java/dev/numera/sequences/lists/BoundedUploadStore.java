package dev.numera.sequences.lists;

import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.Bulkhead;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store of uploads within the limits of this instance. Each call counts against the {@link Bulkhead} of its sequence.
 * A read that fails temporarily is retried until its deadline. A write is sent only once, because its message is
 * delivered again or its caller repeats it. Calls block for storage requests, and may also throw {@code overloaded}.
 * Thread-safe.
 */
public final class BoundedUploadStore implements UploadStore {
    private final UploadStore store;
    private final Bulkhead bulkhead;
    private final RetryPolicy retries;

    /** @param bulkhead bounds the calls for each sequence, so that uploads of one never fill an instance */
    public BoundedUploadStore(UploadStore store, Bulkhead bulkhead, RetryPolicy retries) {
        this.store = store;
        this.bulkhead = bulkhead;
        this.retries = retries;
    }

    private <T> T read(SequenceName sequence, Supplier<T> request) {
        return bulkhead.call(sequence, () -> retried(request));
    }

    private <T> T retried(Supplier<T> request) {
        Deadline deadline = Deadline.ofThisThread()
                .orElseGet(() -> Deadline.in(retries.limits().deadline(), retries.time()));
        return retries.call(deadline, request);
    }

    @Override
    public Optional<Upload> find(Upload.Id id) {
        return read(id.sequence(), () -> store.find(id));
    }

    @Override
    public WriteResult insert(Upload upload) {
        return bulkhead.call(upload.id().sequence(), () -> store.insert(upload));
    }

    @Override
    public WriteResult replace(Upload upload) {
        return bulkhead.call(upload.id().sequence(), () -> store.replace(upload));
    }

    @Override
    public void insertParts(Upload upload, List<Upload.Content> parts) {
        bulkhead.call(upload.id().sequence(), () -> {
            store.insertParts(upload, parts);
            return upload;
        });
    }

    @Override
    public Upload.Content part(Upload upload, int part) {
        return read(upload.id().sequence(), () -> store.part(upload, part));
    }

    @Override
    public WriteResult finish(Upload upload, List<Result<PrintedAllocation>> answersOfLastPart) {
        return bulkhead.call(upload.id().sequence(), () -> store.finish(upload, answersOfLastPart));
    }

    @Override
    public List<Result<PrintedAllocation>> answers(Upload upload, int part, int rows) {
        return read(upload.id().sequence(), () -> store.answers(upload, part, rows));
    }

    /** Returns the oldest uploads of all sequences. Counts against no bulkhead. */
    @Override
    public List<OldUpload> sentBefore(Instant moment, int limit) {
        return retried(() -> store.sentBefore(moment, limit));
    }

    /** @throws ProblemException as in {@link UploadStore#list} */
    @Override
    public Page<Listed, String> list(SequenceName sequence, Upload.Kind kind, int limit, @Nullable String position) {
        return read(sequence, () -> store.list(sequence, kind, limit, position));
    }

    @Override
    public void remove(OldUpload upload) {
        bulkhead.call(upload.id().sequence(), () -> {
            store.remove(upload);
            return upload;
        });
    }
}
