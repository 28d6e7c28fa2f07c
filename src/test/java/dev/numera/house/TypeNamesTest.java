package dev.numera.house;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Simple names of types in tests: each name identifies one type. */
class TypeNamesTest {
    private static final Path MAIN = Path.of("src/main/java");
    private static final Path MAINTAIN = Path.of("src/maintain/java");
    private static final Path TEST = Path.of("src/test/java");
    private static final Pattern DECLARATION = Pattern.compile(
            "^ *((?:(?:public|protected|private|static|final|abstract|sealed|non-sealed) )*)"
                    + "(?:class|interface|record|enum|@interface) (\\w+)",
            Pattern.MULTILINE);

    private record Declared(String name, Path file, boolean isPrivate) {}

    @Test
    void aTypeOfATestSharesItsNameWithNoneUnlessAllOfThemArePrivate() throws IOException {
        List<Declared> all = new ArrayList<>(declaredIn(MAIN, 200));
        all.addAll(declaredIn(MAINTAIN, 30));
        all.addAll(declaredIn(TEST, 200));

        Map<String, List<Declared>> shared = all.stream().collect(groupingBy(Declared::name)).entrySet().stream()
                .filter(named -> isShared(named.getValue()))
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));

        assertEquals(Map.of(), shared);
    }

    private static boolean isShared(List<Declared> alike) {
        return alike.size() > 1
                && alike.stream().anyMatch(type -> type.file().startsWith(TEST))
                && !alike.stream().allMatch(Declared::isPrivate);
    }

    private static List<Declared> declaredIn(Path folder, int atLeast) throws IOException {
        List<Declared> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher declaration = DECLARATION.matcher(Files.readString(file));
                while (declaration.find()) {
                    boolean isPrivate = declaration.group(1).contains("private");
                    types.add(new Declared(declaration.group(2), file, isPrivate));
                }
            }
        }
        assertTrue(types.size() > atLeast, () -> folder + " declares " + types.size() + " types");
        return types;
    }
}
