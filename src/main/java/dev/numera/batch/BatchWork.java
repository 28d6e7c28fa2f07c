package dev.numera.batch;

import dev.numera.counter.KeyedWrite;
import dev.numera.model.ImportNote;
import dev.numera.model.ImportedNumber;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Imports;
import dev.numera.sequence.KeyVoidException;
import dev.numera.sequence.Numbering;
import dev.numera.sequence.Numbers;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
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

    /** @throws ProblemException {@code suspended}: a list for the sequence is not accepted now */
    void requireNotSuspended(SequenceName sequence) {
        numbering.requireNotSuspended(sequence);
    }

    /**
     * An answer to each request, in their order. At least one has its numbers; a problem of the others is the same next
     * time.
     *
     * @param sentAt chooses the date of requests without one, so it must be the same each time
     * @throws ProblemException why not a single request has numbers. Or the service failed
     *     ({@link ProblemException#type()} shows it): then some may have theirs, and the same list, sent again, gets
     *     these and goes on.
     */
    public List<Answered<Take>> number(Batch batch, Instant sentAt) {
        List<Answer<Numbers>> answers = answers(batch, sentAt);
        if (answers.stream().allMatch(Answer::isRefused)) {
            throw answers.get(0).refusal();
        }
        return IntStream.range(0, answers.size())
                .mapToObj(i -> new Answered<>(batch.takes().get(i), answers.get(i)))
                .toList();
    }

    /**
     * Why not a single request could get numbers now, judged by the first ones: as many as one write reaches. Empty
     * where one could. Consumes nothing.
     *
     * @param sentAt as for {@link #number}
     * @throws ProblemException the service failed: the result is unknown
     */
    public Optional<ProblemException> foreseen(Batch batch, Instant sentAt) {
        List<Take> first = oneWrite(batch.takes());
        List<Answer<Numbers>> answers =
                withoutManyTexts(Answer.ofEach(first.size(), () -> numbering.foresee(batch.sequence(), first, sentAt)));
        return answers.stream().allMatch(Answer::isRefused)
                ? answers.stream().findFirst().map(Answer::refusal)
                : Optional.empty();
    }

    /**
     * An answer to each row of a part, in their order.
     *
     * @throws ProblemException the service failed, as for {@link #number}
     */
    List<Answer<Numbers>> part(Upload upload, List<List<String>> rows) {
        return upload.id().isImport() ? imported(upload, rows) : numbered(upload, rows);
    }

    /** Deliveries of a part do not differ, so neither do their answers. */
    private List<Answer<Numbers>> numbered(Upload upload, List<List<String>> rows) {
        List<Take> takes = rows.stream().map(upload.layout()::take).toList();
        return answers(new Batch(upload.id().sequence(), takes), upload.sentAt()).stream()
                .map(answer -> answer.map(numbers -> numbers.replayed(false)))
                .toList();
    }

    /** A problem of the whole sequence is that of each row: those of an earlier part may be in the ledger already. */
    private List<Answer<Numbers>> imported(Upload upload, List<List<String>> rows) {
        List<ImportedNumber> numbers =
                rows.stream().map(upload.layout()::number).toList();
        ImportNote note = new ImportNote(upload.id().id(), upload.sentAt(), upload.actor());
        return Answer.ofEach(rows.size(), () -> imports.bring(upload.id().sequence(), numbers, note));
    }

    private List<Answer<Numbers>> answers(Batch batch, Instant sentAt) {
        List<Answer<Numbers>> answers = new ArrayList<>();
        while (answers.size() < batch.takes().size()) {
            List<Take> open =
                    batch.takes().subList(answers.size(), batch.takes().size());
            answers.addAll(written(batch.sequence(), oneWrite(open), sentAt));
        }
        return answers;
    }

    /** A problem of the whole call is that of each request: those of an earlier call may have their numbers already. */
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

    /** As many of the first requests as are of one date and fit one write. */
    private static List<Take> oneWrite(List<Take> takes) {
        LocalDate date = takes.get(0).date();
        List<String> keys = takes.stream()
                .limit(KeyedWrite.MAX_KEYS)
                .takeWhile(take -> Objects.equals(take.date(), date))
                .map(Take::key)
                .toList();
        return takes.subList(0, KeyedWrite.reach(keys));
    }
}
