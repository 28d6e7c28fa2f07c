package dev.numera.sequences.lists;

import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.ledger.LedgerLine;
import dev.numera.sequences.ledger.LedgerReader;
import dev.numera.sequences.numbering.KeyVoidException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists uploads, and reads their rows with the answers. Thread-safe; calls block for storage requests and throw
 * {@link dev.numera.core.retry.StoreFailure}.
 */
public final class UploadReader {
    /** The most uploads on a page of a list. */
    public static final int MAX_LISTED = 100;

    private static final int MAX_COUNTED = 1_000;
    private static final int PARTS_OF_A_SEARCH = 20;
    /** The size of a page of rows: the page ends with the row that reaches it. */
    private static final long MAX_CHARACTERS_PER_PAGE = 1_000_000;

    private static final int FIELDS_OF_A_PROBLEM = 1_000;

    /** The selection of rows for a page. */
    public enum Rows {
        ALL(Integer.MAX_VALUE),
        /**
         * The refused rows. A page searches at most {@value #PARTS_OF_A_SEARCH} parts, so it may be empty although
         * others follow.
         */
        REFUSED(PARTS_OF_A_SEARCH);

        private final int maxParts;

        Rows(int maxParts) {
            this.maxParts = maxParts;
        }

        private boolean have(RowResult<List<String>> row) {
            return this == ALL || row.isRefused();
        }
    }

    private final UploadStore store;
    private final LedgerReader ledger;

    public UploadReader(UploadStore store, LedgerReader ledger) {
        this.store = store;
        this.ledger = ledger;
    }

    /**
     * Returns a page of the stored uploads of a kind, the latest first, like {@link UploadStore#list}.
     *
     * @param limit the page size; never more than {@value #MAX_LISTED} are listed
     * @throws ProblemException {@code invalid-request} for a position that is not from this list
     */
    public Page<UploadStore.Listed, String> list(
            SequenceName sequence, Upload.Kind kind, int limit, @Nullable String position) {
        return store.list(sequence, kind, Math.min(limit, MAX_LISTED), position);
    }

    /**
     * Returns how many rows the stored imports have refused, without dry runs. The document of a refused row may lack
     * its number. Counts at most the last {@value #MAX_COUNTED} imports.
     *
     * @throws ProblemException also if an import cannot be read, because it may have refused rows
     */
    public long refusedRows(SequenceName sequence) {
        return Page.<UploadStore.Listed, String>all(
                        position -> list(sequence, Upload.Kind.IMPORT, MAX_LISTED, position))
                .limit(MAX_COUNTED / MAX_LISTED)
                .flatMap(page -> page.items().stream())
                .map(listed -> listed.upload().orThrow())
                .filter(upload -> !upload.columns().isDryRun())
                .mapToLong(
                        upload -> upload.progress().items() - upload.progress().numbered())
                .sum();
    }

    /**
     * Returns a page of the rows that are done, in order.
     *
     * @throws ProblemException {@code invalid-request} for a position that is not from this upload
     */
    public Page<RowResult<List<String>>, UploadPosition> page(
            Upload upload, Rows wanted, UploadPosition from, int limit) {
        int parts = upload.progress().parts();
        require(from.part() >= 0 && from.part() < parts);
        int end = parts - from.part() <= wanted.maxParts ? parts : from.part() + wanted.maxParts;
        List<RowResult<List<String>>> items = new ArrayList<>();
        long left = MAX_CHARACTERS_PER_PAGE;
        int row = from.row();
        for (int part = from.part(); part < end; part++) {
            List<RowResult<List<String>>> ofPart = answeredRows(upload, part + 1);
            require(row >= 0 && row < ofPart.size());
            while (row < ofPart.size()) {
                RowResult<List<String>> item = ofPart.get(row);
                row++;
                if (wanted.have(item)) {
                    items.add(item);
                    left -= characters(item);
                }
                if (items.size() == limit || left <= 0) {
                    return new Page<>(items, next(upload, part, row, ofPart.size()));
                }
            }
            row = 0;
        }
        return new Page<>(items, end < parts ? new UploadPosition(end, 0) : null);
    }

    private static void require(boolean isThere) {
        if (!isThere) {
            throw InvalidRequest.because(
                    "continuation", "must be that of the previous page: the upload has no such row");
        }
    }

    private static @Nullable UploadPosition next(Upload upload, int part, int row, int rowsOfPart) {
        if (row < rowsOfPart) {
            return new UploadPosition(part, row);
        }
        return part + 1 < upload.progress().parts() ? new UploadPosition(part + 1, 0) : null;
    }

    /** Returns all rows that are done, in order. Reads them part by part. */
    public Stream<RowResult<List<String>>> all(Upload upload) {
        return IntStream.rangeClosed(1, upload.progress().parts())
                .boxed()
                .flatMap(part -> answeredRows(upload, part).stream());
    }

    /** Returns the most characters that an answer with the page has. */
    public static long characters(Page<RowResult<List<String>>, UploadPosition> page) {
        return page.items().stream().mapToLong(UploadReader::characters).sum();
    }

    /** Returns the most characters that the answer to a row has. */
    private static long characters(RowResult<List<String>> row) {
        PrintedAllocation printed = row.result().value();
        return ListColumns.storedUnits(row.requested())
                + (printed == null
                        ? FIELDS_OF_A_PROBLEM
                                + 2L * row.result().refusal().getMessage().length()
                        : printed.characters());
    }

    private List<RowResult<List<String>>> answeredRows(Upload upload, int part) {
        Upload.Content stored = store.part(upload, part);
        List<List<String>> rows = stored.rows();
        List<Result<PrintedAllocation>> present =
                present(upload, whole(upload, rows, store.answers(upload, part, rows.size())));
        return IntStream.range(0, rows.size())
                .mapToObj(i -> new RowResult<>(rows.get(i), present.get(i), stored.line(i), stored.equalLine(i)))
                .toList();
    }

    /**
     * Completes the stored answers: adds the keys, and the texts of rows with several numbers, which only the ledger
     * contains.
     */
    private List<Result<PrintedAllocation>> whole(
            Upload upload, List<List<String>> rows, List<Result<PrintedAllocation>> results) {
        List<String> keys = rows.stream().map(upload.columns()::key).toList();
        List<String> ofSeveral = IntStream.range(0, rows.size())
                .filter(i -> hasSeveral(results.get(i)))
                .mapToObj(keys::get)
                .toList();
        Map<String, LedgerLine> entries =
                ofSeveral.isEmpty() ? Map.of() : ledger.find(upload.id().sequence(), ofSeveral);
        return IntStream.range(0, rows.size())
                .mapToObj(i -> results.get(i).map(printed -> whole(keys.get(i), printed, entries)))
                .toList();
    }

    private static boolean hasSeveral(Result<PrintedAllocation> result) {
        PrintedAllocation printed = result.value();
        return printed != null && printed.count() > 1;
    }

    private static PrintedAllocation whole(String key, PrintedAllocation printed, Map<String, LedgerLine> entries) {
        if (printed.count() == 1) {
            return printed.with(key, printed.texts());
        }
        LedgerLine entry = entries.get(key);
        return printed.with(key, entry == null ? null : entry.texts());
    }

    /**
     * Returns the answers with the current status from the ledger, because numbers may have been confirmed or voided
     * since. Refuses a void key of a list, like a call with that key. An import may contain void numbers, so its rows
     * stay as they are.
     */
    private List<Result<PrintedAllocation>> present(Upload upload, List<Result<PrintedAllocation>> results) {
        SequenceName sequence = upload.id().sequence();
        if (upload.columns().isDryRun()) {
            return results;
        }
        Iterator<PrintedAllocation> present = ledger.present(
                        sequence,
                        results.stream()
                                .map(Result::value)
                                .filter(Objects::nonNull)
                                .toList())
                .iterator();
        return results.stream()
                .map(result -> result.map(stored -> present.next()))
                .map(result -> upload.id().isImport() ? result : result.unless(printed -> problem(sequence, printed)))
                .toList();
    }

    private static Optional<ProblemException> problem(SequenceName sequence, PrintedAllocation printed) {
        return KeyVoidException.of(sequence, printed).map(KeyVoidException::withoutManyTexts);
    }
}
