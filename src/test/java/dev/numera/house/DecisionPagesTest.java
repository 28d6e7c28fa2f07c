package dev.numera.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Javadoc of a class names the decision pages that bind the class, so that a change of the class meets them. */
class DecisionPagesTest {
    private static final Path PAGES = Path.of("docs/decisions");
    private static final String LINK = PAGES + "/";
    private static final String PAGE = ".md";

    @Test
    void theJavadocOfClassesNamesEachDecisionPageAndNoOther() throws IOException {
        assertEquals(pages(), named().keySet(), "pages of " + PAGES + ", and those that classes name");
    }

    private static Set<String> pages() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(PAGE) && !file.equals("README.md"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** The files of the classes by the pages that their Javadoc names. */
    private static Map<String, Set<Path>> named() throws IOException {
        Map<String, Set<Path>> named = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            for (Path file : files.filter(DecisionPagesTest::isClass).toList()) {
                for (String page : pagesIn(Files.readString(file))) {
                    named.computeIfAbsent(page, any -> new TreeSet<>()).add(file);
                }
            }
        }
        return named;
    }

    private static boolean isClass(Path file) {
        return file.toString().endsWith(".java") && !file.endsWith("package-info.java");
    }

    private static Set<String> pagesIn(String source) {
        Set<String> pages = new TreeSet<>();
        int begin = source.indexOf("/**");
        while (begin >= 0) {
            int close = source.indexOf("*/", begin);
            int end = close < 0 ? source.length() : close;
            String javadoc = source.substring(begin, end);
            int link = javadoc.indexOf(LINK);
            while (link >= 0) {
                int name = link + LINK.length();
                int after = javadoc.indexOf(PAGE, name) + PAGE.length();
                pages.add(javadoc.substring(name, after));
                link = javadoc.indexOf(LINK, after);
            }
            begin = source.indexOf("/**", end);
        }
        return pages;
    }

    @Test
    void aPageCountsOnlyInTheJavadoc() {
        String source = "/** Decision: {@code " + LINK + "one.md}, and\n * " + LINK + "two.md. */ class X {\n"
                + "    // " + LINK + "three.md\n}\n/** No page. */\n";

        assertEquals(Set.of("one.md", "two.md"), pagesIn(source));
    }
}
