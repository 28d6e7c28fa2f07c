package dev.numera.house;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Examples in the Javadoc of packages, which show in about ten lines how each package is used. This test compiles each
 * example. It also runs the example, unless its first line, {@code // Given: ...}, declares variables that it needs. A
 * comment at the end of a line that declares a variable states the variable's value, which is checked, too.
 */
class PackageExamplesTest {
    private static final List<Path> ROOTS = List.of(Path.of("src/main/java"), Path.of("src/maintain/java"));
    private static final Pattern EXAMPLE =
            Pattern.compile("<pre>[{]@code\\n((?: [*].*\\n)+?) [*] }</pre>", Pattern.MULTILINE);
    private static final Pattern GIVEN = Pattern.compile("// Given: (.+)\\n");
    private static final Pattern RESULT = Pattern.compile(" *[\\w.]+(?:<\\w+>)? (\\w+) = .*; // (.+)");
    private static final int MAX_LINES = 13;
    /** Packages whose examples are not run: they read settings, call a deployment, or leave files. */
    private static final List<String> COMPILED_ONLY =
            List.of("dev.numera.functions", "dev.numera.maintain", "dev.numera.maintain.prove");

    @TempDir
    Path folder;

    static List<String> packages() {
        return ROOTS.stream()
                .flatMap(PackageExamplesTest::packagesBelow)
                .sorted()
                .toList();
    }

    private static Stream<String> packagesBelow(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files
                    .filter(file -> file.endsWith("package-info.java"))
                    .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("packages")
    void theExampleOfAPackageDoesWhatItSays(String name) throws IOException, ReflectiveOperationException {
        String example = example(name);
        assertTrue(example.lines().count() <= MAX_LINES, () -> "More than " + MAX_LINES + " lines:\n" + example);
        Matcher given = GIVEN.matcher(example);
        String parameters = given.lookingAt() ? given.group(1) : "";

        compile(program(name, parameters, example));

        if (parameters.isEmpty() && !COMPILED_ONLY.contains(name)) {
            run();
        }
    }

    private static Path folderOf(String name) {
        String path = name.replace('.', '/');
        return ROOTS.stream()
                .map(root -> root.resolve(path))
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow();
    }

    private static String example(String name) throws IOException {
        Matcher example = EXAMPLE.matcher(Files.readString(folderOf(name).resolve("package-info.java")));
        assertTrue(example.find(), () -> "The Javadoc of " + name + " has no <pre>{@code ... }</pre>.");
        return example.group(1).replaceAll("(?m)^ [*] ?", "");
    }

    /**
     * Returns a program with the example. It imports the package's own types by name, so that they take precedence over
     * types with the same name elsewhere.
     */
    private static String program(String name, String parameters, String example) throws IOException {
        String own;
        try (Stream<Path> files = Files.list(folderOf(name))) {
            own = files.filter(PackageExamplesTest::isPublicType)
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .map(type -> "import " + name + "." + type + ";\n")
                    .collect(joining());
        }
        String others =
                packages().stream().map(other -> "import " + other + ".*;\n").collect(joining());
        return own
                + others
                + """
                import com.microsoft.azure.functions.*;
                import dev.numera.contract.*;
                import dev.numera.fixtures.*;
                import java.io.*;
                import java.nio.file.*;
                import java.time.Duration;
                import java.time.Instant;
                import java.time.InstantSource;
                import java.time.LocalDate;
                import java.util.*;
                import java.util.concurrent.*;
                public class PackageExample {
                    public static void run(%s) throws Exception {
                        %s
                    }
                    static void same(String expected, Object actual) {
                        org.junit.jupiter.api.Assertions.assertEquals(expected, String.valueOf(actual));
                    }
                }
                """
                        .formatted(
                                parameters,
                                example.lines()
                                        .map(PackageExamplesTest::checked)
                                        .collect(joining("\n")));
    }

    private static boolean isPublicType(Path file) {
        try {
            return file.toString().endsWith(".java") && Files.readString(file).contains("\npublic ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String checked(String line) {
        Matcher result = RESULT.matcher(line);
        return result.matches()
                ? line + "\nsame(\"" + result.group(2).replace("\"", "\\\"") + "\", " + result.group(1) + ");"
                : line;
    }

    private void compile(String program) throws IOException {
        Path file = Files.writeString(folder.resolve("PackageExample.java"), program);
        StringWriter problems = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of("-d", folder.toString(), "-proc:none", "-classpath", classPath());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean isCompiled = compiler.getTask(
                            problems, files, null, options, null, files.getJavaFileObjects(file.toFile()))
                    .call();
            assertTrue(isCompiled, () -> problems + "\n" + program);
        }
    }

    private void run() throws IOException, ReflectiveOperationException {
        URL[] classes = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
            loader.loadClass("PackageExample").getMethod("run").invoke(null);
        } catch (InvocationTargetException e) {
            throw new AssertionError("The example failed: " + e.getCause(), e.getCause());
        }
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @Test
    void aStatedValueIsChecked() {
        assertEquals("long n = 1; // 2\nsame(\"2\", n);", checked("long n = 1; // 2"));
    }
}
