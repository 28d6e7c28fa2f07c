package dev.numera.batch;

import dev.numera.execution.WriteResult;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Bulkhead;
import dev.numera.sequence.Numbers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A store whose calls count among those that wait for the upload's sequence, so that uploads of one sequence never fill
 * an instance. Beyond the bound a call fails with {@link ProblemType#OVERLOADED} and requests nothing. The list of old
 * uploads is of no sequence and is not counted: one timer reads it.
 */
public final class CountedUploads implements UploadStore {
    private final UploadStore store;
    private final Bulkhead bulkhead;

    public CountedUploads(UploadStore store, Bulkhead bulkhead) {
        this.store = store;
        this.bulkhead = bulkhead;
    }

    @Override
    public Optional<Upload> find(UploadId id) {
        return counted(id, () -> store.find(id));
    }

    @Override
    public WriteResult insert(Upload upload) {
        return counted(upload.id(), () -> store.insert(upload));
    }

    @Override
    public WriteResult replace(Upload upload) {
        return counted(upload.id(), () -> store.replace(upload));
    }

    @Override
    public void insertParts(Upload upload, List<Part> parts) {
        counted(upload.id(), () -> {
            store.insertParts(upload, parts);
            return parts;
        });
    }

    @Override
    public Part part(Upload upload, int part) {
        return counted(upload.id(), () -> store.part(upload, part));
    }

    @Override
    public WriteResult finish(Upload upload, List<Answer<Numbers>> answersOfLastPart) {
        return counted(upload.id(), () -> store.finish(upload, answersOfLastPart));
    }

    @Override
    public List<Answer<Numbers>> answers(Upload upload, int part, int rows) {
        return counted(upload.id(), () -> store.answers(upload, part, rows));
    }

    @Override
    public List<OldUpload> sentBefore(Instant moment, int limit) {
        return store.sentBefore(moment, limit);
    }

    @Override
    public void remove(OldUpload upload) {
        counted(upload.id(), () -> {
            store.remove(upload);
            return upload;
        });
    }

    /** @throws ProblemException {@code overloaded} */
    private <T> T counted(UploadId id, Supplier<T> call) {
        return bulkhead.call(id.sequence(), call);
    }
}
