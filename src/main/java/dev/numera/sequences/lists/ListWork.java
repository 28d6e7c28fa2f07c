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
 * Works through a list: the keys of a message, or a part of an upload or an import. Sends as many entries as fit one
 * write, and the next entries only when the previous write is done. So the numbers follow the order of the list, even
 * if it is interrupted and sent again, from one instance or from several at once.
 *
 * <p>Thread-safe. Calls block; each write blocks at most as long as one call of {@link Allocator}.
 */
public final class ListWork {
    private final Allocator allocator;
    private final Imports imports;

    public ListWork(Allocator allocator, Imports imports) {
        this.allocator = allocator;
        this.imports = imports;
    }

    /**
     * @throws ProblemException {@code suspended} if the sequence accepts no lists now; for an import also as in
     *     {@link Imports#requirePossible}
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
    Upload.Content judged(Upload.Id id, Upload.Content content) {
        return !id.isImport() || content.lines().isEmpty() ? content : imports.marked(id.sequence(), content);
    }

    boolean isSuspended(SequenceName sequence) {
        return allocator.suspension(sequence).isPresent();
    }

    /**
     * Allocates numbers to the requests of a list and returns their answers in order. Each request needs a key, which
     * makes the list safe to send again. At least one request gets its numbers; a refusal of another one stays the same
     * next time.
     *
     * @param sentAt chooses the date of requests without one; must be the same each time the list is sent
     * @throws ProblemException the refusal of the first request if all are refused; or a failure of the service, which
     *     {@link ProblemException#type()} shows. After a failure some requests may have numbers: send the same list
     *     again to get them and to continue
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
     * Returns the refusal of a list if none of its first requests could get numbers now; empty if one could. Checks as
     * many requests as fit one write, and consumes nothing.
     *
     * @param sentAt as in {@link #number}
     * @throws ProblemException a failure of the service: the result is unknown
     */
    public Optional<ProblemException> foreseen(SequenceName sequence, List<NumberRequest> requests, Instant sentAt) {
        List<Result<PrintedAllocation>> results =
                withoutManyTexts(Result.ofEach(requests.size(), () -> allocator.preview(sequence, requests, sentAt)));
        return results.stream().allMatch(Result::isRefused)
                ? results.stream().findFirst().map(Result::refusal)
                : Optional.empty();
    }

    /**
     * Works through a part and returns an answer to each row, in order.
     *
     * @throws ProblemException a failure of the service, as in {@link #number}
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
     * Imports one part of an upload. A problem of the whole sequence becomes a problem of each row, because the rows of
     * an earlier part may already be in the ledger. A row that cannot be understood fails alone.
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
     * Allocates numbers to the first requests and returns their answers. A problem of the whole call becomes a problem
     * of each request, because the requests of an earlier call may already have their numbers.
     */
    private List<Result<PrintedAllocation>> written(
            SequenceName sequence, List<NumberRequest> requests, Instant sentAt) {
        List<Result<PrintedAllocation>> results = Result.ofEach(
                requests.size(),
                () -> allocator.next(sequence, requests, sentAt).results());
        results.forEach(Result::throwIfTrouble);
        return withoutManyTexts(results);
    }

    /**
     * Removes the texts of several numbers from refusals. A refusal must fit a message, or a table row with many
     * others, and the ledger has the texts.
     */
    private static List<Result<PrintedAllocation>> withoutManyTexts(List<Result<PrintedAllocation>> results) {
        return results.stream()
                .map(result -> result.problem() instanceof KeyVoidException keyVoid
                        ? Result.<PrintedAllocation>refused(keyVoid.withoutManyTexts())
                        : result)
                .toList();
    }
}
