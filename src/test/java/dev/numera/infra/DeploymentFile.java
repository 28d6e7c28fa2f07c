package dev.numera.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A text file of the deployment and the names that it declares. Reads Bicep in the style of this project, with one item
 * per line.
 */
record DeploymentFile(String name, String text) {
    static final Path INFRA = Path.of("infra");

    static DeploymentFile read(String name) {
        try {
            return new DeploymentFile(name, Files.readString(Path.of(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all Bicep files of the deployment. */
    static Set<Path> bicepFiles() {
        try (Stream<Path> files = Files.walk(INFRA)) {
            Set<Path> found = new TreeSet<>(
                    files.filter(file -> file.toString().endsWith(".bicep")).toList());
            if (found.isEmpty()) {
                throw new IllegalStateException("There is no .bicep file in " + INFRA + ".");
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A parameter of a Bicep file, set off by a blank line.
     *
     * @param byDefault the default value without quotes
     * @param bounds "from 1 to 10" or "one of a, b" from its decorators; empty without them
     */
    record Parameter(String name, String byDefault, String bounds) {}

    Parameter parameter(String parameter) {
        Matcher declared = Pattern.compile(
                        "(?m)^((?:(?!param )\\S.*\\R| .*\\R)*)param " + parameter + " \\w+ = '?(.*?)'?$")
                .matcher(text);
        if (!declared.find()) {
            throw new IllegalStateException(name + " has no parameter " + parameter + " with a default.");
        }
        return new Parameter(parameter, declared.group(2), bounds(declared.group(1)));
    }

    private static String bounds(String decorators) {
        if (decorators.contains("@allowed(")) {
            String allowed = decorators.substring(decorators.indexOf("@allowed("));
            return "one of "
                    + Pattern.compile("(?m)^  '?([^'\\n]+)'?$")
                            .matcher(allowed)
                            .results()
                            .map(match -> match.group(1))
                            .collect(Collectors.joining(", "));
        }
        Matcher range = Pattern.compile("@minValue\\((-?\\d+)\\)\\R@maxValue\\((-?\\d+)\\)")
                .matcher(decorators);
        return range.find() ? "from " + range.group(1) + " to " + range.group(2) : "";
    }

    /** Returns the parameters that a Bicep file takes. */
    Set<String> parameters() {
        return all("(?m)^param (\\w+) ", text);
    }

    /** Returns each text that the expression's group matches in the file. */
    Set<String> all(String expression) {
        return all(expression, text);
    }

    /** Returns each name and value that the expression's two groups match in the file. */
    Map<String, String> pairs(String expression) {
        Map<String, String> found = new TreeMap<>();
        Pattern.compile(expression).matcher(text).results().forEach(match -> found.put(match.group(1), match.group(2)));
        return found;
    }

    private static Set<String> all(String expression, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = Pattern.compile(expression).matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
