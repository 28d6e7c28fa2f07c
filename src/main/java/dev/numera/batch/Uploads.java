package dev.numera.batch;

import dev.numera.execution.StoreFailure;
import dev.numera.model.Change;
import dev.numera.model.Page;
import dev.numera.model.SequenceName;
import dev.numera.problem.Answer;
import dev.numera.problem.Excerpt;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Bulkhead;
import dev.numera.sequence.KeyVoidException;
import dev.numera.sequence.Ledger;
import dev.numera.sequence.Numbering;
import dev.numera.sequence.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists that are uploaded, worked through in the background and read back: keys that need numbers, and numbers to
 * import.
 *
 * <p>A list is stored in parts before anything is numbered. Then each part has to be requested in turn, and
 * {@link #work} returns the next one: through a queue that delivers at least once, the chain goes on wherever it broke
 * off. The numbers of a part are safe under their keys before the part counts as done, and a part is done only after
 * the one before it.
 *
 * <p>Thread-safe. Calls block for storage requests and throw {@link dev.numera.execution.StoreFailure}.
 */
public final class Uploads {
    public static final int MAX_ITEMS = 100_000;
    /** As {@link Layout#storedUnits} counts them. */
    public static final int MAX_ROW_UNITS = 30_000;
    /** An id as a sequence, a kind and 32 digits has fewer. */
    private static final int MAX_NAME_UNITS = 200;
    /**
     * Five transactions full of keys. A row of a table holds 1 MiB, at two bytes for each unit: enough for so many
     * keys, and for a problem with each of them, a short one where they are long.
     */
    private static final int MAX_PART_ITEMS = 5 * Numbering.MAX_KEYS;

    /** A page of a list of uploads has at most so many. */
    public static final int MAX_LISTED = 100;

    private static final int MAX_COUNTED = 1_000;

    private static final int REMOVED_AT_ONCE = 100;
    private static final int PARTS_OF_A_SEARCH = 20;
    /** A page ends early with the row with which it has as many. */
    private static final long MAX_CHARACTERS_PER_PAGE = 1_000_000;

    private static final int FIELDS_OF_A_PROBLEM = 1_000;
    /**
     * At least so long one is kept that is pending, without progress: its sequence may be suspended, and its caller got
     * 202. One whose storing broke off looks the same.
     */
    private static final Duration PENDING_KEPT = Duration.ofDays(366);
    /** A caller that sends an old upload again at the last moment has so long to read it. */
    private static final Duration GRACE = Duration.ofHours(1);
    /** Longer than the host tries to deliver a message: then it lies in the poison queue, or was lost. */
    private static final Duration STALLED_AFTER = Duration.ofMinutes(15);

    /** Where a page begins: parts and the rows in them are counted from 0. */
    public record Position(int part, int row) {
        public static final Position START = new Position(0, 0);
    }

    private final UploadStore store;
    private final BatchWork work;
    private final Ledger ledger;
    private final Bulkhead bulkhead;
    private final InstantSource time;
    private final Duration kept;
    private final int maxPartItems;

    /**
     * @param bulkhead bounds the calls to the store for each sequence, so that uploads of one never fill an instance
     * @param kept how long uploads can be read after they are done
     */
    public Uploads(
            UploadStore store, BatchWork work, Ledger ledger, Bulkhead bulkhead, InstantSource time, Duration kept) {
        this(store, work, ledger, bulkhead, time, kept, MAX_PART_ITEMS);
    }

    Uploads(
            UploadStore store,
            BatchWork work,
            Ledger ledger,
            Bulkhead bulkhead,
            InstantSource time,
            Duration kept,
            int maxPartItems) {
        this.store = store;
        this.work = work;
        this.ledger = ledger;
        this.bulkhead = bulkhead;
        this.time = time;
        this.kept = kept;
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
     *     for an import the others of {@link dev.numera.sequence.Imports#requirePossible}
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
                read.layout(),
                actor,
                read.rows().size(),
                parts.size(),
                Upload.Progress.NONE,
                now,
                null)));
        requireSame(upload, fingerprint);
        // Also of one that is under way: where an earlier call broke off here, parts after the first may be missing.
        bulkhead.call(id.sequence(), () -> {
            store.insertParts(upload, parts);
            return upload;
        });
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
        Optional<Upload> found = find(id);
        Optional<Upload> old = found.filter(upload -> isOver(upload, now));
        old.ifPresent(upload -> remove(new UploadStore.OldUpload(id, upload.sentAt())));
        return old.isPresent() ? Optional.empty() : found;
    }

    private boolean isOver(Upload upload, Instant now) {
        boolean isLonger = upload.status() == Upload.Status.PENDING && kept.compareTo(PENDING_KEPT) < 0;
        return upload.movedAt().isBefore(now.minus(isLonger ? PENDING_KEPT : kept));
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
            List<Answer<Numbers>> answers = work.part(upload, rows(upload, done));
            Upload worked = upload.withPartDone(answers, time.instant());
            if (!bulkhead.call(id.sequence(), () -> store.finish(worked, answers))
                    .isWon()) {
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
        return bulkhead.call(upload.id().sequence(), () -> store.replace(requested))
                        .isWon()
                ? OptionalInt.of(upload.progress().parts() + 1)
                : OptionalInt.empty();
    }

    /** Why a part cannot be numbered now; empty where it can, or is. Numbers nothing. */
    public Optional<ProblemException> foreseen(Upload.Id id, int part) {
        Optional<Upload> upload = find(id);
        return upload.isEmpty()
                ? Optional.of(unknown(id.kind(), id.toString()))
                : upload.filter(found -> !found.has(part)).map(Uploads::unknownPart);
    }

    /** @throws ProblemException {@code unknown-batch}, {@code unknown-import} */
    public Upload get(Upload.Id id) {
        return find(id).orElseThrow(() -> unknown(id.kind(), id.toString()));
    }

    private Optional<Upload> find(Upload.Id id) {
        return bulkhead.call(id.sequence(), () -> store.find(id));
    }

    /**
     * The uploads of a kind that are still kept, the last one first: a page as {@link UploadStore#list}.
     *
     * @param limit at most {@value #MAX_LISTED} are listed
     * @throws ProblemException {@code invalid-request} for a position that is none of this list
     */
    public Page<UploadStore.Listed, String> list(
            SequenceName sequence, Upload.Kind kind, int limit, @Nullable String position) {
        return bulkhead.call(sequence, () -> store.list(sequence, kind, Math.min(limit, MAX_LISTED), position));
    }

    /**
     * How many rows were refused by the imports that are still kept, dry runs left out: a document may lack its number.
     * Counts the last {@value #MAX_COUNTED} imports at most.
     *
     * @throws ProblemException also where one of them cannot be read: it may have refused rows
     */
    public long refusedRows(SequenceName sequence) {
        long refused = 0;
        String position = null;
        int counted = 0;
        do {
            Page<UploadStore.Listed, String> page = list(sequence, Upload.Kind.IMPORT, MAX_LISTED, position);
            refused += page.items().stream()
                    .map(listed -> listed.upload().orThrow())
                    .filter(upload -> !upload.layout().isDryRun())
                    .mapToInt(upload ->
                            upload.progress().items() - upload.progress().numbered())
                    .sum();
            position = page.next();
            counted += MAX_LISTED;
        } while (position != null && counted < MAX_COUNTED);
        return refused;
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

    /**
     * Rows that are done, in their order.
     *
     * @throws ProblemException {@code invalid-request} for a position that is none of this upload's
     */
    public Page<Answered<List<String>>, Position> read(Upload upload, Position from, int limit) {
        return read(upload, from, limit, Integer.MAX_VALUE, item -> true);
    }

    /**
     * As the other, but only those that were refused. A page looks through {@value #PARTS_OF_A_SEARCH} parts at most,
     * so it may be empty and yet not the last.
     */
    public Page<Answered<List<String>>, Position> readRefused(Upload upload, Position from, int limit) {
        return read(upload, from, limit, PARTS_OF_A_SEARCH, Answered::isRefused);
    }

    private Page<Answered<List<String>>, Position> read(
            Upload upload, Position from, int limit, int maxParts, Predicate<Answered<List<String>>> isWanted) {
        int parts = upload.progress().parts();
        require(from.part() >= 0 && from.part() < parts);
        int end = parts - from.part() <= maxParts ? parts : from.part() + maxParts;
        List<Answered<List<String>>> items = new ArrayList<>();
        long left = MAX_CHARACTERS_PER_PAGE;
        int row = from.row();
        for (int part = from.part(); part < end; part++) {
            List<Answered<List<String>>> ofPart = answeredRows(upload, part + 1);
            require(row >= 0 && row < ofPart.size());
            while (row < ofPart.size()) {
                Answered<List<String>> item = ofPart.get(row);
                row++;
                if (isWanted.test(item)) {
                    items.add(item);
                    left -= characters(item);
                }
                if (items.size() == limit || left <= 0) {
                    return new Page<>(items, next(upload, part, row, ofPart.size()));
                }
            }
            row = 0;
        }
        return new Page<>(items, end < parts ? new Position(end, 0) : null);
    }

    private static void require(boolean isThere) {
        if (!isThere) {
            throw InvalidRequest.because("continuation", "must be that of the page before: the upload has no such row");
        }
    }

    /** The most characters that an answer with all of a page has. */
    public static long characters(Page<Answered<List<String>>, Position> page) {
        return page.items().stream().mapToLong(Uploads::characters).sum();
    }

    /** All rows that are done, in their order, read part by part. */
    public Stream<Answered<List<String>>> all(Upload upload) {
        return IntStream.rangeClosed(1, upload.progress().parts())
                .boxed()
                .flatMap(part -> answeredRows(upload, part).stream());
    }

    /**
     * Removes the uploads that were kept long enough, and returns how many. One that cannot be removed keeps no other.
     *
     * @throws ProblemException why the first of those cannot be removed, when the others are gone; or at once what may
     *     be over by the next time
     */
    public int removeOld() {
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

    /** @param left gets one that stays, with the problem where it cannot be removed */
    private void removeIfOver(
            UploadStore.OldUpload old, Instant now, Map<UploadStore.OldUpload, Optional<ProblemException>> left) {
        try {
            if (isOver(old, now)) {
                remove(old);
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

    private List<UploadStore.OldUpload> sentBefore(Instant moment, Collection<UploadStore.OldUpload> left) {
        List<UploadStore.OldUpload> old = new ArrayList<>(store.sentBefore(moment, REMOVED_AT_ONCE + left.size()));
        old.removeAll(left);
        return old;
    }

    /** So is what remains of one that is gone or was sent again since, and one whose row cannot be read. */
    private boolean isOver(UploadStore.OldUpload old, Instant now) {
        try {
            return find(old.id())
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

    private void remove(UploadStore.OldUpload old) {
        bulkhead.call(old.id().sequence(), () -> {
            store.remove(old);
            return old;
        });
    }

    /** The most characters that the answer to a row has. */
    private static long characters(Answered<List<String>> row) {
        Numbers numbers = row.answer().value();
        return Layout.storedUnits(row.requested())
                + (numbers == null
                        ? FIELDS_OF_A_PROBLEM
                                + 2L * row.answer().refusal().getMessage().length()
                        : numbers.characters());
    }

    private Upload insert(Upload upload) {
        // A caller that lost reads the one that was first.
        bulkhead.call(upload.id().sequence(), () -> store.insert(upload)).requireKnown();
        return get(upload.id());
    }

    private Upload.Content rows(Upload upload, int part) {
        return bulkhead.call(upload.id().sequence(), () -> store.part(upload, part));
    }

    private List<Answered<List<String>>> answeredRows(Upload upload, int part) {
        Upload.Content stored = rows(upload, part);
        List<List<String>> rows = stored.rows();
        List<Answer<Numbers>> answers =
                bulkhead.call(upload.id().sequence(), () -> store.answers(upload, part, rows.size()));
        List<Answer<Numbers>> present = present(
                upload,
                IntStream.range(0, rows.size())
                        .mapToObj(i -> answers.get(i).map(numbers -> whole(upload, rows.get(i), numbers)))
                        .toList());
        return IntStream.range(0, rows.size())
                .mapToObj(i -> new Answered<>(rows.get(i), present.get(i), stored.line(i), stored.equalLine(i)))
                .toList();
    }

    /**
     * The answers as the ledger has them now: numbers may have been confirmed or voided since. A void key of a list is
     * refused, as its call would be; an import brought numbers that are void, too.
     */
    private List<Answer<Numbers>> present(Upload upload, List<Answer<Numbers>> answers) {
        SequenceName sequence = upload.id().sequence();
        if (upload.layout().isDryRun()) {
            return answers;
        }
        Iterator<Numbers> present = ledger.present(
                        sequence,
                        answers.stream()
                                .map(Answer::value)
                                .filter(Objects::nonNull)
                                .toList())
                .iterator();
        return answers.stream()
                .map(answer -> answer.map(stored -> present.next()))
                .map(answer -> upload.id().isImport() ? answer : answer.unless(numbers -> problem(sequence, numbers)))
                .toList();
    }

    private static Optional<ProblemException> problem(SequenceName sequence, Numbers numbers) {
        return KeyVoidException.of(sequence, numbers).map(KeyVoidException::withoutManyTexts);
    }

    /** With its key; and with its texts where there are too many to be stored twice. */
    private Numbers whole(Upload upload, List<String> row, Numbers numbers) {
        String key = upload.layout().key(row);
        List<String> texts = numbers.count() == 1
                ? numbers.texts()
                : ledger.find(upload.id().sequence(), key)
                        .map(Ledger.Entry::texts)
                        .orElse(null);
        return numbers.with(key, texts);
    }

    private static @Nullable Position next(Upload upload, int part, int row, int rowsOfPart) {
        if (row < rowsOfPart) {
            return new Position(part, row);
        }
        return part + 1 < upload.progress().parts() ? new Position(part + 1, 0) : null;
    }
}
