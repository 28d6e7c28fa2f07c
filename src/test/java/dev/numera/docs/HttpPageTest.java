package dev.numera.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code docs/http.md} says what {@code openapi.json} says. */
class HttpPageTest {
    private static final Path PAGE = Path.of("docs", "http.md");

    @Test
    void pageIsThatOfTheDocument() throws IOException {
        String page = HttpPage.fill(template());
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(PAGE, page);
        }

        assertEquals(
                page,
                Files.readString(PAGE),
                "docs/http.md is out of date. Write it anew: mvn test -Dtest=HttpPageTest -Drewrite=true");
    }

    private static String template() throws IOException {
        try (InputStream text = HttpPageTest.class.getResourceAsStream("http.md")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
