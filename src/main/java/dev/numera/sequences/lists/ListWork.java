package dev.numera.sequences.lists;

import dev.numera.core.model.Change;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Repetition;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.numbering.Allocator;
import dev.numera.sequences.numbering.KeyVoidException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Works through a list: the keys of a message, or a part of an upload or an import. It sends one write's worth of
 * entries after the other, the next ones only when those before them are done. So however often a list is interrupted
 * and sent again, from one instance or from several at once, its numbers are in its order.
 *
 * <p>Thread-safe. Calls block, for each write at most as long as one call of {@link Allocator}.
 */
public final class ListWork {
    private final Allocator allocator;
    private final Imports imports;

    public ListWork(Allocator allocator, Imports imports) {
        this.allocator = allocator;
        this.imports = imports;
    }

    /**
     * @throws ProblemException {@code suspended}: a list for the sequence is not accepted now; an import also for the
     *     other reasons of {@link Imports#requirePossible}
     */
    void requireAcceptable(Upload.Id id) {
        if (id.isImport()) {
            imports.requirePossible(id.sequence());
            return;
        }
        allocator.suspension(id.sequence()).ifPresent(refusal -> {
            throw refusal;
        });
    }

    /** Marks the rows of a whole import that repeat or contradict another row. Returns a list of keys unchanged. */
    Upload.Content judged(Upload.Id id, Upload.Content content, Change change) {
        if (!id.isImport() || content.lines().isEmpty()) {
            return content;
        }
        List<List<String>> rows = content.rows();
        return content.repeating(imports.repetitions(
                id.sequence(),
                rows.size(),
                row -> Result.unlessTrouble(() -> content.columns().number(rows.get(row))),
                content::line,
                change));
    }

    boolean isSuspended(SequenceName sequence) {
        return allocator.suspension(sequence).isPresent();
    }

    /**
     * An answer to each of the requests that belong together, in their order. Each has a key, which makes it safe to
     * send them again. At least one has its numbers; a problem of the others is the same next time.
     *
     * @param sentAt chooses the date of requests without one, so it must be the same each time
     * @throws ProblemException why not a single request has numbers. Or the service failed
     *     ({@link ProblemException#type()} shows it): then some may have theirs, and the same list, sent again, gets
     *     these and goes on.
     */
    public List<RowResult<NumberRequest>> number(SequenceName sequence, List<NumberRequest> requests, Instant sentAt) {
        List<Result<PrintedAllocation>> results = answers(sequence, requests, sentAt);
        if (results.stream().allMatch(Result::isRefused)) {
            throw results.get(0).refusal();
        }
        return IntStream.range(0, results.size())
                .mapToObj(i -> new RowResult<>(requests.get(i), results.get(i)))
                .toList();
    }

    /**
     * Why not a single request could get numbers now, judged by the first ones: as many as one write reaches. Empty
     * where one could. Consumes nothing.
     *
     * @param sentAt as for {@link #number}
     * @throws ProblemException the service failed: the result is unknown
     */
    public Optional<ProblemException> foreseen(SequenceName sequence, List<NumberRequest> requests, Instant sentAt) {
        List<Result<PrintedAllocation>> results =
                withoutManyTexts(Result.ofEach(requests.size(), () -> allocator.preview(sequence, requests, sentAt)));
        return results.stream().allMatch(Result::isRefused)
                ? results.stream().findFirst().map(Result::refusal)
                : Optional.empty();
    }

    /**
     * An answer to each row of a part, in their order.
     *
     * @throws ProblemException the service failed, as for {@link #number}
     */
    List<Result<PrintedAllocation>> part(Upload upload, Upload.Content part) {
        return upload.id().isImport() ? imported(upload, part) : numbered(upload, part.rows());
    }

    /**
     * Allocates numbers to one part of an upload. Each delivery of the part has the same rows, so it gets the same
     * answers. A row that an earlier version accepted and this version refuses, such as a key with an invisible last
     * character, fails alone.
     */
    private List<Result<PrintedAllocation>> numbered(Upload upload, List<List<String>> rows) {
        List<Result<NumberRequest>> understood = rows.stream()
                .map(row -> Result.unlessTrouble(() -> upload.columns().take(row, upload.actor())))
                .toList();
        List<NumberRequest> requests =
                understood.stream().map(Result::value).filter(Objects::nonNull).toList();
        Iterator<Result<PrintedAllocation>> numbered =
                answers(upload.id().sequence(), requests, upload.sentAt()).iterator();
        return understood.stream()
                .map(row -> row.isRefused()
                        ? Result.<PrintedAllocation>refused(row.refusal())
                        : numbered.next().map(printed -> printed.replayed(false)))
                .toList();
    }

    /**
     * A problem of the whole sequence is that of each row: those of an earlier part may be in the ledger already. What
     * cannot be understood is the problem of its row alone.
     */
    private List<Result<PrintedAllocation>> imported(Upload upload, Upload.Content part) {
        List<Result<ImportedNumber>> understood = part.rows().stream()
                .map(row -> Result.unlessTrouble(() -> upload.columns().number(row)))
                .toList();
        List<ImportedNumber> numbers = new ArrayList<>();
        Map<Integer, Repetition> repetitions = new HashMap<>();
        for (int row = 0; row < understood.size(); row++) {
            if (!understood.get(row).isRefused()) {
                Repetition repetition = part.repetitions().get(row);
                if (repetition != null) {
                    repetitions.put(numbers.size(), repetition);
                }
                numbers.add(understood.get(row).orThrow());
            }
        }
        Change change = Change.imported(upload.id().id(), upload.sentAt(), upload.actor());
        Iterator<Result<PrintedAllocation>> brought = Result.ofEach(
                        numbers.size(),
                        () -> upload.columns().isDryRun()
                                ? imports.dryRun(upload.id().sequence(), numbers, repetitions, change)
                                : imports.importNumbers(upload.id().sequence(), numbers, repetitions, change))
                .iterator();
        return understood.stream()
                .map(row -> row.isRefused() ? Result.<PrintedAllocation>refused(row.refusal()) : brought.next())
                .toList();
    }

    private List<Result<PrintedAllocation>> answers(
            SequenceName sequence, List<NumberRequest> requests, Instant sentAt) {
        List<Result<PrintedAllocation>> results = new ArrayList<>();
        while (results.size() < requests.size()) {
            results.addAll(written(sequence, requests.subList(results.size(), requests.size()), sentAt));
        }
        return results;
    }

    /**
     * An answer to each of the first requests. A problem of the whole call is that of all of them: those of an earlier
     * call may have their numbers already.
     */
    private List<Result<PrintedAllocation>> written(
            SequenceName sequence, List<NumberRequest> requests, Instant sentAt) {
        List<Result<PrintedAllocation>> results = Result.ofEach(
                requests.size(),
                () -> allocator.next(sequence, requests, sentAt).results());
        results.forEach(Result::throwIfTrouble);
        return withoutManyTexts(results);
    }

    /** A refusal goes into one message, or one row of a table with many others. The ledger has the texts. */
    private static List<Result<PrintedAllocation>> withoutManyTexts(List<Result<PrintedAllocation>> results) {
        return results.stream()
                .map(result -> result.problem() instanceof KeyVoidException keyVoid
                        ? Result.<PrintedAllocation>refused(keyVoid.withoutManyTexts())
                        : result)
                .toList();
    }
}
