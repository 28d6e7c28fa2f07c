package dev.numera.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Circles of classes in one package that use each other and so can only be understood together. A nested class counts
 * as its outer class.
 *
 * <p>{@link #ALLOWED} may only shrink: if a circle becomes smaller or dissolves, this test fails until its line is
 * shortened or removed. Add no line and lengthen none.
 */
class KnotsTest {
    private static final String ALL = "dev.numera.";

    /** The circles that exist: each line is a package and the classes of one circle in alphabetical order. */
    private static final Set<String> ALLOWED =
            Set.of("core.format: Format RepetitionSearch", "core.snowflake: Lease WorkerRow");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("localhost"))
            .importPackages("dev.numera");

    @Test
    void onlyTheListedClassesFormCirclesWithinAPackage() {
        Map<JavaClass, Set<JavaClass>> neighbors = new TreeMap<>(Comparator.comparing(JavaClass::getName));
        for (JavaClass type : CLASSES) {
            Set<JavaClass> used = neighbors.computeIfAbsent(outermost(type), any -> new HashSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = outermost(dependency.getTargetClass().getBaseComponentType());
                if (target.getPackageName().equals(type.getPackageName())) {
                    used.add(target);
                }
            }
        }
        assertEquals(String.join("\n", new TreeSet<>(ALLOWED)), String.join("\n", circles(neighbors)));
    }

    private static Set<String> circles(Map<JavaClass, Set<JavaClass>> neighbors) {
        Map<JavaClass, Set<JavaClass>> reached = new TreeMap<>(Comparator.comparing(JavaClass::getName));
        neighbors.keySet().forEach(type -> reached.put(type, reachedFrom(type, neighbors)));
        Set<String> circles = new TreeSet<>();
        reached.forEach((type, others) -> {
            if (others.contains(type)) {
                Set<String> names = others.stream()
                        .filter(other -> reached.get(other).contains(type))
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.toCollection(TreeSet::new));
                if (names.size() > 1) {
                    circles.add(type.getPackageName().substring(ALL.length()) + ": " + String.join(" ", names));
                }
            }
        });
        return circles;
    }

    private static Set<JavaClass> reachedFrom(JavaClass start, Map<JavaClass, Set<JavaClass>> neighbors) {
        Set<JavaClass> reached = new HashSet<>();
        Deque<JavaClass> open = new ArrayDeque<>(neighbors.get(start));
        while (!open.isEmpty()) {
            JavaClass next = open.pop();
            if (reached.add(next)) {
                open.addAll(neighbors.get(next));
            }
        }
        return reached;
    }

    private static JavaClass outermost(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }
}
