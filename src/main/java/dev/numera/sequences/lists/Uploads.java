package dev.numera.sequences.lists;

import dev.numera.core.model.Change;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.numbering.Allocator;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lists that are uploaded and worked through in the background: keys that need numbers, and numbers to import.
 * {@link UploadReader} reads them back.
 *
 * <p>A list is stored in parts before anything is numbered. Then each part has to be requested in turn, and
 * {@link #work} returns the next one: through a queue that delivers at least once, the chain goes on wherever it broke
 * off. The numbers of a part are safe under their keys before the part counts as done, and a part is done only after
 * the one before it.
 *
 * <p>Thread-safe. Calls block for storage requests and throw {@link StoreFailure}.
 *
 * <p>Decision: {@code docs/decisions/uploads-are-stored-before-they-are-numbered.md}.
 */
public final class Uploads {
    public static final int MAX_ITEMS = 100_000;
    /** As {@link ListColumns#storedUnits} counts them. */
    public static final int MAX_ROW_UNITS = 30_000;
    /** An id as a sequence, a kind and 32 digits has fewer. */
    private static final int MAX_NAME_UNITS = 200;
    /**
     * Five transactions full of keys. A row of a table holds 1 MiB, at two bytes for each unit: enough for so many
     * keys, and for a problem with each of them, a short one where they are long.
     */
    private static final int MAX_PART_ITEMS = 5 * Allocator.MAX_KEYS;

    /** Longer than the host tries to deliver a message: then it lies in the poison queue, or was lost. */
    private static final Duration STALLED_AFTER = Duration.ofMinutes(15);

    private final UploadStore store;
    private final ListWork work;
    private final OldUploads old;
    private final InstantSource time;
    private final int maxPartItems;

    /** @param old removes an upload that was kept long enough when its id is used again */
    public Uploads(UploadStore store, ListWork work, OldUploads old, InstantSource time) {
        this(store, work, old, time, MAX_PART_ITEMS);
    }

    Uploads(UploadStore store, ListWork work, OldUploads old, InstantSource time, int maxPartItems) {
        this.store = store;
        this.work = work;
        this.old = old;
        this.time = time;
        this.maxPartItems = maxPartItems;
    }

    /**
     * Stores a list. As long as it is pending its next part is to be requested, again if need be.
     *
     * @param content is read only where the id is free, or belongs to this list and not all of its parts are done
     * @param actor who sends it, as the caller stated; null where the caller did not
     * @return the upload, of which parts may be done if it was stored before
     * @throws ProblemException {@code invalid-request} for a template, {@code key-reused} where the id belongs to
     *     another list; where the id is free, also what keeps the sequence from accepting lists: {@code suspended}, and
     *     for an import the others of {@link dev.numera.sequences.lists.Imports#requirePossible}
     */
    public Upload accept(Upload.Id id, String fingerprint, Supplier<Upload.Content> content, @Nullable String actor) {
        id.sequence().requireNoTemplate();
        // Rows have the milliseconds in their names: two lists that are sent at once are not to share them.
        Instant now = time.instant().truncatedTo(ChronoUnit.MILLIS);
        Optional<Upload> known = findKept(id, now);
        known.ifPresent(upload -> requireSame(upload, fingerprint));
        if (known.isPresent() && known.get().status() != Upload.Status.PENDING) {
            return known.get();
        }
        if (known.isEmpty()) {
            work.requireAcceptable(id);
        }
        Upload.Content read = work.judged(id, content.get(), Change.imported(id.id(), now, actor));
        List<Upload.Content> parts = read.parts(maxPartItems);
        Upload upload = known.orElseGet(() -> insert(new Upload(
                id,
                fingerprint,
                now,
                read.columns(),
                actor,
                read.rows().size(),
                parts.size(),
                Upload.Progress.NONE,
                now,
                null)));
        requireSame(upload, fingerprint);
        // Also of one that is under way: where an earlier call broke off here, parts after the first may be missing.
        store.insertParts(upload, parts);
        return upload;
    }

    private static void requireSame(Upload upload, String fingerprint) {
        if (!upload.fingerprint().equals(fingerprint)) {
            throw new ProblemException(
                    ProblemType.KEY_REUSED,
                    "The Idempotency-Key already belongs to another "
                            + (upload.id().isImport() ? "import" : "upload")
                            + ". Send the list as it was, with the same parameters, or another one under another key.");
        }
    }

    /** An old one is removed at once: if it were returned again, it would be gone before the caller could read it. */
    private Optional<Upload> findKept(Upload.Id id, Instant now) {
        Optional<Upload> found = store.find(id);
        return found.isPresent() && old.removeIfOver(found.get(), now) ? Optional.empty() : found;
    }

    /**
     * Works through a part, unless it is done; or through the part whose turn it is, where a restored table has
     * forgotten those before it.
     *
     * @return the part to request next; empty after the last one, and where another caller is further already, or has
     *     done the same part meanwhile: then it requests the next one
     * @throws ProblemException {@code unknown-batch}, {@code unknown-import}, or {@code invalid-request} for a part
     *     that there is not. Or the service failed: then the part is to be requested again.
     */
    public OptionalInt work(Upload.Id id, int part) {
        Upload upload = get(id);
        if (!upload.has(part)) {
            throw unknownPart(upload);
        }
        int done = upload.progress().parts();
        if (part > done) {
            done++;
            List<Result<PrintedAllocation>> results = work.part(upload, store.part(upload, done));
            Upload worked = upload.withPartDone(results, time.instant());
            if (!store.finish(worked, results).isWon()) {
                // Another write to the upload was faster: another delivery of the same part, or the request for it.
                Upload present = get(id);
                if (present.progress().parts() < done) {
                    return work(id, part);
                }
                // Only by its time it shows whose write it is: a write may be refused as a copy of itself.
                if (!present.movedAt().equals(worked.movedAt())) {
                    return OptionalInt.empty();
                }
            }
        }
        return part >= done && done < upload.parts() ? OptionalInt.of(done + 1) : OptionalInt.empty();
    }

    private static ProblemException unknownPart(Upload upload) {
        return InvalidRequest.because("part", "must be from 1 to " + upload.parts() + " of " + upload.id());
    }

    /**
     * The part to request again, where an upload has not moved for so long that its message must be lost, or in the
     * poison queue. Empty where it has, where another caller got this answer, and while the sequence is suspended: then
     * its message waits.
     */
    public OptionalInt stalledPart(Upload upload) {
        Instant now = time.instant();
        if (upload.status() != Upload.Status.PENDING
                || upload.movedAt().isAfter(now.minus(STALLED_AFTER))
                || work.isSuspended(upload.id().sequence())) {
            return OptionalInt.empty();
        }
        Upload requested = upload.requestedAgain(now);
        return store.replace(requested).isWon()
                ? OptionalInt.of(upload.progress().parts() + 1)
                : OptionalInt.empty();
    }

    /** Why a part cannot be numbered now; empty where it can, or is. Numbers nothing. */
    public Optional<ProblemException> foreseen(Upload.Id id, int part) {
        Optional<Upload> upload = store.find(id);
        return upload.isEmpty()
                ? Optional.of(unknown(id.kind(), id.toString()))
                : upload.filter(found -> !found.has(part)).map(Uploads::unknownPart);
    }

    /** @throws ProblemException {@code unknown-batch}, {@code unknown-import} */
    public Upload get(Upload.Id id) {
        return store.find(id).orElseThrow(() -> unknown(id.kind(), id.toString()));
    }

    public static ProblemException unknown(Upload.Kind kind, String name) {
        return kind == Upload.Kind.IMPORT
                ? new ProblemException(
                        ProblemType.UNKNOWN_IMPORT,
                        "There is no import " + Excerpt.of(name, MAX_NAME_UNITS)
                                + ". The results of its rows are kept for a limited time; imported numbers stay.")
                : new ProblemException(
                        ProblemType.UNKNOWN_BATCH,
                        "There is no upload " + Excerpt.of(name, MAX_NAME_UNITS)
                                + ". Uploads are kept for a limited time only.");
    }

    private Upload insert(Upload upload) {
        // A caller that lost reads the one that was first.
        store.insert(upload).requireKnown();
        return get(upload.id());
    }
}
