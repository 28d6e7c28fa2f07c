package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.Program;
import dev.numera.localhost.Azurite;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that common generators build from {@code openapi.json}. Each compiles or can be imported, and the programs in
 * {@code src/test/clients} call the app with those for Java, Python, TypeScript and Go. Maven, pip, npm and Go install
 * the generators' dependencies. A test is skipped if its language is not installed.
 */
@Tag("long")
class GeneratedClientsIT {
    private static final Path HOME = Path.of("src", "test", "clients").toAbsolutePath();
    private static final Path WORK = Path.of("target", "clients").toAbsolutePath();
    private static final Path JARS = WORK.resolve("jars");
    private static final Path DOCUMENT =
            Path.of("src/main/resources/dev/numera/functions/openapi.json").toAbsolutePath();
    private static final String JAVA_HOME = System.getProperty("java.home");

    private static Azurite azurite;
    private static HostProcess host;

    @BeforeAll
    static void start() {
        azurite = Azurite.inMemory();
        host = HostProcess.start(azurite.connectionString(), Map.of(), Optional.of("secret"));
    }

    @AfterAll
    static void stop() {
        host.close();
        azurite.close();
    }

    @Test
    void javaMakesEveryCall() throws Exception {
        Path client = generate("java", "--library", "native");
        Path classes = emptied(WORK.resolve("java-classes"));
        List<String> compile = new ArrayList<>(List.of(
                jdk("javac"), "-nowarn", "-d", classes.toString(), "-cp", JARS + "/*", "" + file("Calls.java")));
        try (Stream<Path> sources = Files.walk(client.resolve("src/main/java"))) {
            sources.filter(source -> source.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(compile::add);
        }
        run(compile);
        makesEveryCall(
                List.of(jdk("java"), "-ea", "-cp", classes + File.pathSeparator + JARS + "/*", "Calls", url(), "java"));
    }

    @Test
    void pythonMakesEveryCall() throws Exception {
        Path client = generate("python");
        run(List.of(python(), "-W", "error", "-m", "compileall", "-q", client.toString()));
        makesEveryCall(List.of("env", "PYTHONPATH=" + client, python(), "" + file("calls.py"), url(), "python"));
    }

    @Test
    void goClientOfOapiCodegenWorks() throws Exception {
        Path folder = go("oapi");
        run(List.of(
                "go",
                "run",
                "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2",
                "-generate=types,client",
                "-package=api",
                "-o=" + folder.resolve("api.gen.go"),
                DOCUMENT.toString()));
        makesEveryCall(goProgram("oapi"));
    }

    @Test
    void goClientOfOgenWorks() throws Exception {
        Path folder = go("ogen");
        run(List.of(
                "go",
                "run",
                "github.com/ogen-go/ogen/cmd/ogen@v1.24.0",
                "--package=api",
                "--target=" + folder,
                DOCUMENT.toString()));
        makesEveryCall(goProgram("ogen"));
    }

    @Test
    void goClientOfOpenapiGeneratorWorks() throws Exception {
        Path folder = go("openapi");
        Path client =
                generate("go", "--package-name", "api", "--additional-properties", "useOneOfDiscriminatorLookup=true");
        try (Stream<Path> sources = Files.list(client)) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".go")).toList()) {
                Files.copy(source, folder.resolve(source.getFileName()));
            }
        }
        makesEveryCall(goProgram("openapi"));
    }

    @Test
    void typeScriptMakesEveryCall() throws Exception {
        Path work = typescript();
        Files.copy(file("calls.ts"), work.resolve("calls.ts"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(file("tsconfig.json"), work.resolve("tsconfig.json"), StandardCopyOption.REPLACE_EXISTING);
        run(List.of(bin(work, "openapi-typescript"), DOCUMENT.toString(), "-o", work.resolve("api.d.ts") + ""));
        run(List.of(bin(work, "tsc"), "-p", work.toString()));
        makesEveryCall(List.of("node", work.resolve("out/calls.js").toString(), url(), "typescript"));
    }

    @Test
    void typeScriptClientOfHeyApiWorks() throws Exception {
        typeScript("hey", "openapi-ts");
    }

    @Test
    void typeScriptClientOfOrvalWorks() throws Exception {
        typeScript("orval", "orval");
    }

    @Test
    void typeScriptFetchCompiles() throws Exception {
        Path client = generate("typescript-fetch");
        String compiler = bin(typescript(), "tsc");
        run(List.of(
                compiler, "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", client + "/index.ts"));
    }

    @Test
    void kotlinClientWorks() throws Exception {
        generate("kotlin");
        run(List.of(
                "env",
                "MAVEN_OPTS=-XX:TieredStopAtLevel=1",
                "mvn",
                "-B",
                "-ntp",
                "-q",
                // The daemon of the Kotlin compiler would keep running.
                "-Dkotlin.compiler.daemon=false",
                "-f",
                file("kotlin").toString()));
        Path built = WORK.resolve("kotlin-classes");
        String classPath = built.resolve("classes") + File.pathSeparator + built.resolve("dependency") + "/*";
        makesEveryCall(List.of(jdk("java"), "-cp", classPath, "CallsKt", url(), "kotlin"));
    }

    @Test
    void cSharpIsGeneratedAndCompilesWhereThereIsDotnet() throws Exception {
        Path client = generate("csharp");
        assertTrue(Files.exists(client.resolve("src/Org.OpenAPITools/Api/NumbersApi.cs")));
        assumeTrue(Program.isOnPath("dotnet"), "without dotnet the client for C# is not compiled");
        run(List.of("dotnet", "build", client.resolve("src/Org.OpenAPITools").toString()));
    }

    @Test
    void openapiPythonClientCanBeImported() throws Exception {
        String python = python();
        Path client = WORK.resolve("openapi-python-client");
        run(List.of(
                "env",
                "PATH=" + Path.of(python).getParent() + File.pathSeparator + System.getenv("PATH"),
                Path.of(python).resolveSibling("openapi-python-client").toString(),
                "generate",
                "--overwrite",
                "--path",
                DOCUMENT.toString(),
                "--output-path",
                client.toString()));
        String importAll = "import importlib, pkgutil, numera_client as n\n"
                + "for m in pkgutil.walk_packages(n.__path__, 'numera_client.'): importlib.import_module(m.name)\n"
                + "import numera_client.api.numbers.allocate";
        run(List.of("env", "PYTHONPATH=" + client, python, "-c", importAll));
    }

    @Test
    void definitionOfTheConnectorIsValid() throws Exception {
        Path script = typescript().resolve("validate.mjs");
        Files.copy(file("validate.mjs"), script, StandardCopyOption.REPLACE_EXISTING);
        Path connector = WORK.resolve("connector.json").toAbsolutePath();
        run(List.of(
                "node",
                Path.of("tools/connector.mjs").toAbsolutePath().toString(),
                DOCUMENT.toString(),
                connector.toString()));

        assertEquals(
                "2.0 true",
                run(List.of("node", script.toString(), connector.toString())).strip());
    }

    private static Path generate(String generator, String... options) throws Exception {
        Path jar = generator();
        Path client = emptied(WORK.resolve(generator));
        List<String> command = new ArrayList<>(List.of(
                jdk("java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar.toString(), "generate"));
        command.addAll(List.of("-g", generator, "-i", DOCUMENT.toString(), "-o", client.toString()));
        command.addAll(List.of(options));
        run(command);
        return client;
    }

    private static synchronized Path generator() throws Exception {
        Path jar = JARS.resolve("generator/openapi-generator-cli.jar");
        if (Files.notExists(jar)) {
            run(List.of("mvn", "-B", "-ntp", "-q", "-f", file("pom.xml").toString()));
        }
        return jar;
    }

    /** Requires the last line that the program prints. Go first reports its downloads on a fresh machine. */
    private static void makesEveryCall(List<String> program) throws Exception {
        String output = run(program).strip();
        assertEquals("Every call was made.", output.substring(output.lastIndexOf('\n') + 1), output);
        assertTrue(!host.output().contains("SEVERE"), host::output);
    }

    private static String url() {
        return host.baseUri() + "/api";
    }

    private static Path file(String name) {
        return HOME.resolve(name);
    }

    private static synchronized String python() throws Exception {
        assumeTrue(Program.isOnPath("python3"), "Python is not installed, so no client for it is tried");
        Path python = WORK.resolve("python-tools/bin/python");
        if (Files.notExists(python)) {
            run(List.of("python3", "-m", "venv", WORK.resolve("python-tools").toString()));
            run(List.of(
                    python.resolveSibling("pip").toString(),
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--requirement",
                    file("requirements.txt").toString()));
        }
        return python.toString();
    }

    /** Generates a client from the generator's configuration, in a folder of its own, and runs the program. */
    private static void typeScript(String program, String generator) throws Exception {
        Path work = emptied(typescript().resolve(program + "-client"));
        String configuration = generator + ".config.mjs";
        for (String name : List.of(program + ".ts", configuration)) {
            Files.copy(file(name), work.resolve(name));
        }
        Files.writeString(work.resolve("package.json"), "{\"type\": \"module\"}");
        run(List.of(
                "env",
                "--chdir=" + work,
                "DOCUMENT=" + DOCUMENT,
                "NUMERA_URL=" + url(),
                bin(work.getParent(), generator)));
        List<String> compile = new ArrayList<>(List.of(bin(work.getParent(), "tsc"), "--strict"));
        compile.addAll(List.of("--noUncheckedIndexedAccess", "--module", "nodenext", "--target", "es2022"));
        compile.addAll(List.of("--lib", "es2022,dom,dom.iterable", "--skipLibCheck", "--types"));
        compile.add(work.resolveSibling("node_modules/@types/node").toString());
        compile.add(work.resolve(program + ".ts").toString());
        run(compile);
        makesEveryCall(List.of("node", work.resolve(program + ".js").toString(), url(), "typescript-" + program));
    }

    /** Returns the folder of a generated package, next to the program that uses it. */
    private static Path go(String program) throws Exception {
        assumeTrue(Program.isOnPath("go"), "Go is not installed, so no client for it is tried");
        Path module = WORK.resolve("go-programs");
        Path api = emptied(module.resolve(program).resolve("api"));
        for (String name : List.of("go.mod", "go.sum", program + "/main.go")) {
            Files.copy(file("go").resolve(name), module.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        return api;
    }

    private static List<String> goProgram(String program) {
        return List.of(
                "go", "-C", WORK.resolve("go-programs").toString(), "run", "./" + program, url(), "go-" + program);
    }

    private static synchronized Path typescript() throws Exception {
        Path work = Files.createDirectories(WORK.resolve("node"));
        if (Files.notExists(work.resolve("node_modules"))) {
            for (String name : List.of("package.json", "package-lock.json", ".npmrc")) {
                Files.copy(file(name), work.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
            run(List.of("npm", "ci", "--prefix", work.toString(), "--ignore-scripts", "--no-audit", "--no-fund"));
        }
        return work;
    }

    private static String bin(Path work, String program) {
        return work.resolve("node_modules/.bin").resolve(program).toString();
    }

    private static String jdk(String program) {
        return Path.of(JAVA_HOME, "bin", program).toString();
    }

    private static Path emptied(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(File::delete);
            }
        }
        return Files.createDirectories(folder);
    }

    /** Runs the command and returns its output. */
    private static String run(List<String> command) throws IOException, InterruptedException {
        Files.createDirectories(WORK);
        Process process = new ProcessBuilder(command)
                .directory(WORK.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), () -> String.join(" ", command.subList(0, 2)) + "\n" + said);
        return said;
    }
}
