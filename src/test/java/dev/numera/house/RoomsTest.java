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

/** The packages that each package may use; docs/architecture.md draws the most important part. No arrow points up. */
class RoomsTest {
    private static final String ALL = "dev.numera.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("localhost"))
            .importPackages("dev.numera");

    private static final Map<String, Set<String>> MAY_KNOW = Map.ofEntries(
            entry("core.problem", Set.of()),
            entry("core.format", Set.of("core.problem")),
            entry("core.model", Set.of("core.problem", "core.format")),
            entry("core.retry", Set.of("core.problem")),
            entry("core.snowflake", Set.of("core.problem", "core.model", "core.retry")),
            entry("core.counter", Set.of("core.problem", "core.model", "core.retry")),
            entry("json", Set.of("core.problem")),
            entry(
                    "sequences.access",
                    Set.of("core.problem", "core.format", "core.model", "core.retry", "core.counter")),
            entry(
                    "sequences.numbering",
                    Set.of(
                            "core.problem",
                            "core.model",
                            "core.retry",
                            "core.snowflake",
                            "core.counter",
                            "sequences.access")),
            entry(
                    "sequences.definition",
                    Set.of(
                            "core.problem",
                            "core.format",
                            "core.model",
                            "core.retry",
                            "core.snowflake",
                            "sequences.access")),
            entry(
                    "sequences.ledger",
                    Set.of("core.problem", "core.format", "core.model", "core.retry", "sequences.access")),
            entry(
                    "sequences.lists",
                    Set.of(
                            "core.problem",
                            "core.format",
                            "core.model",
                            "core.retry",
                            "sequences.access",
                            "sequences.numbering",
                            "sequences.ledger")),
            entry(
                    "sequences.catalog",
                    Set.of(
                            "core.problem",
                            "core.format",
                            "core.model",
                            "core.retry",
                            "sequences.access",
                            "sequences.numbering",
                            "sequences.definition",
                            "sequences.ledger",
                            "sequences.lists")),
            entry(
                    "sequences",
                    Set.of(
                            "core.model",
                            "core.retry",
                            "core.snowflake",
                            "core.counter",
                            "sequences.access",
                            "sequences.numbering",
                            "sequences.definition",
                            "sequences.ledger",
                            "sequences.lists",
                            "sequences.catalog")),
            entry(
                    "azure",
                    Set.of(
                            "core.problem",
                            "core.format",
                            "core.model",
                            "core.retry",
                            "core.snowflake",
                            "core.counter",
                            "json",
                            "sequences.access",
                            "sequences.ledger",
                            "sequences.lists",
                            "sequences")),
            entry("azure.backup", Set.of("core.model", "core.retry", "json", "azure")),
            entry(
                    "functions",
                    Set.of(
                            "core.problem",
                            "core.model",
                            "core.retry",
                            "sequences.access",
                            "sequences.lists",
                            "sequences",
                            "azure",
                            "azure.backup")),
            entry(
                    "functions.queue",
                    Set.of(
                            "core.problem",
                            "core.model",
                            "core.retry",
                            "json",
                            "sequences.access",
                            "sequences.lists",
                            "azure",
                            "functions")),
            entry(
                    "functions.http",
                    Set.of(
                            "core.problem",
                            "core.format",
                            "core.model",
                            "core.retry",
                            "json",
                            "sequences.access",
                            "sequences.numbering",
                            "sequences.definition",
                            "sequences",
                            "functions")),
            entry(
                    "functions.http.sequence",
                    Set.of(
                            "core.problem",
                            "core.model",
                            "core.retry",
                            "json",
                            "sequences.numbering",
                            "sequences.definition",
                            "sequences.ledger",
                            "sequences.lists",
                            "sequences.catalog",
                            "sequences",
                            "functions",
                            "functions.http")),
            entry(
                    "functions.http.ledger",
                    Set.of(
                            "core.problem",
                            "core.format",
                            "core.model",
                            "core.retry",
                            "json",
                            "sequences.access",
                            "sequences.ledger",
                            "sequences.lists",
                            "sequences.catalog",
                            "sequences",
                            "functions",
                            "functions.http")),
            entry(
                    "functions.http.lists",
                    Set.of(
                            "core.problem",
                            "core.format",
                            "core.model",
                            "core.retry",
                            "json",
                            "sequences",
                            "sequences.access",
                            "sequences.numbering",
                            "sequences.lists",
                            "azure",
                            "functions",
                            "functions.queue",
                            "functions.http")),
            entry("maintain.history", Set.of()),
            entry("maintain.prove", Set.of("json", "maintain.history")),
            entry(
                    "maintain.restore",
                    Set.of(
                            "core.problem",
                            "core.model",
                            "core.retry",
                            "core.snowflake",
                            "json",
                            "sequences.catalog",
                            "azure",
                            "azure.backup")),
            entry(
                    "maintain",
                    Set.of(
                            "json",
                            "core.model",
                            "core.problem",
                            "core.retry",
                            "core.snowflake",
                            "sequences.access",
                            "sequences.catalog",
                            "sequences",
                            "azure",
                            "azure.backup",
                            "maintain.prove",
                            "maintain.restore")));

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
        slices().matching("dev.numera.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyAzureUsesTheAzureSdk() {
        DescribedPredicate<JavaClass> outside = DescribedPredicate.describe(
                "outside azure", type -> !type.getPackageName().matches("dev\\.numera\\.azure(\\..*)?"));
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
                .doNotHaveSimpleName("HttpCall")
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "an answer is begun", call -> call.getTarget().getName().equals("createResponseBuilder")))
                .check(CLASSES);
    }

    /** Developers can read and use the counter without Azure, HTTP and JSON. */
    @Test
    void coreUsesNeitherAzureNorHttpNorJson() {
        com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("dev.numera.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "com.azure..",
                        "com.microsoft..",
                        "com.fasterxml..",
                        "java.net.http..",
                        "com.sun.net..",
                        "dev.numera.azure..",
                        "dev.numera.functions..",
                        "dev.numera.json..",
                        "dev.numera.sequences..")
                .check(CLASSES);
    }

    /** The maintenance program uses the app's packages, never the other way around. */
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
