package dev.numera.functions.http.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.Repetition;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.Program;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.lists.CellNotation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListColumns.Field;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The comparison of all rows of a list with each other, before a dry run answers and before an import writes. */
class WholeListTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Change IMPORT = Change.imported("import", Instant.parse("2026-11-21T10:00:00Z"), null);
    private static final int MANY = 100_000;
    private static final int MEGABYTE = 1024 * 1024;
    private static final int BESIDE_THE_BODY = 64 * MEGABYTE;
    /** The heap for the classes of the app and the store of the test. */
    private static final int BASE = 8 * MEGABYTE;

    private final Sequences sequences = defined();

    private static Sequences defined() {
        Sequences sequences = TestSequences.over(new MemoryCounterStore()).start();
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        return sequences;
    }

    @Test
    void rowsFarApartThatContradictOneAnotherAreAllRefused() throws Exception {
        UploadedRows rows = read(resource("duplicates.csv"));
        List<ImportedNumber> numbers =
                rows.asRead().stream().map(rows.layout()::number).toList();
        Map<Integer, Repetition> found = repetitions(sequences, rows);

        List<Result<PrintedAllocation>> judged = sequences.imports().dryRun(NAME, numbers, found, IMPORT);
        List<Result<PrintedAllocation>> brought = sequences.imports().importNumbers(NAME, numbers, found, IMPORT);

        for (List<Result<PrintedAllocation>> results : List.of(judged, brought)) {
            assertEquals(
                    List.of("10 and 1502", "701 and 1503", "1502 and 10", "1503 and 701"),
                    IntStream.range(0, results.size())
                            .filter(place -> results.get(place).isRefused())
                            .mapToObj(place -> place + 2 + " and "
                                    + results.get(place).refusal().members().get("line"))
                            .toList());
            assertEquals(
                    1_498,
                    results.stream()
                            .filter(result ->
                                    !result.isRefused() && !result.orThrow().replayed())
                            .count());
        }
    }

    @Test
    void aHundredThousandRowsAreComparedInSixtyFourMegabytesBesideTheBody() throws Exception {
        Program program = Program.run(
                Program.jdk("java"),
                "-Xmx" + (BASE + BESIDE_THE_BODY + manyRows().length()),
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                WholeListTest.class.getName());
        assertEquals(0, program.exit(), program.output());
    }

    /** Runs in a process with a small heap. */
    public static void main(String... arguments) {
        String body = manyRows();
        UploadedRows rows = read(body);
        int found = repetitions(defined(), rows).size();
        if (found != 2 || rows.asRead().size() != MANY || body.isEmpty()) {
            throw new AssertionError(found + " repetitions in " + rows.asRead().size() + " rows");
        }
    }

    /** Returns a list whose last row has the key of its first row. */
    private static String manyRows() {
        LocalDate first = LocalDate.of(2025, 1, 1);
        return IntStream.rangeClosed(1, MANY)
                .mapToObj(number ->
                        "order-" + number % (MANY - 1) + "," + number + "," + first.plusDays(number % 300) + "\n")
                .collect(Collectors.joining("", "key,number,date\n", ""));
    }

    private static UploadedRows read(String csv) {
        Map<Field, Integer> places = Map.of(Field.KEY, 0, Field.NUMBER, 1, Field.DATE, 2);
        return UploadCsv.read(csv, CsvStructure.WHOLE, OwnColumns::ofImport, (headers, separator) -> new ListColumns(
                        headers.names(), places)
                .ofFile(separator, CellNotation.FILE));
    }

    private static Map<Integer, Repetition> repetitions(Sequences sequences, UploadedRows rows) {
        List<List<String>> read = rows.asRead();
        return sequences
                .imports()
                .repetitions(
                        NAME,
                        read.size(),
                        place -> Result.unlessTrouble(() -> rows.layout().number(read.get(place))),
                        place -> place + 2);
    }

    private static String resource(String name) throws Exception {
        try (InputStream file = Objects.requireNonNull(WholeListTest.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
