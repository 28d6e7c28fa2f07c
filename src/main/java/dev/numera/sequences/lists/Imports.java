package dev.numera.sequences.lists;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.KeyForms;
import dev.numera.core.model.Repetition;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.AllocationPrinter;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.access.SequenceCalls;
import dev.numera.sequences.numbering.CounterMoves;
import dev.numera.sequences.numbering.KeyNormalization;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Imports numbers that another system has allocated into the ledger, under their keys. Converts each row to a number of
 * a period with its text. The counter decides in the write whether a number can be imported.
 *
 * <p>Thread-safe. Calls block for storage requests; each write blocks at most for the deadline of the limits.
 */
public final class Imports {
    private final SequenceCalls calls;
    private final CounterMoves moves;
    private final KeyNormalization keys;
    private final AllocationPrinter formatter;
    private final Clock time;

    public Imports(
            SequenceCalls calls, CounterMoves moves, KeyNormalization keys, AllocationPrinter formatter, Clock time) {
        this.calls = calls;
        this.moves = moves;
        this.keys = keys;
        this.formatter = formatter;
        this.time = time;
    }

    /**
     * Refuses an import into a sequence whose definition allows none.
     *
     * @throws ProblemException {@code unknown-sequence}, {@code retired}, {@code suspended}, {@code not-for-guarantee}
     */
    public void requirePossible(SequenceName name) {
        name.requireNoTemplate();
        calls.at(name, call -> possible(call.reloaded()));
    }

    /**
     * Returns a sequence in whatever state it is.
     *
     * @throws ProblemException {@code unknown-sequence}, {@code not-for-guarantee}
     */
    public Sequence require(SequenceName name) {
        Sequence known = calls.at(name, SequenceCalls.SequenceCall::reloaded);
        known.requireLedger();
        return known;
    }

    /** Returns a sequence; empty if there is none. */
    public Optional<Sequence> known(SequenceName name) {
        return Optional.ofNullable(Result.unlessTrouble(() -> calls.at(name, SequenceCalls.SequenceCall::definition))
                .value());
    }

    private static Sequence possible(Sequence known) {
        known.requireLedger();
        if (known.isStopped()) {
            throw known.refusalAsStopped();
        }
        return known;
    }

    /**
     * Marks the rows of a whole file that repeat or contradict another row.
     *
     * @throws ProblemException {@code unknown-sequence}, or a failure of the service
     */
    public Upload.Content marked(SequenceName name, Upload.Content content) {
        return content.repeating(repetitions(
                name,
                content.rows().size(),
                place -> Result.unlessTrouble(
                        () -> content.columns().number(content.rows().get(place))),
                content::line));
    }

    /**
     * Finds the rows of a whole file that repeat an earlier row or contradict another one, by place. Ignores rows that
     * the sequence cannot import, because each of them is refused anyway.
     *
     * @param rows how many rows the file has
     * @param row returns the number of a row; refused if the row cannot be understood
     * @param line returns the line of a row
     */
    public Map<Integer, Repetition> repetitions(
            SequenceName name, int rows, IntFunction<Result<ImportedNumber>> row, IntUnaryOperator line) {
        Sequence known = calls.at(name, SequenceCalls.SequenceCall::definition);
        Repetitions repetitions =
                new Repetitions(place -> read(known, row.apply(place)).orThrow(), line);
        for (int place = 0; place < rows; place++) {
            Result<Repetitions.Row> understood = read(known, row.apply(place));
            if (!understood.isRefused()) {
                repetitions.add(place, understood.orThrow());
            }
        }
        return repetitions.found();
    }

    /** Summarizes the rows of a file as an import would store them, without looking at the ledger. Stores nothing. */
    public ImportSummary summary(Sequence known, Upload.Content content) {
        ImportSummary summary = new ImportSummary(known.series());
        for (int place = 0; place < content.rows().size(); place++) {
            List<String> cells = content.rows().get(place);
            Repetition repetition = content.repetitions().get(place);
            Result<Repetitions.Row> row = read(
                            known, Result.unlessTrouble(() -> content.columns().number(cells)))
                    .unless(read ->
                            Optional.ofNullable(repetition).flatMap(other -> other.contradiction(read.stated())));
            if (row.isRefused()) {
                summary.refuse(content.line(place), row.refusal());
            } else {
                summary.add(content.line(place), row.orThrow().number());
            }
        }
        return summary;
    }

    private Result<Repetitions.Row> read(Sequence known, Result<ImportedNumber> row) {
        return Result.unlessTrouble(() -> {
            ImportedNumber stated = row.orThrow();
            Change change = Change.imported("", time.now(), null);
            return new Repetitions.Row(stated, new ImportCandidate(known, stated, change, time.now()).allocation());
        });
    }

    /**
     * Imports numbers into the ledger, in several writes if necessary. Sending the same numbers again with the same
     * import returns the same answers, so an interrupted call is safe to repeat.
     *
     * @return for each number its entry in the ledger, replayed if the ledger had it before this import; or why it is
     *     refused
     * @throws ProblemException a problem of all numbers, or a failure of the service, after which some numbers may be
     *     in the ledger; {@link ProblemException#type()} shows which
     */
    public List<Result<PrintedAllocation>> importNumbers(
            SequenceName name, List<ImportedNumber> numbers, Change change) {
        return importNumbers(name, numbers, Map.of(), change);
    }

    /**
     * Imports rows of a file that may repeat one another.
     *
     * @param repetitions as {@link #repetitions}, by the places of the numbers
     */
    public List<Result<PrintedAllocation>> importNumbers(
            SequenceName name, List<ImportedNumber> numbers, Map<Integer, Repetition> repetitions, Change change) {
        return answers(name, numbers, repetitions, change, false);
    }

    /**
     * Returns the answers that {@link #importNumbers} would return now, as far as the ledger and these numbers show. Of
     * two rows with the same number or key, accepts the first. Stores and reserves nothing.
     *
     * @throws ProblemException as in {@link #importNumbers}
     */
    public List<Result<PrintedAllocation>> dryRun(SequenceName name, List<ImportedNumber> numbers, Change change) {
        return dryRun(name, numbers, Map.of(), change);
    }

    /**
     * Checks rows of a file that may repeat one another, without importing them.
     *
     * @param repetitions as {@link #repetitions}, by the places of the numbers
     */
    public List<Result<PrintedAllocation>> dryRun(
            SequenceName name, List<ImportedNumber> numbers, Map<Integer, Repetition> repetitions, Change change) {
        return answers(name, numbers, repetitions, change, true);
    }

    /**
     * Accepts numbers that an import left out. From then on they count as advanced over, with this reason. Numbers that
     * were already accepted or advanced over stay as they are.
     *
     * @param first one end of the range, which may be the greater one
     * @param date chooses the period; null for today
     * @param note with a reason
     * @throws ProblemException {@code invalid-request} for numbers that no import left out; {@code number-taken} if one
     *     of the numbers was imported since
     */
    public CounterOutcome.Accepted accept(
            SequenceName name, long first, long last, @Nullable LocalDate date, ChangeNote note) {
        return moves.accept(name, date, new CounterRequest.Accept(Math.min(first, last), Math.max(first, last), note));
    }

    private List<Result<PrintedAllocation>> answers(
            SequenceName name,
            List<ImportedNumber> numbers,
            Map<Integer, Repetition> repetitions,
            Change change,
            boolean isDryRun) {
        name.requireNoTemplate();
        return calls.at(name, call -> new ListImport(call, numbers, repetitions, change, isDryRun).answers());
    }

    /** The import of a list, with all its writes. */
    private final class ListImport {
        private final SequenceCalls.SequenceCall call;
        private final List<ImportedNumber> numbers;
        private final Map<Integer, Repetition> repetitions;
        private final Change change;
        private final boolean isDryRun;
        private final Map<Integer, Result<PrintedAllocation>> answers = new TreeMap<>();
        private final Map<String, Allocation> answered = new HashMap<>();

        ListImport(
                SequenceCalls.SequenceCall call,
                List<ImportedNumber> numbers,
                Map<Integer, Repetition> repetitions,
                Change change,
                boolean isDryRun) {
            this.call = call;
            this.numbers = numbers;
            this.repetitions = repetitions;
            this.change = change;
            this.isDryRun = isDryRun;
        }

        List<Result<PrintedAllocation>> answers() {
            return call.untilDefined(() -> call.retry(this::attempt));
        }

        /** Imports the rows that have no answer yet, and returns all answers. */
        private List<Result<PrintedAllocation>> attempt() {
            Sequence known = possible(normalizing(possible(call.reloaded())));
            byPeriods(known, open(known)).forEach(open -> importNumbers(known, open));
            return List.copyOf(answers.values());
        }

        private Sequence normalizing(Sequence known) {
            boolean isAny = numbers.stream().anyMatch(number -> !KeyForms.isOnlyOne(number.keyAsSent()));
            return isAny && !isDryRun ? keys.ensured(call, known) : known;
        }

        /** Returns the requests for the rows without an answer, by place in the list. */
        private Map<Integer, CounterRequest.Import> open(Sequence known) {
            Map<Integer, CounterRequest.Import> open = new TreeMap<>();
            for (int index = 0; index < numbers.size(); index++) {
                if (!answers.containsKey(index)) {
                    Result<Allocation> meant = meant(known, numbers.get(index));
                    if (meant.isRefused()) {
                        answers.put(index, Result.refused(meant.refusal()));
                    } else {
                        open.put(index, requested(index, meant.orThrow()));
                    }
                }
            }
            return open;
        }

        private CounterRequest.Import requested(int index, Allocation meant) {
            ImportedNumber row = numbers.get(index);
            ProblemException contradiction = repetition(index)
                    .flatMap(repetition -> repetition.contradiction(row))
                    .orElse(null);
            return new CounterRequest.Import(row, meant, change, contradiction);
        }

        private Optional<Repetition> repetition(int index) {
            return Optional.ofNullable(repetitions.get(index));
        }

        private Result<Allocation> meant(Sequence known, ImportedNumber old) {
            return Result.unlessTrouble(() -> new ImportCandidate(known, old, change, time.now()).allocation());
        }

        /**
         * Imports numbers of one period.
         *
         * @throws DefinitionChangedException if the definition has changed
         */
        private void importNumbers(Sequence known, List<Map.Entry<Integer, CounterRequest.Import>> open) {
            List<Map.Entry<Integer, CounterRequest.Import>> left = isDryRun ? ofOtherKeys(open) : open;
            while (!left.isEmpty()) {
                List<CounterRequest.Import> requests =
                        left.stream().map(Map.Entry::getValue).toList();
                List<Result<CounterOutcome>> results =
                        isDryRun ? moves.dryRun(known, requests) : moves.importNumbers(known, requests, call);
                for (int i = 0; i < results.size(); i++) {
                    answer(known, left.get(i).getKey(), results.get(i));
                }
                left = left.subList(results.size(), left.size());
            }
        }

        /**
         * Refuses the keys that already have a number in an earlier period, and returns the other rows. Only a dry run
         * needs this check, because it writes nothing that the counter could find.
         */
        private List<Map.Entry<Integer, CounterRequest.Import>> ofOtherKeys(
                List<Map.Entry<Integer, CounterRequest.Import>> open) {
            List<Map.Entry<Integer, CounterRequest.Import>> others = new ArrayList<>();
            for (Map.Entry<Integer, CounterRequest.Import> row : open) {
                Optional.ofNullable(answered.get(row.getValue().number().key()))
                        .flatMap(earlier -> row.getValue().mismatch(earlier))
                        .ifPresentOrElse(
                                problem -> answers.put(row.getKey(), Result.refused(problem)), () -> others.add(row));
            }
            return others;
        }

        /**
         * Stores the answer to a row. A row that occurs twice is answered as replayed, even if an interrupted attempt
         * has written the first one.
         */
        private void answer(Sequence known, int index, Result<CounterOutcome> result) {
            // Throws the failure of the service here, so that the answers before it stay.
            result.throwIfTrouble();
            ImportedNumber number = numbers.get(index);
            Result<PrintedAllocation> answer =
                    formatter.ofAnswer(known, result).map(there -> there.dated(((Allocation) result.orThrow()).date()));
            boolean isRepeated = !answer.isRefused()
                    && (answered.putIfAbsent(number.key(), (Allocation) result.orThrow()) != null
                            || repetition(index).filter(Repetition::isEqual).isPresent());
            answers.put(index, isRepeated ? answer.map(there -> there.replayed(true)) : answer);
        }
    }

    /**
     * Groups the rows by period, each period in the order of its series, so that the counter passes over as few numbers
     * as possible between two writes.
     */
    private static Collection<List<Map.Entry<Integer, CounterRequest.Import>>> byPeriods(
            Sequence known, Map<Integer, CounterRequest.Import> open) {
        Comparator<Map.Entry<Integer, CounterRequest.Import>> byNumber =
                Comparator.comparingLong(entry -> entry.getValue().number().first());
        return open.entrySet().stream()
                .sorted(known.fixed().increment() > 0 ? byNumber : byNumber.reversed())
                .collect(Collectors.groupingBy(
                        entry -> entry.getValue().number().period(), LinkedHashMap::new, Collectors.toList()))
                .values();
    }
}
