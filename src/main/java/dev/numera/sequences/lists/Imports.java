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
 * Numbers that another system has allocated come into the ledger, under their keys. Which of them may, the counter
 * decides in the write that takes them; here rows become numbers of a period, with the texts by which they will be
 * known.
 *
 * <p>Thread-safe. Calls block for storage requests, for each write at most for the deadline of the limits.
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
     * Whether numbers can come into a sequence at all, as far as its definition shows.
     *
     * @throws ProblemException {@code unknown-sequence}, {@code retired}, {@code suspended}, {@code not-for-guarantee}
     */
    public void requirePossible(SequenceName name) {
        name.requireNoTemplate();
        calls.at(name, call -> possible(call.reloaded()));
    }

    private static Sequence possible(Sequence known) {
        known.requireLedger();
        if (known.isStopped()) {
            throw known.refusalAsStopped();
        }
        return known;
    }

    /**
     * Rows of a whole file that are equal to an earlier one or contradict another one, by their places. Rows that no
     * ledger could take are left out: they are refused by themselves.
     *
     * @param rows how many there are
     * @param row the number of a row; empty where it cannot be understood
     * @param line the line of a row
     * @throws ProblemException {@code unknown-sequence}, or the service failed
     */
    public Map<Integer, Repetition> repetitions(
            SequenceName name,
            int rows,
            IntFunction<Result<ImportedNumber>> row,
            IntUnaryOperator line,
            Change change) {
        Sequence known = calls.at(name, SequenceCalls.SequenceCall::definition);
        IntFunction<Result<Repetitions.Row>> read = place -> Result.unlessTrouble(() -> {
            ImportedNumber stated = row.apply(place).orThrow();
            return new Repetitions.Row(stated, new ImportCandidate(known, stated, change, time.now()).allocation());
        });
        Repetitions repetitions = new Repetitions(place -> read.apply(place).orThrow(), line);
        for (int place = 0; place < rows; place++) {
            Result<Repetitions.Row> understood = read.apply(place);
            if (!understood.isRefused()) {
                repetitions.add(place, understood.orThrow());
            }
        }
        return repetitions.found();
    }

    /**
     * Puts numbers into the ledger, in several writes if need be. The same again, by the same import, gets the same
     * answers: so what broke off can be sent again.
     *
     * @return for each number what is there now, replayed where it was there before this import; or why it may not come
     *     in
     * @throws ProblemException what concerns all of them. Or the service failed ({@link ProblemException#type()} says
     *     which): then some may be in the ledger.
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
     * What {@link #importNumbers} would answer now, as far as the ledger and these numbers show; of two with one number
     * or key the first is taken. Stores and fixes nothing.
     *
     * @throws ProblemException as {@link #importNumbers}
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
     * Accepts numbers that an import left out: from then on they are advanced over, with this reason. Numbers that were
     * accepted or advanced over before stay as they are.
     *
     * @param first one end of the range, which may be the greater one
     * @param date chooses the period; null for today
     * @param note with a reason
     * @throws ProblemException {@code invalid-request} for numbers that no import passed over; {@code number-taken}
     *     where one of them was imported since
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

    /** One list with all its writes. */
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

        /** Goes on with what is open. */
        private List<Result<PrintedAllocation>> attempt() {
            Sequence known = possible(normalizing(possible(call.reloaded())));
            byPeriods(known, open(known)).forEach(open -> importNumbers(known, open));
            return List.copyOf(answers.values());
        }

        private Sequence normalizing(Sequence known) {
            boolean isAny = numbers.stream().anyMatch(number -> !KeyForms.isOnlyOne(number.keyAsSent()));
            return isAny && !isDryRun ? keys.ensured(call, known) : known;
        }

        /** By their places in the list. */
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
         * @throws DefinitionChangedException the definition has become another one
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

        /** In a dry run no ledger shows the keys that got a number in a period before: they are refused here. */
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
         * A row that is there twice is answered as replayed, also where the first one was written by an attempt that
         * broke off.
         */
        private void answer(Sequence known, int index, Result<CounterOutcome> result) {
            // What was answered before the service failed stays so.
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

    /** Of each period in the order of its series, so that as few numbers as possible are passed over for a while. */
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
