package dev.numera.batch;

import dev.numera.model.Change;
import dev.numera.model.ImportedNumber;
import dev.numera.model.Repetition;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Imports;
import dev.numera.sequence.KeyVoidException;
import dev.numera.sequence.Numbering;
import dev.numera.sequence.Numbers;
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
 * <p>Thread-safe. Calls block, for each write at most as long as one call of {@link Numbering}.
 */
public final class BatchWork {
    private final Numbering numbering;
    private final Imports imports;

    public BatchWork(Numbering numbering, Imports imports) {
        this.numbering = numbering;
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
        numbering.suspension(id.sequence()).ifPresent(refusal -> {
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
                row -> Answer.unlessTrouble(() -> content.layout().number(rows.get(row))),
                content::line,
                change));
    }

    boolean isSuspended(SequenceName sequence) {
        return numbering.suspension(sequence).isPresent();
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
    public List<Answered<Take>> number(SequenceName sequence, List<Take> takes, Instant sentAt) {
        List<Answer<Numbers>> answers = answers(sequence, takes, sentAt);
        if (answers.stream().allMatch(Answer::isRefused)) {
            throw answers.get(0).refusal();
        }
        return IntStream.range(0, answers.size())
                .mapToObj(i -> new Answered<>(takes.get(i), answers.get(i)))
                .toList();
    }

    /**
     * Why not a single request could get numbers now, judged by the first ones: as many as one write reaches. Empty
     * where one could. Consumes nothing.
     *
     * @param sentAt as for {@link #number}
     * @throws ProblemException the service failed: the result is unknown
     */
    public Optional<ProblemException> foreseen(SequenceName sequence, List<Take> takes, Instant sentAt) {
        List<Answer<Numbers>> answers =
                withoutManyTexts(Answer.ofEach(takes.size(), () -> numbering.foresee(sequence, takes, sentAt)));
        return answers.stream().allMatch(Answer::isRefused)
                ? answers.stream().findFirst().map(Answer::refusal)
                : Optional.empty();
    }

    /**
     * An answer to each row of a part, in their order.
     *
     * @throws ProblemException the service failed, as for {@link #number}
     */
    List<Answer<Numbers>> part(Upload upload, Upload.Content part) {
        return upload.id().isImport() ? imported(upload, part) : numbered(upload, part.rows());
    }

    /**
     * Allocates numbers to one part of an upload. Each delivery of the part has the same rows, so it gets the same
     * answers. A row that an earlier version accepted and this version refuses, such as a key with an invisible last
     * character, fails alone.
     */
    private List<Answer<Numbers>> numbered(Upload upload, List<List<String>> rows) {
        List<Answer<Take>> understood = rows.stream()
                .map(row -> Answer.unlessTrouble(() -> upload.layout().take(row, upload.actor())))
                .toList();
        List<Take> takes =
                understood.stream().map(Answer::value).filter(Objects::nonNull).toList();
        Iterator<Answer<Numbers>> numbered =
                answers(upload.id().sequence(), takes, upload.sentAt()).iterator();
        return understood.stream()
                .map(row -> row.isRefused()
                        ? Answer.<Numbers>refused(row.refusal())
                        : numbered.next().map(numbers -> numbers.replayed(false)))
                .toList();
    }

    /**
     * A problem of the whole sequence is that of each row: those of an earlier part may be in the ledger already. What
     * cannot be understood is the problem of its row alone.
     */
    private List<Answer<Numbers>> imported(Upload upload, Upload.Content part) {
        List<Answer<ImportedNumber>> understood = part.rows().stream()
                .map(row -> Answer.unlessTrouble(() -> upload.layout().number(row)))
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
        Iterator<Answer<Numbers>> brought = Answer.ofEach(
                        numbers.size(),
                        () -> upload.layout().isDryRun()
                                ? imports.judge(upload.id().sequence(), numbers, repetitions, change)
                                : imports.bring(upload.id().sequence(), numbers, repetitions, change))
                .iterator();
        return understood.stream()
                .map(row -> row.isRefused() ? Answer.<Numbers>refused(row.refusal()) : brought.next())
                .toList();
    }

    private List<Answer<Numbers>> answers(SequenceName sequence, List<Take> takes, Instant sentAt) {
        List<Answer<Numbers>> answers = new ArrayList<>();
        while (answers.size() < takes.size()) {
            answers.addAll(written(sequence, takes.subList(answers.size(), takes.size()), sentAt));
        }
        return answers;
    }

    /**
     * An answer to each of the first requests. A problem of the whole call is that of all of them: those of an earlier
     * call may have their numbers already.
     */
    private List<Answer<Numbers>> written(SequenceName sequence, List<Take> takes, Instant sentAt) {
        List<Answer<Numbers>> answers = Answer.ofEach(
                takes.size(), () -> numbering.next(sequence, takes, sentAt).answers());
        answers.forEach(Answer::throwIfTrouble);
        return withoutManyTexts(answers);
    }

    /** A refusal goes into one message, or one row of a table with many others. The ledger has the texts. */
    private static List<Answer<Numbers>> withoutManyTexts(List<Answer<Numbers>> answers) {
        return answers.stream()
                .map(answer -> answer.problem() instanceof KeyVoidException keyVoid
                        ? Answer.<Numbers>refused(keyVoid.withoutManyTexts())
                        : answer)
                .toList();
    }
}
