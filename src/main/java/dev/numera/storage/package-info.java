/**
 * Azure Tables, queues and blobs behind the seams of the rooms below: the only room that may call Azure's storage. Only
 * {@code functions}, {@code functions.batch}, {@code operations} and {@code operations.restore} may call this room; the
 * others know their seams. {@code RoomsTest} holds both.
 *
 * <p>Come in by {@link dev.numera.storage.StorageAccount}, which a {@link dev.numera.storage.StorageConnection} says
 * how to reach. {@link dev.numera.storage.Table} closes the traps of the tables client: every write but the removal of
 * old uploads is conditional, and won, lost or unknown; which failures leave it unknown is in {@code RequestFailure}.
 * How rows are written is in {@code RowKeys}, {@code CounterRows}, {@code DefinitionRows}, {@code ChangeRows},
 * {@code LedgerRows}, {@code TablePeerRequests}, {@code UploadRows}, {@code UploadAnswers} and
 * {@code TableWorkerStore}, and in {@code docs/tables.md}.
 *
 * <p>{@link dev.numera.storage.TableExport} reads whole tables for backups, and a restore fills them, both by
 * {@code BackupTables}: past {@code Table} and without conditions. {@code RestoredRows} says what a row of a backup
 * becomes; {@code BackupBlobs} has the container that backups go to, and {@code MarkBlobs} the marks of the service in
 * it.
 *
 * <p>Implements the seams of {@code counter}, {@code snowflake}, {@code sequence} and {@code batch}, and depends on
 * them, {@code backup}, {@code model}, {@code execution}, {@code format}, {@code json} and {@code problem}; knows
 * nothing of HTTP.
 */
@NullMarked
package dev.numera.storage;

import org.jspecify.annotations.NullMarked;
