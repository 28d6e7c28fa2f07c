package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.fixtures.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recipes in {@code docs/containers.md} fit the libraries that they call: the Java recipe compiles, and the Node
 * recipe has the right types. No test runs them, because no container engine is available.
 */
@Tag("long")
class ContainerRecipesIT {
    private static final Path HOME = Path.of("src", "test", "containers").toAbsolutePath();
    private static final Path JARS = Path.of("target", "containers", "jars").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void recipeForJavaCompiles() throws Exception {
        Program maven = Program.run("mvn", "-B", "-ntp", "-q", "-f", HOME.toString());
        assertEquals(0, maven.exit(), maven.output());
        Path source = Files.writeString(
                folder.resolve("Recipe.java"),
                """
                import org.testcontainers.containers.GenericContainer;
                import org.testcontainers.containers.wait.strategy.Wait;

                class Recipe {
                    static String url() {
                %s        return url;
                    }
                }
                """
                        .formatted(recipe("java")));

        Program compiler =
                Program.run(Program.jdk("javac"), "-cp", JARS + "/*", "-d", folder.toString(), source.toString());

        assertEquals(new Program(0, ""), compiler);
    }

    @Test
    void recipeForNodeHasTheRightTypes() throws Exception {
        Program.installPackages(HOME);
        Files.createSymbolicLink(folder.resolve("node_modules"), HOME.resolve("node_modules"));
        Files.writeString(folder.resolve("package.json"), "{\"type\": \"module\"}");
        Path source =
                Files.writeString(folder.resolve("recipe.ts"), recipe("js") + "export const api: string = url;\n");

        Path compiler = HOME.resolve("node_modules/typescript/bin/tsc");
        List<String> options = List.of(
                "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "" + source);
        assertEquals(new Program(0, ""), Program.node(compiler, options));
    }

    private static String recipe(String language) throws IOException {
        Matcher block = Pattern.compile("(?s)```" + language + "\\n(.*?)```")
                .matcher(Files.readString(Path.of("docs", "containers.md")));
        if (!block.find()) {
            throw new AssertionError("docs/containers.md has no recipe in the language " + language + ".");
        }
        return block.group(1);
    }
}
