/**
 * Azure Tables, queues and blobs behind the seams of the rooms below: the only room that may call Azure's storage. Only
 * {@code functions}, {@code functions.queue}, {@code maintain} and {@code maintain.restore} may call this room; the
 * others know their seams. {@code RoomsTest} holds both.
 *
 * <pre>{@code
 * // Given: Map<String, String> environment
 * StorageConnection connection = StorageConnection.of(environment);
 * StorageAccount account = new StorageAccount(connection, Duration.ofSeconds(2));
 * account.createTables();
 * SequenceStores stores = account.stores();
 * }</pre>
 *
 * <p>Come in by {@link dev.numera.azure.StorageAccount}, which a {@link dev.numera.azure.StorageConnection} says how to
 * reach. {@link dev.numera.azure.Table} closes the traps of the tables client: every write but the removal of old
 * uploads is conditional, and won, lost or unknown; which failures leave it unknown is in {@code RequestFailure}. How
 * rows are written is in {@code RowKeys}, {@code CounterRows}, {@code DefinitionRows}, {@code ChangeRows},
 * {@code LedgerRows}, {@code TablePeerRequests}, {@code UploadRows}, {@code UploadAnswers} and
 * {@code TableWorkerStore}, and in {@code docs/tables.md}.
 *
 * <p>{@link dev.numera.azure.backup.TableExport} reads whole tables for backups, and a restore fills them, both by
 * {@code BackupTables}: past {@code Table} and without conditions. {@code RestoredRows} says what a row of a backup
 * becomes; {@code BackupBlobs} has the container that backups go to, and {@code MarkBlobs} the marks of the service in
 * it.
 *
 * <p>Implements the seams of {@code core.counter}, {@code core.snowflake}, {@code sequences} and
 * {@code sequences.lists}, and depends on them, {@code azure.backup}, {@code core.model}, {@code core.retry},
 * {@code core.format}, {@code json} and {@code core.problem}; knows nothing of HTTP.
 */
@NullMarked
package dev.numera.azure;

import org.jspecify.annotations.NullMarked;
