package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares {@code tools/keys.sh} with the app's functions, and runs it with an {@code az} that only records its calls.
 */
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "the script is for bash")
class KeysTest {
    private static final Path SCRIPT = Path.of("tools", "keys.sh");

    /** Functions only for owners: they change or end a sequence, or lose a message. */
    private static final Set<String> OWNERS_ONLY = Set.of(
            "PutDefinition",
            "PatchDefinition",
            "Retire",
            "CloseDates",
            "Advance",
            "Suspend",
            "Resume",
            "ImportNumbers",
            "InspectImport",
            "AcceptGap",
            "DropPoison");

    /** Functions for clerks as well: they allocate numbers or change their status. */
    private static final Set<String> CLERKS_TOO =
            Set.of("Allocate", "ChangeStatus", "UploadBatch", "UploadCsv", "RequeuePoison");

    /** Functions that change nothing although they are no GET. */
    private static final Set<String> POSTS_THAT_READ = Set.of("ParseText", "Preview");

    private static final String AZ =
            """
            #!/usr/bin/env bash
            # Keys lie in files named function.key; the calls are in the file calls.
            echo "$*" >> "$AZ_FOLDER/calls"
            verb=$4
            while [ $# -gt 0 ]; do
              case $1 in
                --function-name) function=$2 ;;
                --key-name) name=$2 ;;
                --key-value) value=$2 ;;
                --query) name=${2//\\"/} ;;
              esac
              shift
            done
            file=$AZ_FOLDER/$function.$name
            case $verb in
              list) if [ -e "$file" ]; then cat "$file"; fi ;;
              set) echo "${value:-made}" > "$file" ;;
              delete) rm "$file" ;;
            esac
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void azIsThere() throws IOException {
        Files.createDirectory(folder.resolve("bin"));
        Path az = Files.writeString(folder.resolve("bin/az"), AZ);
        Files.setPosixFilePermissions(az, PosixFilePermissions.fromString("rwx------"));
    }

    /** A function that is in no role or in a wrong one fails the test, whatever its name. */
    @Test
    void eachFunctionIsInItsRolesAndNoOther() throws IOException {
        Map<String, Set<String>> roles = roles();
        Map<String, String> methods = functions();
        Set<String> reading = new TreeSet<>();
        methods.forEach((name, method) -> {
            if (method.equals("GET") || POSTS_THAT_READ.contains(name)) {
                reading.add(name);
            }
        });
        Set<String> clerks = new TreeSet<>(reading);
        clerks.addAll(CLERKS_TOO);
        Set<String> owners = new TreeSet<>(clerks);
        owners.addAll(OWNERS_ONLY);

        assertEquals(reading, roles.get("READER"));
        assertEquals(clerks, roles.get("CLERK"));
        assertEquals(owners, roles.get("OWNER"));
        assertEquals(methods.keySet(), owners, "each function that takes a key");
    }

    private static Map<String, Set<String>> roles() throws IOException {
        Map<String, Set<String>> roles = new TreeMap<>();
        for (String line : Files.readAllLines(SCRIPT)) {
            if (line.matches("[A-Z]+=\".*\"")) {
                Set<String> functions = new TreeSet<>();
                String list = line.substring(line.indexOf('"') + 1, line.length() - 1);
                for (String word : list.split(" ")) {
                    if (word.startsWith("$")) {
                        functions.addAll(roles.get(word.substring(1)));
                    } else {
                        assertTrue(functions.add(word), () -> word + " is there twice");
                    }
                }
                roles.put(line.substring(0, line.indexOf('=')), functions);
            }
        }
        return roles;
    }

    /** Returns the functions that are called over HTTP with a key, and their methods. */
    private static Map<String, String> functions() {
        Map<String, String> functions = new TreeMap<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.numera.functions")) {
            for (Method method : type.reflect().getDeclaredMethods()) {
                FunctionName name = method.getAnnotation(FunctionName.class);
                Arrays.stream(method.getParameters())
                        .map(parameter -> parameter.getAnnotation(HttpTrigger.class))
                        .filter(trigger -> trigger != null && trigger.authLevel() != AuthorizationLevel.ANONYMOUS)
                        .forEach(trigger -> functions.put(name.value(), trigger.methods()[0].name()));
            }
        }
        return functions;
    }

    @Test
    void oneValueIsPutOnEachFunctionOfTheRole() throws Exception {
        assertEquals("made\n", run(0, "set", "clerk", "shop-2027"));

        Set<String> clerk = roles().get("CLERK");
        assertEquals(clerk, functionsWith("shop-2027", "made"));
        assertEquals("made\n", run(0, "set", "owner", "shop-2027"), "the value stays");
        assertEquals(roles().get("OWNER"), functionsWith("shop-2027", "made"));
    }

    @Test
    void aKeyIsDeletedWhereverItIs() throws Exception {
        run(0, "set", "owner", "old");
        run(0, "set", "reader", "other");
        run(0, "delete", "reader", "old");

        assertEquals(Set.of(), functionsWith("old", "made"));
        assertEquals(roles().get("READER"), functionsWith("other", "made"));
    }

    @Test
    void aWrongArgumentIsReportedAndNothingIsCalled() throws Exception {
        for (List<String> wrong : List.of(
                List.<String>of(),
                List.of("set", "clerk"),
                List.of("set", "boss", "x"),
                List.of("put", "clerk", "x"),
                List.of("set", "clerk", "default"),
                List.of("set", "clerk", "a b\"; x"))) {
            run(2, wrong.toArray(String[]::new));
        }
        assertTrue(Files.notExists(folder.resolve("calls")));
    }

    private Set<String> functionsWith(String name, String value) throws IOException {
        Set<String> functions = new TreeSet<>();
        try (var files = Files.list(folder)) {
            for (Path file :
                    files.filter(found -> found.toString().endsWith("." + name)).toList()) {
                assertEquals(value + "\n", Files.readString(file));
                functions.add(file.getFileName().toString().replace("." + name, ""));
            }
        }
        return functions;
    }

    /** Runs the script and returns its output. A shell that is missing or waits for input fails the test. */
    private String run(int expected, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", SCRIPT.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("AZ_FOLDER", folder.toString());
        builder.environment().put("AZURE_RESOURCE_GROUP", "group");
        builder.environment().put("NUMERA_APP_NAME", "app");
        Path errors = folder.resolve("errors");
        Process process = builder.redirectError(errors.toFile()).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes());
        assertEquals(expected, process.waitFor(), Files.readString(errors));
        return printed;
    }
}
