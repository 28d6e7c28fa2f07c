package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadStore;
import dev.numera.sequences.lists.Uploads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Stores uploads in the table {@value TableNames#BATCHES}. An upload has a partition with the row {@code upload} and,
 * for each part, a row with the uploaded content and one with the answers. Two more rows lead to the upload: one in the
 * partition {@value UploadRows#BY_AGE}, oldest first, and one in the partition of its sequence, newest first.
 *
 * <p>A caller can reuse an id that was made of its key when the upload is removed. The names of the rows therefore
 * contain the time at which the upload was sent, so that leftovers of the previous upload never count as parts of the
 * next.
 */
final class TableUploadStore implements UploadStore {
    private static final int MAX_TRIES = 20;
    private static final Duration LISTED_WITHIN = Duration.ofSeconds(10);

    private final Table batches;
    private final ParallelReads parallelReads;

    TableUploadStore(Table batches, ParallelReads reads) {
        this.batches = batches;
        this.parallelReads = reads;
    }

    @Override
    public Optional<Upload> find(Upload.Id id) {
        return batches.find(UploadRows.partition(id), UploadRows.UPLOAD).map(row -> UploadRows.read(id, row));
    }

    @Override
    public WriteResult insert(Upload upload) {
        // The row by age is written first, so that the removal of old uploads finds everything that is ever stored.
        for (TableEntity way : List.of(UploadRows.byAge(upload), UploadRows.ofList(upload))) {
            if (batches.insert(way) instanceof WriteResult.Unknown unknown) {
                return unknown;
            }
        }
        return batches.insert(UploadRows.write(upload));
    }

    @Override
    public Page<Listed, String> list(SequenceName sequence, Upload.Kind kind, int limit, @Nullable String position) {
        String prefix = UploadRows.listOf(kind);
        if (position != null && !Table.isKey(position)) {
            throw InvalidRequest.because("continuation", "must be the one that the previous page returned");
        }
        // Starts after that row: '!' is the first character that a longer name could continue with.
        String first = position == null ? prefix : prefix + position + "!";
        String end = prefix.substring(0, prefix.length() - 1) + ";";
        List<StoredRow> rows = batches.first(Table.rowsAre(RowKeys.partition(sequence), first, end), limit);
        Map<String, Listed> found = new HashMap<>();
        List<Callable<Optional<Map.Entry<String, Listed>>>> reads = new ArrayList<>();
        rows.forEach(row -> reads.add(() -> listed(sequence, kind, row).map(listed -> Map.entry(row.row(), listed))));
        parallelReads
                .all(reads, LISTED_WITHIN)
                .forEach(read -> read.ifPresent(listed -> found.put(listed.getKey(), listed.getValue())));
        return new Page<>(
                rows.stream()
                        .map(row -> found.get(row.row()))
                        .filter(Objects::nonNull)
                        .toList(),
                rows.size() < limit ? null : rows.get(limit - 1).row().substring(prefix.length()));
    }

    /**
     * Reads an upload of the list. Empty if a crash left this row without an upload: before it was written, or after it
     * was removed.
     */
    private Optional<Listed> listed(SequenceName sequence, Upload.Kind kind, StoredRow row) {
        String known = null;
        try {
            Upload.Id id = UploadRows.id(sequence, kind, row);
            Instant sentAt = UploadRows.sentAt(row);
            row.requireName(UploadRows.nameInList(id, sentAt), "id or sentAt");
            known = id.id();
            return find(id).filter(upload -> upload.sentAt().equals(sentAt))
                    .map(upload -> new Listed(upload.id().id(), Result.of(upload)));
        } catch (StoreFailure e) {
            if (e.isTransient()) {
                throw e;
            }
            return Optional.of(new Listed(known, Result.refused(e.ofOneRequest())));
        }
    }

    @Override
    public WriteResult replace(Upload upload) {
        return batches.change(UploadRows.write(upload), upload.version());
    }

    @Override
    public void insertParts(Upload upload, List<Upload.Content> parts) {
        List<TableTransactionAction> actions = new ArrayList<>();
        int units = 0;
        for (int part = 1; part <= parts.size(); part++) {
            UploadRows.PartRow row = UploadRows.part(upload, part, parts.get(part - 1));
            boolean isFull = actions.size() == Table.TRANSACTION_ROWS || units + row.units() > Table.TRANSACTION_UNITS;
            if (isFull && !actions.isEmpty()) {
                insertAll(actions);
                actions.clear();
                units = 0;
            }
            actions.add(Table.inserting(row.entity()));
            units += row.units();
        }
        insertAll(actions);
    }

    @Override
    public Upload.Content part(Upload upload, int part) {
        return UploadRows.content(upload, read(upload, UploadRows.nameOfPart(upload, part)));
    }

    @Override
    public WriteResult finish(Upload upload, List<Result<PrintedAllocation>> answersOfLastPart) {
        TableEntity answers = UploadRows.answers(upload, answersOfLastPart);
        return batches.transact(
                List.of(Table.changing(UploadRows.write(upload), upload.version()), Table.putting(answers)));
    }

    @Override
    public List<Result<PrintedAllocation>> answers(Upload upload, int part, int rows) {
        return UploadRows.answers(read(upload, UploadRows.nameOfAnswers(upload, part)), rows);
    }

    @Override
    public List<OldUpload> sentBefore(Instant moment, int limit) {
        String filter = Table.partitionIs(UploadRows.BY_AGE) + " and RowKey lt " + Table.quoted(UploadRows.age(moment));
        List<OldUpload> uploads = new ArrayList<>();
        StoreFailure unreadable = null;
        for (StoredRow row : batches.first(filter, limit)) {
            try {
                uploads.add(UploadRows.oldUpload(row));
            } catch (StoreFailure e) {
                unreadable = e;
            }
        }
        // Thrown only when no readable row is left, so that one unreadable row does not keep the others from being
        // removed.
        if (uploads.isEmpty() && unreadable != null) {
            throw unreadable;
        }
        return uploads;
    }

    @Override
    public void remove(OldUpload old) {
        // Removes the upload's own row first. After that, no caller reads or writes its parts, and its id may be used
        // again.
        removeUpload(old);
        batches.deleteAll(Table.rowsAre(
                UploadRows.partition(old.id()),
                UploadRows.age(old.sentAt()) + ":",
                UploadRows.age(old.sentAt()) + ";"));
        delete(RowKeys.partition(old.id().sequence()), UploadRows.nameInList(old.id(), old.sentAt()));
        // Removes the row by age last, so that an interrupted removal is found and completed.
        delete(UploadRows.BY_AGE, UploadRows.nameByAge(old.sentAt(), old.id()));
    }

    private void delete(String partition, String row) {
        batches.deleteAll(Table.partitionIs(partition) + " and RowKey eq " + Table.quoted(row));
    }

    /** Removes the upload's own row, unless it already belongs to a newer upload with the same id. */
    private void removeUpload(OldUpload old) {
        RetryPolicy.untilWon(Clock.SYSTEM, "The upload " + old.id(), MAX_TRIES, () -> {
            Optional<StoredRow> row = batches.find(UploadRows.partition(old.id()), UploadRows.UPLOAD)
                    .filter(found -> old.sentAt().equals(UploadRows.sentAt(found)));
            return row.isEmpty()
                            || batches.transact(List.of(Table.deleting(row.get())))
                                    .isWon()
                    ? Optional.of(old)
                    : Optional.empty();
        });
    }

    /**
     * Inserts parts in one transaction. If an earlier request has stored some of them, inserts the others one by one:
     * the earlier transactions may have held other parts.
     */
    private void insertAll(List<TableTransactionAction> actions) {
        WriteResult together = batches.transact(actions);
        together.requireKnown();
        if (!together.isWon()) {
            actions.forEach(action -> batches.insert(action.getEntity()).requireKnown());
        }
    }

    private StoredRow read(Upload upload, String rowKey) {
        return batches.find(UploadRows.partition(upload.id()), rowKey).orElseThrow(() -> missing(upload, rowKey));
    }

    /**
     * Returns the problem of a missing row. The upload may have been removed meanwhile, or replaced by another with the
     * same id; otherwise the table is damaged.
     */
    private ProblemException missing(Upload upload, String rowKey) {
        Upload.Id id = upload.id();
        boolean isStillThere =
                find(id).filter(found -> found.sentAt().equals(upload.sentAt())).isPresent();
        return isStillThere
                ? new StoreFailure(
                        "The row " + rowKey + " of " + UploadRows.partition(id) + " in table " + TableNames.BATCHES
                                + " is missing: another program removed it, or the request that was to store it failed. Send"
                                + " that request again, with its Idempotency-Key. See docs/tables.md.",
                        false,
                        null)
                : Uploads.unknown(id.kind(), id.toString());
    }
}
