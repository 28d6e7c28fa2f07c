package dev.numera.sequences.catalog;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.model.Suspension;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.IndexEntry;
import dev.numera.sequences.access.RegisteredSequence;
import dev.numera.sequences.access.SequenceCalls;
import dev.numera.sequences.catalog.AttentionEntry.Kind;
import dev.numera.sequences.definition.SequenceState;
import dev.numera.sequences.definition.StateReader;
import dev.numera.sequences.ledger.ClosedMonths;
import dev.numera.sequences.ledger.LedgerStore;
import dev.numera.sequences.lists.OldUploads;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadReader;
import dev.numera.sequences.lists.UploadStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lists what needs a person, over all sequences. Thread-safe; calls block for storage requests, and fail with a
 * {@link ProblemException}.
 */
public final class Attention {
    /** The most sequences that a page examines. */
    public static final int MAX_SEQUENCES = 50;

    /** The reserved allocations that are examined of each sequence, the first ones in number order. */
    private static final int MAX_RESERVED = 1_000;
    /** The latest uploads, and the latest imports, that are examined of each sequence. */
    private static final int MAX_UPLOADS = 10;
    /** An upload that has not moved for so long waits for more than the retries of its queue message. */
    private static final Duration STANDING_STILL = Duration.ofMinutes(30);

    /**
     * A page of entries.
     *
     * @param searched how many sequences were examined
     * @param next where the next page starts; null on the last page
     */
    public record Found(List<AttentionEntry> entries, int searched, @Nullable String next) {}

    private final SequenceCalls calls;
    private final DefinitionStore store;
    private final LedgerStore ledger;
    private final StateReader states;
    private final ClosedMonths months;
    private final Clock time;

    public Attention(
            SequenceCalls calls,
            DefinitionStore store,
            LedgerStore ledger,
            StateReader states,
            ClosedMonths months,
            Clock time) {
        this.calls = calls;
        this.store = store;
        this.ledger = ledger;
        this.states = states;
        this.months = months;
        this.time = time;
    }

    /**
     * Returns a page of entries, in the order of sequences. Examines as many sequences as requested,
     * {@value SequenceCalls#AT_ONCE} at once, but stops after half the time of a call. A sequence that cannot be read
     * is one entry.
     *
     * @param scope null for all scopes
     * @param reserved how long a reservation may last before it is an entry
     * @param sequences at most {@value #MAX_SEQUENCES}
     * @param uploads reads the uploads and imports
     * @param old knows how long the uploads are kept
     */
    public Found look(
            @Nullable String scope,
            Duration reserved,
            int sequences,
            @Nullable String continuation,
            UploadReader uploads,
            OldUploads old) {
        Deadline deadline = calls.deadline();
        Deadline end = calls.deadlineOfSearch();
        Page<IndexEntry, String> page = calls.retry(deadline, () -> store.list(scope, sequences, continuation));
        Instant reservedBefore = time.now().minus(reserved);
        List<AttentionEntry> entries = new ArrayList<>();
        int searched = 0;
        for (List<IndexEntry> group : SequenceCalls.groups(page.items())) {
            if (searched > 0 && end.isOver()) {
                return new Found(
                        entries, searched, page.items().get(searched - 1).position());
            }
            calls.together(group, row -> look(row, reservedBefore, deadline, uploads, old))
                    .forEach(entries::addAll);
            searched += group.size();
        }
        return new Found(entries, searched, page.next());
    }

    private List<AttentionEntry> look(
            IndexEntry row, Instant reservedBefore, Deadline deadline, UploadReader uploads, OldUploads old) {
        if (row.problem() != null) {
            return List.of(AttentionEntry.unreadable(row.scope(), row.name(), row.problem()));
        }
        try {
            SequenceName name = new SequenceName(row.scope(), row.name());
            if (name.isTemplate()) {
                return List.of();
            }
            List<AttentionEntry> entries =
                    new ArrayList<>(calls.at(name, deadline, call -> look(call, reservedBefore)));
            for (Upload.Kind kind : Upload.Kind.values()) {
                deadline.limit(() -> uploads.list(name, kind, MAX_UPLOADS, null)).items().stream()
                        .map(listed -> look(name, listed, old))
                        .filter(Objects::nonNull)
                        .forEach(entries::add);
            }
            return entries;
        } catch (ProblemException e) {
            return List.of(AttentionEntry.unreadable(row.scope(), row.name(), e));
        }
    }

    private List<AttentionEntry> look(SequenceCalls.SequenceCall call, Instant reservedBefore) {
        SequenceName name = call.name();
        // Bypasses the cache of definitions, because a look at all sequences would evict the definitions in use.
        Sequence known = call.retry(() -> store.find(name).orElseThrow(() -> RegisteredSequence.lost(name)));
        List<AttentionEntry> entries = new ArrayList<>();
        Suspension suspension = known.suspension();
        boolean isRetired = known.retiredAt() != null;
        if (!suspension.isNone() && !isRetired) {
            entries.add(AttentionEntry.suspended(name, suspension));
        }
        if (!known.isInUse() || !known.fixed().isCounted()) {
            return entries;
        }
        if (!isRetired && !known.series().cycle()) {
            SequenceState state = call.retry(() -> states.state(known, null));
            if (known.isNearlyUsed(state.next())) {
                entries.add(AttentionEntry.nearlyUsed(name, state.used(), state.left()));
            }
        }
        if (known.fixed().takesKeys()) {
            addReserved(entries, call, reservedBefore);
            months.judge(call, known)
                    .forEach(month -> entries.add(
                            AttentionEntry.of(kind(month.verdict()), name, month.closedAt(), month.numbers())
                                    .of(month.month())));
        }
        return entries;
    }

    private void addReserved(List<AttentionEntry> entries, SequenceCalls.SequenceCall call, Instant reservedBefore) {
        List<Allocation> reserved =
                call.retry(() -> ledger.markedFrom(call.name(), null, Status.Kind.RESERVED, MAX_RESERVED)).stream()
                        .filter(allocation -> allocation.changedAt().isBefore(reservedBefore))
                        .toList();
        reserved.stream().min(Comparator.comparing(Allocation::changedAt)).ifPresent(oldest -> {
            long numbers = reserved.stream().mapToLong(Allocation::count).sum();
            entries.add(AttentionEntry.of(Kind.RESERVED, call.name(), oldest.changedAt(), numbers)
                    .with(oldest.key()));
        });
    }

    private static Kind kind(ClosedMonths.MonthVerdict verdict) {
        return switch (verdict) {
            case OPEN -> Kind.MONTH_OPEN;
            case CHANGED -> Kind.MONTH_CHANGED;
            case NOT_JUDGED -> Kind.MONTH_NOT_JUDGED;
        };
    }

    /** Returns the entry of an upload; null if the upload needs no person. */
    private @Nullable AttentionEntry look(SequenceName name, UploadStore.Listed listed, OldUploads old) {
        if (listed.upload().isRefused()) {
            return AttentionEntry.unreadable(
                    name.scope(), name.name(), listed.upload().refusal());
        }
        Upload upload = listed.upload().orThrow();
        if (upload.columns().isDryRun()) {
            return null;
        }
        if (upload.status() == Upload.Status.PENDING) {
            return upload.movedAt().isBefore(time.now().minus(STANDING_STILL))
                    ? AttentionEntry.of(Kind.STANDING_STILL, name, upload.movedAt(), left(upload))
                            .of(upload.id())
                    : null;
        }
        int refused = upload.progress().items() - upload.progress().numbered();
        return refused == 0
                ? null
                : AttentionEntry.of(Kind.REFUSED_ROWS, name, upload.sentAt(), (long) refused)
                        .of(upload.id())
                        .until(old.keptUntil(upload));
    }

    /** Returns how many rows are not done. */
    private static long left(Upload upload) {
        return (long) upload.items() - upload.progress().items();
    }
}
