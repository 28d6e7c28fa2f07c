package dev.numera.batch;

import dev.numera.counter.KeyedWrite;
import dev.numera.model.Ask;
import dev.numera.model.SequenceName;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
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
 * Numbers batches, one write's worth of asks after the other. The next ones are asked only when those before them are
 * done, so however often a batch breaks off and is sent again, from one instance or from several at once, its numbers
 * are in its order.
 *
 * <p>Thread-safe. Calls block, for each write at most as long as one call of {@link Numbering}.
 */
public final class BatchNumbering {
    private final Numbering numbering;

    public BatchNumbering(Numbering numbering) {
        this.numbering = numbering;
    }

    /**
     * An item for each ask, in their order. At least one is numbered; a problem of the others will be the same next
     * time.
     *
     * @param sentAt chooses the date of asks without one, so it must be the same on every delivery of the batch
     * @throws ProblemException why not a single ask could be numbered. Or the service is in trouble
     *     ({@link ProblemException#type()} tells): then some may be numbered, and the same batch, sent again, gets
     *     these numbers and goes on.
     */
    public List<Answered<Ask>> number(Batch batch, Instant sentAt) {
        List<Answer<Numbers>> answers = answers(batch, sentAt);
        List<Answered<Ask>> items = IntStream.range(0, answers.size())
                .mapToObj(i -> new Answered<>(batch.asks().get(i), answers.get(i)))
                .toList();
        if (items.stream().allMatch(Answered::isRefused)) {
            throw items.get(0).answer().refusal();
        }
        return items;
    }

    /**
     * Why not a single ask could be numbered now, judged by the first ones: as many as one write reaches. Empty where
     * one could. Consumes nothing.
     *
     * @param sentAt as for {@link #number}
     * @throws ProblemException the service is in trouble: nobody knows
     */
    public Optional<ProblemException> foreseen(Batch batch, Instant sentAt) {
        List<Ask> asks = oneWrite(batch.asks());
        List<Answer<Numbers>> answers =
                withoutManyTexts(Answer.ofEach(asks.size(), () -> numbering.foresee(batch.sequence(), asks, sentAt)));
        return answers.stream().allMatch(Answer::isRefused)
                ? answers.stream().findFirst().map(Answer::refusal)
                : Optional.empty();
    }

    /** As {@link #number}, but it is no reason to throw that not a single ask could be numbered. */
    List<Answer<Numbers>> answers(Batch batch, Instant sentAt) {
        List<Answer<Numbers>> answers = new ArrayList<>();
        while (answers.size() < batch.asks().size()) {
            List<Ask> asks =
                    oneWrite(batch.asks().subList(answers.size(), batch.asks().size()));
            answers.addAll(ask(batch.sequence(), asks, sentAt));
        }
        return answers;
    }

    /** What concerns the whole call concerns each ask: those of an earlier call may have their numbers already. */
    private List<Answer<Numbers>> ask(SequenceName sequence, List<Ask> asks, Instant sentAt) {
        List<Answer<Numbers>> answers = Answer.ofEach(
                asks.size(), () -> numbering.next(sequence, asks, sentAt).answers());
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

    /** As many of the first asks as are of one date and fit one write. */
    private static List<Ask> oneWrite(List<Ask> asks) {
        LocalDate date = asks.get(0).date();
        List<String> keys = asks.stream()
                .limit(KeyedWrite.MAX_KEYS)
                .takeWhile(ask -> Objects.equals(ask.date(), date))
                .map(Ask::key)
                .toList();
        return asks.subList(0, KeyedWrite.reach(keys));
    }
}
