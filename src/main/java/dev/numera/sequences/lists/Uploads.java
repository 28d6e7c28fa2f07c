package dev.numera.sequences.lists;

import dev.numera.core.counter.WriteLimits;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.sequences.access.PrintedAllocation;
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
 * Accepts uploaded lists and works through them in the background: keys that need numbers, and numbers to import.
 * {@link UploadReader} reads them back.
 *
 * <p>A list is stored in parts before any number is allocated. Then the caller requests one part after the other:
 * {@link #work} returns the next part, which the caller sends to a queue that delivers at least once, so the chain
 * continues after an interruption. A part counts as done only when its numbers are stored under their keys, and only
 * after the previous part.
 *
 * <p>Thread-safe. Calls block for storage requests and throw {@link StoreFailure}.
 *
 * <p>Decision: {@code docs/decisions/uploads-are-stored-before-they-are-numbered.md}.
 */
public final class Uploads {
    public static final int MAX_ITEMS = 100_000;
    /** The most units of a row, as counted by {@link ListColumns#storedUnits}. */
    public static final int MAX_ROW_UNITS = 30_000;
    /** The most units of an id in a text: more than a sequence, a kind and 32 digits need. */
    private static final int MAX_NAME_UNITS = 200;
    /**
     * The most rows of a part: five full transactions. A table row holds 1 MiB, at two bytes for each unit. That is
     * enough for this many keys with a problem each, which is a short one if the keys are long.
     */
    private static final int MAX_PART_ITEMS = 5 * WriteLimits.KEYS;

    /**
     * The time that an upload may rest before its part is requested again: longer than the host tries to deliver a
     * message. After that the message is in the poison queue, or was lost.
     */
    private static final Duration STALLED_AFTER = Duration.ofMinutes(15);

    private final UploadStore store;
    private final ListWork work;
    private final OldUploads old;
    private final InstantSource time;
    private final int maxPartItems;

    /** @param old removes an upload whose retention time is over when its id is used again */
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
     * Stores a list. While it is pending, the caller requests its next part, repeatedly if necessary.
     *
     * @param content read only if the id is free, or if it belongs to this list and some parts are not done
     * @param actor the person or system that sends the list, as the caller stated; null if not stated
     * @return the upload; parts may already be done if it was stored before
     * @throws ProblemException {@code invalid-request} for a template; {@code key-reused} if the id belongs to another
     *     list; if the id is free, also {@code suspended}, and for an import as in
     *     {@link dev.numera.sequences.lists.Imports#requirePossible}
     */
    public Upload accept(Upload.Id id, String fingerprint, Supplier<Upload.Content> content, @Nullable String actor) {
        id.sequence().requireNoTemplate();
        // The names of rows contain the time in milliseconds. The upload keeps the same precision, so that two times
        // differ exactly if the names do.
        Instant now = time.instant().truncatedTo(ChronoUnit.MILLIS);
        Optional<Upload> known = findKept(id, now);
        known.ifPresent(upload -> requireSame(upload, fingerprint));
        if (known.isPresent() && known.get().status() != Upload.Status.PENDING) {
            return known.get();
        }
        if (known.isEmpty()) {
            work.requireAcceptable(id);
        }
        Upload.Content read = work.judged(id, content.get());
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
        // Stores the parts of a known upload again: if an earlier call was interrupted here, parts after the first
        // may be missing.
        store.insertParts(upload, parts);
        return upload;
    }

    private static void requireSame(Upload upload, String fingerprint) {
        if (!upload.fingerprint().equals(fingerprint)) {
            throw new ProblemException(
                    ProblemType.KEY_REUSED,
                    (upload.id().isImport()
                                    ? "The Idempotency-Key already belongs to another import"
                                    : "The Idempotency-Key, or the id of the body, already belongs to another upload")
                            + ". Send the list as it was, with the same parameters, or another one under another key.");
        }
    }

    /**
     * Returns the upload with this id, unless its retention time is over. An old upload is removed at once: if it were
     * returned, it could disappear before the caller reads it.
     */
    private Optional<Upload> findKept(Upload.Id id, Instant now) {
        Optional<Upload> found = store.find(id);
        return found.isPresent() && old.removeIfOver(found.get(), now) ? Optional.empty() : found;
    }

    /**
     * Works through a part, unless it is done. Works through an earlier part instead if that is not done, for example
     * after a restore.
     *
     * @return the part to request next; empty after the last part, and if another caller has already done this part,
     *     because that caller requests the next one
     * @throws ProblemException {@code unknown-batch}, {@code unknown-import}, or {@code invalid-request} for a part
     *     that does not exist; or a failure of the service, after which the caller requests the part again
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
                // The time shows whose write the stored progress is. Storage may refuse this call's own write as lost
                // if it was sent twice.
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
     * Returns the part to request again if an upload has not moved for a long time, because its message must be lost or
     * in the poison queue. Empty if the upload has moved, if another caller got this part, and while the sequence is
     * suspended, because the message waits then.
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

    /**
     * Returns why a part cannot be processed: its upload is unknown or has no such part. Empty otherwise. Allocates
     * nothing.
     */
    public Optional<ProblemException> foreseen(Upload.Id id, int part) {
        Optional<Upload> upload = store.find(id);
        return upload.isEmpty()
                ? Optional.of(unknown(id.kind(), id.toString()))
                : upload.filter(found -> !found.has(part)).map(Uploads::unknownPart);
    }

    /** Whether an upload of this id is stored. Blocks for one storage request. */
    public boolean isKnown(Upload.Id id) {
        return store.find(id).isPresent();
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
        // Reads the upload of the first caller if the insert lost.
        store.insert(upload).requireKnown();
        return get(upload.id());
    }
}
