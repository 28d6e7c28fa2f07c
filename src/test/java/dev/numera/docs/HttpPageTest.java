package dev.numera.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.fixtures.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/http.md} agrees with {@code openapi.json}. */
class HttpPageTest {
    @TempDir
    Path folder;

    @Test
    void pageIsThatOfTheDocument() throws IOException, InterruptedException {
        Path page = folder.resolve("http.md");
        Program program = Program.node(Path.of("tools/http-page.mjs"), List.of(page.toString()));

        assertEquals(0, program.exit(), program.output());
        assertEquals(
                Files.readString(page),
                Files.readString(Path.of("docs", "http.md")),
                "docs/http.md is out of date. Regenerate it: node tools/http-page.mjs");
    }
}
