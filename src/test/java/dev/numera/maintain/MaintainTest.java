package dev.numera.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaintainTest {
    private static final Map<String, String> EMULATOR = Map.of("NumeraStorage", "UseDevelopmentStorage=true");

    private static String refused(String... arguments) {
        return assertThrows(NoCommand.class, () -> Maintain.run(EMULATOR, arguments))
                .getMessage();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "frobnicate | Unknown command: frobnicate.",
                "export | The command export takes 1 argument, not 0.",
                "export a b | The command export takes 1 argument, not 2.",
                "restore a --over | The command restore takes 1 argument, not 2.",
                "check a --over-rows | The command check takes 1 argument, not 2.",
                "list a | The command list takes no argument, not 1.",
                "advance | The command advance takes 1 argument, not 0.",
                "suspend | The command suspend takes 1 argument, not 0.",
                "resume shop/invoice | The command resume takes --all or --accept-restored NAME, not shop/invoice: a single sequence is suspended and resumed over HTTP.",
                "resume --accept-restored | The command resume takes --all or --accept-restored NAME, not --accept-restored: a single sequence is suspended and resumed over HTTP.",
                "resume --accept-restored invoice | A sequence is named SCOPE/NAME, not invoice.",
                "resume --all shop/invoice | The command resume takes 1 argument, not 2.",
                "recover a --margin 5 --margin 1 | The option --margin appears twice: name it once.",
                "recover a --margin 5 --dry-run --dry-run | The option --dry-run appears twice: name it once.",
                "recover a --margin 5 --from-account --dry-run | --from-account needs a value: the name of a storage account.",
                "export --now | PLACE must be a file or blob:NAME, not the option --now.",
                "advance 0 | The margin must be a whole number from 1 to 1,000,000, not 0.",
                "advance -5 | The margin must be a whole number from 1 to 1,000,000, not -5.",
                "advance 1e3 | The margin must be a whole number from 1 to 1,000,000, not 1e3.",
                "advance 1000001 | The margin must be a whole number from 1 to 1,000,000, not 1000001.",
                "advance 999999999999999999 | The margin must be a whole number from 1 to 1,000,000, not 999999999999999999."
            })
    void aBadArgumentIsNamed(String arguments, String message) {
        assertEquals(message, refused(arguments.split(" ")));
    }

    @Test
    void missingCommandIsReported() {
        assertEquals("A command is missing.", refused());
    }

    @Test
    void onlyTheUsageOfTheWrongCommandIsShown() {
        assertEquals(
                List.of(
                        "  resume --all               resume the sequences that 'suspend --all' or a restore suspended, except those",
                        "                             that were restored and not advanced since",
                        "  resume --accept-restored NAME  resume a restored sequence without an advance: you state that it allocated",
                        "                             nothing beyond its counters after the backup"),
                Maintain.usage("resume", "shop/invoice").lines().toList());
        assertEquals(5, Maintain.usage("recover", "file").lines().count());
        assertEquals(
                List.of(
                        "  reindex                    write the missing rows of the index, if only the index table was lost"),
                Maintain.usage("reindex").lines().toList());
        assertTrue(Maintain.usage("frobnicate").startsWith("java -jar numera-maintain.jar COMMAND"));
        assertTrue(Maintain.usage().startsWith("java -jar numera-maintain.jar COMMAND"));
    }

    @Test
    void helpNeedsNoStorage() throws Exception {
        assertTrue(Maintain.run(Map.of(), "help").get(0).contains("restore PLACE --over-rows"));
    }

    @ParameterizedTest
    @CsvSource({
        "suspend --all, true",
        "restore a, true",
        "restore a --over-rows, true",
        "close-creation, true",
        "advance 5, true",
        "resume --all, true",
        "resume --accept-restored a/b, false",
        "allow-creation, false",
        "recover a --margin 5, false",
        "'', false"
    })
    void eachStepOfARecoveryNamesTheCommandForAllSteps(String arguments, boolean isStep) {
        assertEquals(
                isStep,
                Maintain.hint(List.of(arguments.split(" ")))
                        .filter(hint -> hint.contains("the command recover"))
                        .isPresent());
    }

    @Test
    void aFileIsCheckedWithoutAStorageAccount(@TempDir Path folder) {
        String missing = folder.resolve("none").toString();

        assertEquals(
                "The file " + missing + " does not exist, is a folder, or cannot be read.",
                assertThrows(IOException.class, () -> Maintain.run(Map.of(), "check", missing))
                        .getMessage());
    }

    @Test
    void theHelpOfACommandIsNoPlace() throws IOException {
        assertEquals(List.of(Maintain.usage("export")), Maintain.run(Map.of(), "export", "--help"));
    }

    @Test
    void theFolderOfABackupMustBeThere(@TempDir Path folder) {
        String file = folder.resolve("none").resolve("backup").toString();

        assertEquals(
                "The folder " + folder.resolve("none") + " does not exist: create it first.",
                assertThrows(IOException.class, () -> Maintain.run(EMULATOR, "export", file))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({"export a", "restore a", "advance 5", "list"})
    void aConnectionThatCannotBeUsedIsNamed(String arguments) {
        Map<String, String> wrong = Map.of("NumeraStorage", "AccountName=a;AccountKey=no%Base64");

        assertEquals(
                Map.of("setting", "NumeraStorage"),
                assertThrows(ProblemException.class, () -> Maintain.run(wrong, arguments.split(" ")))
                        .members());
    }

    @Test
    void aMissingConnectionIsNamed() {
        assertEquals(
                Map.of("setting", "NumeraStorage"),
                assertThrows(ProblemException.class, () -> Maintain.run(Map.of(), "list"))
                        .members());
    }

    /** Exit code 1 would report a broken promise. */
    @Test
    void anUnforeseenFailureOfAProofBreaksNoPromise() {
        assertEquals(2, Maintain.prove(Map.of(), Collections.singletonList(null)));
    }
}
