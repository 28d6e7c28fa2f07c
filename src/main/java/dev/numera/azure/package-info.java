/**
 * Stores everything in Azure Tables, queues and blobs, behind the interfaces of {@code core} and {@code sequences}. No
 * other package calls Azure's storage.
 *
 * <pre>{@code
 * // Given: Map<String, String> environment
 * StorageConnection connection = StorageConnection.of(environment);
 * StorageAccount account = new StorageAccount(connection, Duration.ofSeconds(2));
 * account.createTables();
 * SequenceStores stores = account.stores();
 * }</pre>
 *
 * <p>Start with {@link dev.numera.azure.StorageAccount}; a {@link dev.numera.azure.StorageConnection} has its address
 * and credentials. {@link dev.numera.azure.Table} hides the traps of the tables client: every write except the removal
 * of old uploads is conditional, and won, refused or unknown. {@code RequestFailure} decides which failures leave a
 * write unknown. {@code RowKeys}, {@code CounterRows}, {@code DefinitionRows}, {@code ChangeRows}, {@code LedgerRows},
 * {@code TablePeerRequests}, {@code UploadRows}, {@code UploadAnswers} and {@code TableWorkerStore} define the format
 * of the rows, which {@code docs/tables.md} describes.
 *
 * <p>{@link dev.numera.azure.backup.TableExport} reads whole tables for backups, and a restore fills them. Both use
 * {@code BackupTables}, which writes without conditions, past {@code Table}. {@code RestoredRows} decides what a
 * restore writes for a row of a backup. {@code BackupBlobs} is the container of backups, and {@code MarkBlobs} stores
 * the marks of the service in that container.
 */
@NullMarked
package dev.numera.azure;

import org.jspecify.annotations.NullMarked;
