package dev.numera.house;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which room may use which; docs/architecture.md draws the most important part of it. No arrow points up. */
class RoomsTest {
    private static final String ALL = "dev.numera.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("localhost"))
            .importPackages("dev.numera");

    private static final Map<String, Set<String>> MAY_KNOW = Map.ofEntries(
            entry("problem", Set.of()),
            entry("history", Set.of()),
            entry("json", Set.of("problem")),
            entry("format", Set.of("problem")),
            entry("execution", Set.of("problem")),
            entry("model", Set.of("format", "problem")),
            entry("counter", Set.of("model", "execution", "problem")),
            entry("snowflake", Set.of("model", "execution", "problem")),
            entry("sequence", Set.of("snowflake", "counter", "model", "execution", "format", "problem")),
            entry("batch", Set.of("sequence", "model", "execution", "problem")),
            entry("backup", Set.of("json")),
            entry(
                    "storage",
                    Set.of(
                            "backup",
                            "batch",
                            "sequence",
                            "snowflake",
                            "counter",
                            "model",
                            "execution",
                            "format",
                            "json",
                            "problem")),
            entry(
                    "functions",
                    Set.of("storage", "batch", "sequence", "model", "execution", "format", "json", "problem")),
            entry("functions.sequence", Set.of("functions", "batch", "sequence", "model", "json", "problem")),
            entry(
                    "functions.ledger",
                    Set.of("functions", "sequence", "model", "execution", "format", "json", "problem")),
            entry(
                    "functions.batch",
                    Set.of("functions", "storage", "batch", "sequence", "model", "execution", "json", "problem")),
            entry(
                    "operations",
                    Set.of("operations.prove", "operations.restore", "storage", "sequence", "model", "execution")),
            entry("operations.restore", Set.of("storage", "backup", "sequence", "model", "execution", "json")),
            entry("operations.prove", Set.of("history", "json")));

    @Test
    void everyPackageUsesOnlyTheAllowedPackages() {
        Map<String, Set<String>> known = new TreeMap<>();
        for (JavaClass type : CLASSES) {
            Set<String> rooms = known.computeIfAbsent(room(type), any -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (target.getPackageName().startsWith(ALL)) {
                    rooms.add(room(target));
                }
            }
            rooms.remove(room(type));
        }
        Map<String, Set<String>> allowed = new TreeMap<>();
        MAY_KNOW.forEach((room, others) -> allowed.put(room, new TreeSet<>(others)));
        assertEquals(allowed, known);
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching("dev.numera.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyStorageUsesTheAzureSdk() {
        DescribedPredicate<JavaClass> outside = DescribedPredicate.describe(
                "outside the storage room", type -> !room(type).equals("storage"));
        com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses()
                .that(outside)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.azure..")
                .check(CLASSES);
    }

    @Test
    void everyAnswerIsCreatedWithTheVersionHeader() {
        com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses()
                .that()
                .doNotHaveSimpleName("Exchange")
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "an answer is begun", call -> call.getTarget().getName().equals("createResponseBuilder")))
                .check(CLASSES);
    }

    /** The maintenance program runs the app's packages, never the other way. */
    @Test
    void theAppUsesNoPackageOfTheMaintenanceProgram() throws IOException {
        Set<String> ofTheApp = rooms(Path.of("src/main/java"));
        Set<String> ofMaintenance = rooms(Path.of("src/maintain/java"));
        Set<String> all = new TreeSet<>(ofTheApp);
        all.addAll(ofMaintenance);
        assertEquals(MAY_KNOW.keySet(), all);
        assertEquals(MAY_KNOW.size(), ofTheApp.size() + ofMaintenance.size(), "packages in both");
        for (String room : ofTheApp) {
            assertTrue(Collections.disjoint(Objects.requireNonNull(MAY_KNOW.get(room)), ofMaintenance), room);
        }
    }

    private static Set<String> rooms(Path root) throws IOException {
        Path numera = root.resolve("dev/numera");
        try (Stream<Path> files = Files.walk(numera)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> numera.relativize(file.getParent()).toString().replace('/', '.'))
                    .collect(Collectors.toSet());
        }
    }

    private static String room(JavaClass type) {
        return type.getPackageName().substring(ALL.length());
    }
}
