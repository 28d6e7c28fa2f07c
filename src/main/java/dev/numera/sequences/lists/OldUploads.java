package dev.numera.sequences.lists;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Removes uploads whose retention time is over. Their numbers stay in the ledger. Thread-safe; calls block for storage
 * requests and throw {@link StoreFailure}.
 */
public final class OldUploads {
    private static final int REMOVED_AT_ONCE = 100;
    /**
     * The minimum time that a pending upload is kept without progress: its caller got 202, and its sequence may be
     * suspended. An upload that was only stored in part looks the same.
     */
    private static final Duration PENDING_KEPT = Duration.ofDays(366);
    /** The time to read an old upload for a caller that sends it again at the last moment. */
    private static final Duration GRACE = Duration.ofHours(1);

    private final UploadStore store;
    private final InstantSource time;
    private final Duration kept;

    /** @param kept how long uploads can be read after they are done */
    public OldUploads(UploadStore store, InstantSource time, Duration kept) {
        this.store = store;
        this.time = time;
        this.kept = kept;
    }

    /**
     * Removes the uploads whose retention time is over, and returns their number. An upload that cannot be removed does
     * not keep the others.
     *
     * @throws ProblemException the permanent problem of the first upload that cannot be removed, after the others are
     *     removed; a temporary problem at once
     */
    public int removeAll() {
        Instant graced = time.instant().minus(GRACE);
        Instant oldBefore = graced.minus(kept);
        Map<UploadStore.OldUpload, Optional<ProblemException>> left = new LinkedHashMap<>();
        int tried = 0;
        List<UploadStore.OldUpload> old = sentBefore(oldBefore, left.keySet());
        while (!old.isEmpty()) {
            old.forEach(upload -> removeIfOver(upload, graced, left));
            tried += old.size();
            old = sentBefore(oldBefore, left.keySet());
        }
        left.values().stream().flatMap(Optional::stream).findFirst().ifPresent(failure -> {
            throw failure;
        });
        return tried - left.size();
    }

    private List<UploadStore.OldUpload> sentBefore(Instant moment, Collection<UploadStore.OldUpload> left) {
        List<UploadStore.OldUpload> old = new ArrayList<>(store.sentBefore(moment, REMOVED_AT_ONCE + left.size()));
        old.removeAll(left);
        return old;
    }

    /** @param left receives an upload that stays, with the problem if it cannot be removed */
    private void removeIfOver(
            UploadStore.OldUpload old, Instant now, Map<UploadStore.OldUpload, Optional<ProblemException>> left) {
        try {
            if (isOver(old, now)) {
                store.remove(old);
            } else {
                left.put(old, Optional.empty());
            }
        } catch (ProblemException e) {
            if (e.isTransient()) {
                throw e;
            }
            left.put(old, Optional.of(e));
        }
    }

    /**
     * Whether the retention time is over. It is also over for an upload whose row cannot be read, and for the remains
     * of an upload that was removed or sent again.
     */
    private boolean isOver(UploadStore.OldUpload old, Instant now) {
        try {
            return store.find(old.id())
                    .filter(upload -> upload.sentAt().equals(old.sentAt()))
                    .map(upload -> isOver(upload, now))
                    .orElse(true);
        } catch (StoreFailure e) {
            if (e.isTransient()) {
                throw e;
            }
            return true;
        }
    }

    /** Removes an upload if its retention time is over; returns whether it is. */
    boolean removeIfOver(Upload upload, Instant now) {
        boolean isOver = isOver(upload, now);
        if (isOver) {
            store.remove(new UploadStore.OldUpload(upload.id(), upload.sentAt()));
        }
        return isOver;
    }

    private boolean isOver(Upload upload, Instant now) {
        return keptUntil(upload).isBefore(now);
    }

    /** Returns the end of the retention time of an upload that makes no more progress. */
    public Instant keptUntil(Upload upload) {
        boolean isLonger = upload.status() == Upload.Status.PENDING && kept.compareTo(PENDING_KEPT) < 0;
        return upload.movedAt().plus(isLonger ? PENDING_KEPT : kept);
    }
}
