package dev.numera.clients;

import static dev.numera.clients.ClientLanguage.CLIENTS;
import static dev.numera.clients.ClientLanguage.SCENES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plays each way to lose a key of {@code src/test/scenes/misuse.json} in each language: the compiler refuses it, or the
 * client refuses it before anything is sent. A call that only the service can refuse is in
 * {@code RequiredKeysOverHttpIT}.
 */
@Timeout(300)
@Tag("long")
class MisuseTest {
    private static final String REFUSED = "refused";

    @TempDir
    Path folder;

    private static List<JsonNode> ways() throws IOException {
        JsonNode table =
                new ObjectMapper().readTree(SCENES.resolve("misuse.json").toFile());
        return StreamSupport.stream(table.spliterator(), false).toList();
    }

    private static boolean isLeftToTheCompiler(JsonNode way, String language) {
        return StreamSupport.stream(way.get("compile").spliterator(), false)
                .anyMatch(name -> name.asText().equals(language));
    }

    /** Returns the calls that a compiler does or does not refuse. */
    private static List<String> calls(String language, boolean isRefusedByCompiler) throws IOException {
        return ways().stream()
                .filter(way -> isLeftToTheCompiler(way, language) == isRefusedByCompiler)
                .map(way -> way.get(language).asText())
                .toList();
    }

    @Test
    void thereAreTenWays() throws IOException {
        assertEquals(10, ways().size());
    }

    @Test
    void javaScriptRefusesEachCall() throws Exception {
        StringBuilder program = new StringBuilder("import { Numera } from '"
                + CLIENTS.resolve("javascript/numera.js").toUri() + "';\n"
                + "const fetch = () => { throw new Error('sent'); };\nconst order = {};\n"
                + "const numera = new Numera({ url: 'http://127.0.0.1:1', fetch, tryForSeconds: 0.1 });\n"
                + "const refused = (e) => console.log(e instanceof TypeError ? 'refused' : e);\n");
        for (JsonNode way : ways()) {
            String call = way.get("javascript").asText();
            program.append("try { await ").append(call).append("; } catch (e) { refused(e); }\n");
        }

        assertAllRefused(ways().size(), Program.run("node", "--input-type=module", "-e", program.toString()));
    }

    @Test
    void typeScriptRefusesCallsAtCompileTime() throws Exception {
        Path compiler = Path.of("console", "node_modules", "typescript", "bin", "tsc");
        assumeTrue(Files.exists(compiler), "the console's compiler is not installed, so types are not checked");
        StringBuilder program = new StringBuilder("import { Numera } from '"
                + CLIENTS.resolve("javascript/numera.js") + "';\n"
                + "declare const numera: Numera, order: { id?: string };\n");
        for (JsonNode way : ways()) {
            if (isLeftToTheCompiler(way, "typescript")) {
                program.append("// @ts-expect-error\n")
                        .append(way.get("javascript").asText())
                        .append(";\n");
            }
        }
        Path file = Files.writeString(folder.resolve("misuse.mts"), program);
        List<String> options = List.of("--ignoreConfig", "--noEmit", "--strict", "--target", "es2022");
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of("--module", "nodenext", file.toString()));

        assertEquals(new Program(0, ""), Program.node(compiler, arguments));
    }

    @Test
    void pythonRefusesEachCall() throws Exception {
        assumeTrue(Program.isOnPath("python3"), "Python is not installed, so its client is not tried");
        StringBuilder program = new StringBuilder("from numera_client import Numera\norder = object()\n"
                + "numera = Numera('http://127.0.0.1:1', try_for_seconds=0.1)\n");
        for (JsonNode way : ways()) {
            program.append("try:\n    ")
                    .append(way.get("python").asText())
                    .append("\nexcept (TypeError, ValueError):\n    print('refused')\n");
        }

        Map<String, String> path = Map.of("PYTHONPATH", CLIENTS + "/python/src");
        assertAllRefused(ways().size(), Program.run(path, "python3", "-B", "-c", program.toString()));
    }

    @Test
    void goRefusesEachCall() throws Exception {
        assumeTrue(Program.isOnPath("go"), "Go is not installed, so its client is not tried");
        Files.writeString(
                folder.resolve("go.mod"),
                "module misuse\ngo 1.23\nrequire numera.dev/client v0.0.0\nreplace numera.dev/client => "
                        + CLIENTS.resolve("go") + "\n");
        List<String> wrong = calls("go", true);
        for (int i = 0; i < wrong.size(); i++) {
            goProgram("wrong" + i, List.of(wrong.get(i)));
        }
        List<String> rest = calls("go", false);
        goProgram("rest", rest);

        Map<String, String> environment = Map.of("GOTOOLCHAIN", "local", "GOFLAGS", "-buildvcs=false");
        Program vet = Program.run(environment, "go", "-C", folder.toString(), "build", "./...");
        for (int i = 0; i < wrong.size(); i++) {
            assertTrue(vet.output().contains("# misuse/wrong" + i), wrong.get(i));
        }
        assertAllRefused(rest.size(), Program.run(environment, "go", "-C", folder.toString(), "run", "./rest"));
    }

    private void goProgram(String name, List<String> calls) throws IOException {
        StringBuilder program = new StringBuilder(
                """
                package main

                import (
                	"context"
                	"errors"
                	"fmt"
                	"iter"
                	"time"

                	numera "numera.dev/client"
                )

                func first[T any](rows iter.Seq2[T, error]) (T, error) {
                	for row, err := range rows {
                		return row, err
                	}
                	return *new(T), nil
                }

                func show(err error) {
                	if errors.Is(err, numera.ErrInvalid) {
                		fmt.Println("refused")
                	} else {
                		fmt.Println(err)
                	}
                }

                func main() {
                	ctx := context.Background()
                	order := struct{ ID string }{}
                	_ = order
                	client, _ := numera.New(numera.Config{URL: "http://127.0.0.1:1", TryFor: time.Millisecond})
                	_, _ = first(client.Closings(ctx, ""))
                """);
        for (String call : calls) {
            program.append("\tif _, err := ").append(call).append("; err != nil {\n\t\tshow(err)\n\t}\n");
        }
        program.append("}\n");
        Files.createDirectories(folder.resolve(name));
        Files.writeString(folder.resolve(name).resolve("main.go"), program);
    }

    @Test
    void javaRefusesEachCall() throws Exception {
        Path classes = folder.resolve("classes");
        Program.compileJava(classes, CLIENTS.resolve("java/src/main/java"));
        List<String> wrong = calls("java", true);
        for (String call : wrong) {
            Program compiler = javac(classes, List.of(call));
            assertEquals(1, compiler.exit(), call);
            assertTrue(compiler.output().endsWith("1 error"), compiler.output());
        }
        List<String> rest = calls("java", false);
        assertEquals(new Program(0, ""), javac(classes, rest));

        assertAllRefused(rest.size(), Program.run(Program.jdk("java"), "-cp", classes.toString(), "Misuse"));
    }

    private Program javac(Path classes, List<String> calls) throws IOException, InterruptedException {
        StringBuilder program = new StringBuilder(
                """
                import dev.numera.client.*;
                import java.time.Duration;

                class Misuse {
                    record ShopOrder(String id) {}

                    public static void main(String[] arguments) {
                        ShopOrder order = new ShopOrder(null);
                        Numera numera = Numera.at("http://127.0.0.1:1").tryFor(Duration.ofMillis(1)).build();
                """);
        for (String call : calls) {
            program.append("try { ")
                    .append(call)
                    .append("; } catch (IllegalArgumentException e) { System.out.println(\"refused\"); }\n");
        }
        Path file = Files.writeString(folder.resolve("Misuse.java"), program + "}}\n");
        return Program.run(Program.jdk("javac"), "-cp", classes.toString(), "-d", classes.toString(), file.toString());
    }

    private static void assertAllRefused(int calls, Program run) {
        assertEquals(
                Stream.generate(() -> REFUSED).limit(calls).toList(),
                run.output().lines().toList());
    }
}
