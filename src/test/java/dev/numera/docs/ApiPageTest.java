package dev.numera.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.OpenApiDocument;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that {@code GET /docs} serves: it is made from {@code openapi.json}, and whole. */
class ApiPageTest {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.OF_THE_APP;
    private static final Path PAGE = Path.of("src/main/resources/dev/numera/functions/docs.html");
    private static final Pattern ANCHOR = Pattern.compile("id=\"([^\"]+)\"");
    private static final Pattern LINK = Pattern.compile("href=\"([^\"]+)\"");

    @TempDir
    Path folder;

    @Test
    void pageIsThatOfTheDocument() throws IOException, InterruptedException {
        Path page = folder.resolve("docs.html");
        Program program = Program.node(Path.of("tools/api-page.mjs"), List.of(page.toString()));

        assertEquals(0, program.exit(), program.output());
        assertEquals(
                Files.readString(page),
                Files.readString(PAGE),
                "docs.html is out of date. Make it again: node tools/api-page.mjs");
    }

    @Test
    void everyCallAndEveryProblemHasAnAnchor() throws IOException {
        Set<String> anchors = found(ANCHOR);

        DOCUMENT.operations().forEach(operation -> assertTrue(anchors.contains(operation.id()), operation::id));
        for (JsonNode type : DOCUMENT.json().at("/components/schemas").findValues("type")) {
            String problem = type.at("/enum/0").asText();
            if (problem.startsWith("urn:problem-type:numera:")) {
                String name = problem.substring(problem.lastIndexOf(':') + 1);
                assertTrue(anchors.contains("problem-" + name), name);
            }
        }
    }

    @Test
    void everyFieldOfABodyOrAnAnswerIsListed() throws IOException {
        String page = Files.readString(PAGE);

        DOCUMENT.json().at("/components/schemas").properties().stream()
                .filter(schema -> !schema.getValue().has("oneOf"))
                .forEach(schema -> schema.getValue()
                        .path("properties")
                        .fieldNames()
                        .forEachRemaining(field -> {
                            assertTrue(
                                    page.contains("<code>" + field + "</code>"), () -> schema.getKey() + "." + field);
                            assertTrue(
                                    schema.getValue()
                                                            .at("/properties/type/enum")
                                                            .size()
                                                    == 1
                                            || page.contains("id=\"object-" + schema.getKey() + "\""),
                                    schema::getKey);
                        }));
    }

    @Test
    void everyLinkLeadsIntoThePageOrToTheDocument() throws IOException {
        Set<String> known = found(ANCHOR).stream().map(anchor -> "#" + anchor).collect(Collectors.toSet());
        known.add("openapi.json");
        Set<String> links = found(LINK);

        assertTrue(links.size() > 100, () -> links.size() + " links");
        links.removeAll(known);
        assertEquals(Set.of(), links);
    }

    @Test
    void pageHasNoScriptAndLoadsNothing() throws IOException {
        String page = Files.readString(PAGE);

        for (String loading :
                List.of("<script", "<link", "<img", "<iframe", "src=", "@import", "url(", "javascript:")) {
            assertFalse(page.contains(loading), loading);
        }
    }

    private static Set<String> found(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
