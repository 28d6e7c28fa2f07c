package dev.numera.batch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A list that was uploaded to be numbered, as it stands in storage. Its rows are cut into parts, which are numbered in
 * their order.
 *
 * @param fingerprint tells uploads of other content apart
 * @param items how many rows there are in all
 * @param parts in how many parts
 * @param movedAt when it was sent, when its last part was done, or when the next one was asked for again: whichever was
 *     last
 * @param version for the next conditional write; null before the first
 */
public record Upload(
        UploadId id,
        String fingerprint,
        Instant sentAt,
        UploadLayout layout,
        int items,
        int parts,
        Progress progress,
        Instant movedAt,
        @Nullable String version) {
    /** How far it is: parts and items that are done, and how many of these items got numbers. */
    public record Progress(int parts, int items, int numbered) {
        static final Progress NONE = new Progress(0, 0, 0);
    }

    /** What has become of it. */
    public enum Status {
        PENDING,
        NUMBERED,
        PARTIAL,
        REJECTED
    }

    public Status status() {
        if (progress.parts() < parts) {
            return Status.PENDING;
        }
        if (progress.numbered() == items) {
            return Status.NUMBERED;
        }
        return progress.numbered() == 0 ? Status.REJECTED : Status.PARTIAL;
    }

    /** Whether its first part is done, so that somebody is at it. */
    public boolean isUnderWay() {
        return progress.parts() > 0;
    }

    Upload withPartDone(int itemsOfPart, int numberedOfPart, Instant now) {
        return new Upload(
                id,
                fingerprint,
                sentAt,
                layout,
                items,
                parts,
                new Progress(
                        progress.parts() + 1, progress.items() + itemsOfPart, progress.numbered() + numberedOfPart),
                now,
                version);
    }

    Upload askedForAgain(Instant now) {
        return new Upload(id, fingerprint, sentAt, layout, items, parts, progress, now, version);
    }
}
