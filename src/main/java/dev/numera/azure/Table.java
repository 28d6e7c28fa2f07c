package dev.numera.azure;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.numera.core.counter.WriteLimits;
import dev.numera.core.model.Versioned;
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
 * An Azure table, without the traps of its client. Every write except {@link #deleteAll} is conditional, or shares a
 * transaction with a conditional write, and its outcome is won, refused or unknown. Every failure names the request.
 * Each method sends one request and repeats none, except {@link #all}, {@link #first}, {@link #dated} and
 * {@link #deleteAll}, which read page after page. Thread-safe; each request blocks for at most the client's timeouts.
 *
 * <p>Decision: {@code docs/decisions/rows-are-changed-by-merges.md}.
 */
public final class Table {
    public static final int MAX_PAGE_ROWS = 1_000;
    /** The most operations that the service accepts in one transaction. */
    public static final int TRANSACTION_ROWS = WriteLimits.OPERATIONS;
    /**
     * The most text in one transaction, in UTF-16 units. The service allows 4 MiB, and a unit can take six bytes (half
     * of a character beyond the first 65,536). Do not change it: it decides which parts of an upload share a
     * transaction. A caller may send an upload to an older version and repeat it to this one, and its parts must then
     * fall into the same transactions.
     */
    public static final int TRANSACTION_UNITS = 500_000;

    private static final int MAX_KEY_UNITS = 1_024;
    private static final String ETAG = "odata.etag";

    private final TableClient client;

    public Table(TableClient client) {
        this.client = client;
    }

    /** @throws StoreFailure the answer is neither a row nor proof that the row does not exist */
    public Optional<StoredRow> find(String partition, String row) {
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
    public boolean isThere() {
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
     * A page of rows in key order. A page may be shorter than the limit, even empty.
     *
     * @param continuation null on the last page
     * @param readAt the time of the answer, by the storage service's clock
     */
    record Page(List<StoredRow> rows, @Nullable String continuation, Instant readAt) {}

    /**
     * Reads one page of the rows that meet a filter.
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

    /** Reads all rows that meet a filter, page after page. Use it only where few rows can match. */
    List<StoredRow> all(String filter) {
        return first(filter, Integer.MAX_VALUE);
    }

    /** Like {@link #all}, with the time of the last request. */
    Page dated(String filter) {
        return rows(filter, Integer.MAX_VALUE);
    }

    /** Reads the first rows that meet a filter, up to the limit. */
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
     * Deletes the rows that meet a filter, whatever their versions. The rows must be of one partition, and no program
     * may still write them.
     *
     * @throws StoreFailure some of the rows may remain
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

    /** Reads the names of at most as many rows as fit one transaction. */
    private List<StoredRow> keys(String filter) {
        ListEntitiesOptions keys = new ListEntitiesOptions()
                .setSelect(List.of("PartitionKey", "RowKey"))
                .setFilter(filter);
        return rows(keys, TRANSACTION_ROWS).rows();
    }

    /** Creates the table if it does not exist. */
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

    /** Returns the filter for the rows of a partition from {@code first} (included) to {@code before} (excluded). */
    static String rowsAre(String partition, String first, String before) {
        return partitionIs(partition) + " and RowKey ge " + quoted(first) + " and RowKey lt " + quoted(before);
    }

    /** Returns the filter for rows that were written at this time or later, by the storage service's clock. */
    static String writtenSince(Instant since) {
        return "Timestamp ge datetime'" + since + "'";
    }

    /** Whether the service accepts this name for a row. */
    static boolean isKey(String name) {
        return !name.isEmpty()
                && name.length() <= MAX_KEY_UNITS
                && name.chars().noneMatch(unit -> "/\\#?".indexOf(unit) >= 0 || Character.isISOControl(unit));
    }

    static String quoted(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    /** Inserts a row. The write is lost if a row of this name exists. */
    public WriteResult insert(TableEntity entity) {
        return write(
                "Inserting " + where(entity),
                answer -> client.createEntityWithResponse(entity, null, answer.context()));
    }

    /** Inserts rows of one partition, all or none; lost if the table has one of them. */
    public WriteResult insertAll(List<TableEntity> entities) {
        return transact(entities.stream().map(Table::inserting).toList());
    }

    /** Deletes rows of one partition that still have their versions, all or none. */
    public WriteResult deleteAll(List<Versioned<TableEntity>> rows) {
        return transact(
                rows.stream().map(row -> deleting(row.value(), row.version())).toList());
    }

    /**
     * Changes the entity's properties in a row that still has the version. Other properties keep their values,
     * including those of a newer version of this program.
     */
    WriteResult change(TableEntity entity, @Nullable String version) {
        setVersion(entity, version);
        return write(
                "Writing " + where(entity),
                answer -> client.updateEntityWithResponse(
                        entity, TableEntityUpdateMode.MERGE, true, null, answer.context()));
    }

    /** Executes all actions or none, within one partition. A won result has the version of the first action's row. */
    WriteResult transact(List<TableTransactionAction> actions) {
        TableEntity first = actions.get(0).getEntity();
        return write(
                "Writing " + where(first),
                answer -> client.submitTransactionWithResponse(actions, null, answer.context()));
    }

    static TableTransactionAction inserting(TableEntity entity) {
        return new TableTransactionAction(TableTransactionActionType.CREATE, entity);
    }

    /** Returns the action of {@link #change}. */
    static TableTransactionAction changing(TableEntity entity, @Nullable String version) {
        setVersion(entity, version);
        return new TableTransactionAction(TableTransactionActionType.UPDATE_MERGE, entity, true);
    }

    /**
     * Inserts or replaces a row unconditionally. Use it only in a transaction with a conditional write of another row.
     */
    static TableTransactionAction putting(TableEntity entity) {
        return new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, entity);
    }

    /** Replaces a row that still has the version, with all its properties. */
    static TableTransactionAction replacing(TableEntity entity, String version) {
        setVersion(entity, version);
        return new TableTransactionAction(TableTransactionActionType.UPDATE_REPLACE, entity, true);
    }

    /**
     * Deletes an existing row, whatever its version. Use it only in a transaction with a conditional write of another
     * row.
     */
    static TableTransactionAction deleting(TableEntity entity) {
        return new TableTransactionAction(TableTransactionActionType.DELETE, entity);
    }

    static TableTransactionAction deleting(StoredRow row) {
        return deleting(row.entity(), row.version());
    }

    /** Deletes a row that still has the version. */
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
            return WriteResult.Refused.EXISTS;
        }
        if (failure.status() == 412 || failure.status() == 404 && !failure.isTableMissing()) {
            return WriteResult.Refused.CHANGED;
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
