package dev.numera.azure;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A table with the traps of its client closed: every write but {@link #deleteAll} is conditional, or in a transaction
 * with one that is, and its outcome is won, lost or unknown; every failure names what failed. One request a call, but
 * {@link #all}, {@link #first}, {@link #dated} and {@link #deleteAll} go on from page to page; none is repeated here.
 * Thread-safe; each request blocks for at most the client's timeouts.
 *
 * <p>Decision: {@code docs/decisions/rows-are-changed-by-merges.md}.
 */
public final class Table {
    public static final int MAX_PAGE_ROWS = 1_000;
    /** More operations the service takes in no transaction. */
    public static final int TRANSACTION_ROWS = 100;
    /**
     * At most so much text, of the 4 MiB that a transaction holds: each half of a character beyond the first 65,536
     * takes six bytes. It must not change, because it decides which parts of an upload are stored together: one that
     * was sent to an older version and is sent again must meet them in the same transactions.
     */
    public static final int TRANSACTION_UNITS = 500_000;

    private static final int MAX_KEY_UNITS = 1_024;
    private static final String ETAG = "odata.etag";

    private final TableClient client;

    public Table(TableClient client) {
        this.client = client;
    }

    /** @throws StoreFailure anything but a row or its certain absence */
    Optional<StoredRow> find(String partition, String row) {
        RawResponse answer = new RawResponse();
        try {
            TableEntity found = client.getEntityWithResponse(partition, row, null, null, answer.context())
                    .getValue();
            if (!row.equals(found.getRowKey())) {
                throw new IllegalStateException("The answer holds another row, or none.");
            }
            return Optional.of(read(found));
        } catch (RuntimeException e) {
            RequestFailure failure = RequestFailure.of(e, answer);
            if (failure.status() == 404 && failure.code() != null && !failure.isTableMissing()) {
                return Optional.empty();
            }
            throw failure.describedAs("Reading " + where(partition, row));
        }
    }

    /**
     * Whether the account has the table.
     *
     * @throws StoreFailure there is no trustworthy answer
     */
    boolean isThere() {
        RawResponse answer = new RawResponse();
        try {
            client.getEntityWithResponse("~health", "~", null, null, answer.context());
            return true;
        } catch (RuntimeException e) {
            RequestFailure failure = RequestFailure.of(e, answer);
            if (failure.status() == 404 && failure.code() != null) {
                return !failure.isTableMissing();
            }
            throw failure.describedAs("Looking for table " + client.getTableName());
        }
    }

    /**
     * Rows in key order; {@code continuation} is null on the last page. A page may be shorter than the limit, even
     * empty. It was read at this time, by the store's own clock.
     */
    record Page(List<StoredRow> rows, @Nullable String continuation, Instant readAt) {}

    /**
     * One page of the rows that meet a filter.
     *
     * @param filter OData, or null for all
     * @param limit 1 to 1,000
     * @param continuation from the page before, or null
     * @throws StoreFailure there is no trustworthy answer
     */
    Page list(@Nullable String filter, int limit, @Nullable String continuation) {
        return list(new ListEntitiesOptions().setFilter(filter).setTop(limit), continuation);
    }

    private Page list(ListEntitiesOptions options, @Nullable String continuation) {
        RawResponse answer = new RawResponse();
        try {
            Iterator<PagedResponse<TableEntity>> pages = client.listEntities(options, null, answer.context())
                    .iterableByPage(continuation)
                    .iterator();
            if (!pages.hasNext()) {
                return new Page(List.of(), null, answer.at());
            }
            PagedResponse<TableEntity> page = pages.next();
            return new Page(
                    page.getValue().stream().map(this::read).toList(), page.getContinuationToken(), answer.at());
        } catch (RuntimeException e) {
            throw RequestFailure.of(e, answer).describedAs("Listing table " + client.getTableName());
        }
    }

    /** All rows that meet a filter, page after page: for few rows. */
    List<StoredRow> all(String filter) {
        return first(filter, Integer.MAX_VALUE);
    }

    /** All rows that meet a filter, as one page, with the time of the last request: for few rows. */
    Page dated(String filter) {
        return rows(filter, Integer.MAX_VALUE);
    }

    /** The first rows that meet a filter, as many as there are up to the limit. */
    List<StoredRow> first(@Nullable String filter, int limit) {
        return rows(filter, limit).rows();
    }

    private Page rows(@Nullable String filter, int limit) {
        return rows(new ListEntitiesOptions().setFilter(filter), limit);
    }

    private Page rows(ListEntitiesOptions options, int limit) {
        List<StoredRow> rows = new ArrayList<>();
        Page page;
        String continuation = null;
        do {
            page = list(options.setTop(Math.min(limit - rows.size(), MAX_PAGE_ROWS)), continuation);
            rows.addAll(page.rows());
            continuation = page.continuation();
        } while (continuation != null && rows.size() < limit);
        return new Page(rows, continuation, page.readAt());
    }

    /**
     * Deletes the rows that meet a filter, all of one partition, whatever their versions: for rows that no other
     * program writes any more.
     *
     * @throws StoreFailure some of them may be left
     */
    void deleteAll(String filter) {
        List<StoredRow> rows = keys(filter);
        while (!rows.isEmpty()) {
            List<TableTransactionAction> deletes = rows.stream()
                    .map(row -> new TableTransactionAction(TableTransactionActionType.DELETE, row.entity()))
                    .toList();
            transact(deletes).requireKnown();
            rows = keys(filter);
        }
    }

    /** As many rows as a transaction takes, without what they hold. */
    private List<StoredRow> keys(String filter) {
        ListEntitiesOptions keys = new ListEntitiesOptions()
                .setSelect(List.of("PartitionKey", "RowKey"))
                .setFilter(filter);
        return rows(keys, TRANSACTION_ROWS).rows();
    }

    /** Creates the table unless it is there. */
    void create() {
        RawResponse answer = new RawResponse();
        try {
            client.createTableWithResponse(null, answer.context());
        } catch (RuntimeException e) {
            RequestFailure failure = RequestFailure.of(e, answer);
            if (failure.status() != 409) {
                throw failure.describedAs("Creating table " + client.getTableName());
            }
        }
    }

    static String partitionIs(String partition) {
        return "PartitionKey eq " + quoted(partition);
    }

    /** The filter for the rows of a partition from one on and before another. */
    static String rowsAre(String partition, String first, String before) {
        return partitionIs(partition) + " and RowKey ge " + quoted(first) + " and RowKey lt " + quoted(before);
    }

    /** The filter for rows that were written at a time or later, by the store's own times. */
    static String writtenSince(Instant since) {
        return "Timestamp ge datetime'" + since + "'";
    }

    /** Whether a row may be named so. */
    static boolean isKey(String name) {
        return !name.isEmpty()
                && name.length() <= MAX_KEY_UNITS
                && name.chars().noneMatch(unit -> "/\\#?".indexOf(unit) >= 0 || Character.isISOControl(unit));
    }

    static String quoted(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    /** Inserts a row; it is lost where there is one already. */
    public WriteResult insert(TableEntity entity) {
        return write(
                "Inserting " + where(entity),
                answer -> client.createEntityWithResponse(entity, null, answer.context()));
    }

    /**
     * Changes a row that is still at the version; other properties stay as they are, also those of a newer version of
     * this program.
     */
    WriteResult change(TableEntity entity, @Nullable String version) {
        setVersion(entity, version);
        return write(
                "Writing " + where(entity),
                answer -> client.updateEntityWithResponse(
                        entity, TableEntityUpdateMode.MERGE, true, null, answer.context()));
    }

    /** All or nothing, within one partition; the version of a won one is that of the first action's row. */
    WriteResult transact(List<TableTransactionAction> actions) {
        TableEntity first = actions.get(0).getEntity();
        return write(
                "Writing " + where(first),
                answer -> client.submitTransactionWithResponse(actions, null, answer.context()));
    }

    static TableTransactionAction inserting(TableEntity entity) {
        return new TableTransactionAction(TableTransactionActionType.CREATE, entity);
    }

    /** As {@link #change}. */
    static TableTransactionAction changing(TableEntity entity, @Nullable String version) {
        setVersion(entity, version);
        return new TableTransactionAction(TableTransactionActionType.UPDATE_MERGE, entity, true);
    }

    /** Inserts or replaces a row: only beside a conditional write of another one. */
    static TableTransactionAction putting(TableEntity entity) {
        return new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, entity);
    }

    /** Puts another row in the place of one that is still at the version. */
    static TableTransactionAction replacing(TableEntity entity, String version) {
        setVersion(entity, version);
        return new TableTransactionAction(TableTransactionActionType.UPDATE_REPLACE, entity, true);
    }

    /** Deletes a row that is there, whatever its version: only beside a conditional write of another one. */
    static TableTransactionAction deleting(TableEntity entity) {
        return new TableTransactionAction(TableTransactionActionType.DELETE, entity);
    }

    static TableTransactionAction deleting(StoredRow row) {
        return deleting(row.entity(), row.version());
    }

    /** Deletes a row that is still at the version. */
    static TableTransactionAction deleting(TableEntity entity, @Nullable String version) {
        setVersion(entity, version);
        return new TableTransactionAction(TableTransactionActionType.DELETE, entity, true);
    }

    private WriteResult write(String what, Consumer<RawResponse> request) {
        RawResponse answer = new RawResponse();
        try {
            request.accept(answer);
            return new WriteResult.Won(closeQuote(answer.etag()));
        } catch (RuntimeException e) {
            return outcome(what, RequestFailure.of(e, answer));
        }
    }

    private WriteResult outcome(String what, RequestFailure failure) {
        if (TableErrorCode.ENTITY_ALREADY_EXISTS.equals(failure.code())) {
            return WriteResult.Lost.EXISTS;
        }
        if (failure.status() == 412 || failure.status() == 404 && !failure.isTableMissing()) {
            return WriteResult.Lost.CHANGED;
        }
        StoreFailure described = failure.describedAs(what);
        if (failure.surelyChangedNothing()) {
            throw described;
        }
        return new WriteResult.Unknown(described);
    }

    private static void setVersion(TableEntity entity, @Nullable String version) {
        entity.addProperty(ETAG, StoredRow.requireVersion(version));
    }

    private static @Nullable String closeQuote(@Nullable String etag) {
        return etag == null || etag.endsWith("\"") ? etag : etag + "\"";
    }

    private StoredRow read(TableEntity entity) {
        return new StoredRow(client.getTableName(), entity);
    }

    private String where(TableEntity entity) {
        return where(entity.getPartitionKey(), entity.getRowKey());
    }

    private String where(String partition, String row) {
        return "row " + row + " of " + partition + " in table " + client.getTableName();
    }
}
