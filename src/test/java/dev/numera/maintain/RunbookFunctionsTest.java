package dev.numera.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The runbook disables exactly the functions that write. */
class RunbookFunctionsTest {
    private static final Path SOURCES = Path.of("src", "main", "java");

    /**
     * Functions that are no GET and write nothing: they look at a file, parse a text, preview a definition, or count
     * messages.
     */
    private static final Set<String> READ = Set.of("InspectImport", "ParseText", "Preview", "WatchPoison");

    @Test
    void theRunbookDisablesEachFunctionThatWrites() throws IOException {
        Set<String> writing = new TreeSet<>();
        Set<String> reading = new TreeSet<>();
        for (Method function : functions()) {
            (reads(function) ? reading : writing)
                    .add(function.getAnnotation(FunctionName.class).value());
        }

        assertFalse(reading.isEmpty());
        assertEquals(writing, disabled());
    }

    private static Set<String> disabled() throws IOException {
        Matcher list =
                Pattern.compile("(?m)^W=\"([\\w ]+)\"$").matcher(Files.readString(Path.of("docs", "operations.md")));
        assertEquals(true, list.find());
        return new TreeSet<>(List.of(list.group(1).split(" ")));
    }

    private static boolean reads(Method function) {
        return READ.contains(function.getAnnotation(FunctionName.class).value())
                || Stream.of(function.getParameters())
                        .map(RunbookFunctionsTest::methods)
                        .filter(Objects::nonNull)
                        .anyMatch(methods -> methods.equals(Set.of(HttpMethod.GET)));
    }

    private static Set<HttpMethod> methods(Parameter parameter) {
        HttpTrigger trigger = parameter.getAnnotation(HttpTrigger.class);
        return trigger == null ? null : Set.of(trigger.methods());
    }

    private static List<Method> functions() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES.resolve("dev/numera/functions"))) {
            return files.filter(file -> file.toString().matches(".*Functions?\\.java"))
                    .map(RunbookFunctionsTest::compiled)
                    .flatMap(type -> Stream.of(type.getMethods()))
                    .filter(method -> method.isAnnotationPresent(FunctionName.class))
                    .toList();
        }
    }

    private static Class<?> compiled(Path source) {
        String name = SOURCES.relativize(source).toString().replaceAll("\\W", ".");
        try {
            return Class.forName(name.substring(0, name.length() - ".java".length()));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(source + " is not compiled.", e);
        }
    }
}
