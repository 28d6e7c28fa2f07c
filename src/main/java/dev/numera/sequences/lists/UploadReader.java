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
 * Reads uploads back: which there are, and their rows with the answers. Thread-safe; calls block for storage requests
 * and throw {@link dev.numera.core.retry.StoreFailure}.
 */
public final class UploadReader {
    /** A page of a list of uploads has at most so many. */
    public static final int MAX_LISTED = 100;

    private static final int MAX_COUNTED = 1_000;
    private static final int PARTS_OF_A_SEARCH = 20;
    /** A page ends early with the row with which it has as many. */
    private static final long MAX_CHARACTERS_PER_PAGE = 1_000_000;

    private static final int FIELDS_OF_A_PROBLEM = 1_000;

    /** Which rows a page has. */
    public enum Rows {
        ALL(Integer.MAX_VALUE),
        /** A page looks through {@value #PARTS_OF_A_SEARCH} parts at most, so it may be empty and yet not the last. */
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
     * The uploads of a kind that are still kept, the last one first: a page as {@link UploadStore#list}.
     *
     * @param limit at most {@value #MAX_LISTED} are listed
     * @throws ProblemException {@code invalid-request} for a position that is none of this list
     */
    public Page<UploadStore.Listed, String> list(
            SequenceName sequence, Upload.Kind kind, int limit, @Nullable String position) {
        return store.list(sequence, kind, Math.min(limit, MAX_LISTED), position);
    }

    /**
     * How many rows were refused by the imports that are still kept, dry runs left out: a document may lack its number.
     * Counts the last {@value #MAX_COUNTED} imports at most.
     *
     * @throws ProblemException also where one of them cannot be read: it may have refused rows
     */
    public long refusedRows(SequenceName sequence) {
        long refused = 0;
        String position = null;
        int counted = 0;
        do {
            Page<UploadStore.Listed, String> page = list(sequence, Upload.Kind.IMPORT, MAX_LISTED, position);
            refused += page.items().stream()
                    .map(listed -> listed.upload().orThrow())
                    .filter(upload -> !upload.columns().isDryRun())
                    .mapToInt(upload ->
                            upload.progress().items() - upload.progress().numbered())
                    .sum();
            position = page.next();
            counted += MAX_LISTED;
        } while (position != null && counted < MAX_COUNTED);
        return refused;
    }

    /**
     * Rows that are done, in their order.
     *
     * @throws ProblemException {@code invalid-request} for a position that is none of this upload's
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
            throw InvalidRequest.because("continuation", "must be that of the page before: the upload has no such row");
        }
    }

    private static @Nullable UploadPosition next(Upload upload, int part, int row, int rowsOfPart) {
        if (row < rowsOfPart) {
            return new UploadPosition(part, row);
        }
        return part + 1 < upload.progress().parts() ? new UploadPosition(part + 1, 0) : null;
    }

    /** All rows that are done, in their order, read part by part. */
    public Stream<RowResult<List<String>>> all(Upload upload) {
        return IntStream.rangeClosed(1, upload.progress().parts())
                .boxed()
                .flatMap(part -> answeredRows(upload, part).stream());
    }

    /** The most characters that an answer with all of a page has. */
    public static long characters(Page<RowResult<List<String>>, UploadPosition> page) {
        return page.items().stream().mapToLong(UploadReader::characters).sum();
    }

    /** The most characters that the answer to a row has. */
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

    /** The answers with their keys, and with the texts of rows with several numbers: those are in the ledger alone. */
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
     * The answers as the ledger has them now: numbers may have been confirmed or voided since. A void key of a list is
     * refused, as its call would be; an import brought numbers that are void, too.
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
