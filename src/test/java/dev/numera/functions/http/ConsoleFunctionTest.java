package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.functions.App;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console as the app serves it, from the bundle of this build. */
class ConsoleFunctionTest {
    private static final int MAX_PACKED_BYTES = 60 * 1024;
    /** The scripts of the first view before parts of the page became files of their own. */
    private static final int MAX_FIRST_SCRIPT_BYTES = 139_752;

    private static final int MAX_SCRIPT_BYTES = 3 * 221_762 / 2;
    private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"console/([^\"]+)\"");
    private static final Pattern LOADED_LATER = Pattern.compile("import\\(\"\\./([^\"]+)\"\\)");
    private static final Pattern IMPORTED = Pattern.compile("from\\s?\"\\./([^\"]+)\"");
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private final ConsoleFunction console = console(Map.of());

    private static ConsoleFunction console(Map<String, String> settings) {
        Map<String, String> environment = new TreeMap<>(settings);
        environment.put("NumeraStorage", "UseDevelopmentStorage=true");
        return new ConsoleFunction(new App(environment));
    }

    private static HttpResponseMessage page(ConsoleFunction console) {
        return console.console(Requests.of("/api/console", null, Map.of()));
    }

    private HttpResponseMessage file(String name) {
        return console.consoleFile(Requests.of("/api/console/x", null, Map.of()), name);
    }

    private static byte[] body(HttpResponseMessage answer) {
        return (byte[]) answer.getBody();
    }

    private List<String> loadedByThePage() {
        String page = new String(body(page(console)), StandardCharsets.UTF_8);
        return LOADED.matcher(page).results().map(found -> found.group(1)).toList();
    }

    @Test
    void pageRunsOnlyItsOwnScriptsAndIsRevalidated() {
        HttpResponseMessage page = page(console);

        assertEquals(200, page.getStatusCode());
        assertEquals("text/html; charset=utf-8", page.getHeader("Content-Type"));
        assertEquals("no-cache", page.getHeader("Cache-Control"));
        assertEquals(POLICY, page.getHeader("Content-Security-Policy"));
        assertEquals("nosniff", page.getHeader("X-Content-Type-Options"));
        assertEquals("no-referrer", page.getHeader("Referrer-Policy"));
    }

    @Test
    void cachedPageIsAnsweredNotModified() {
        String tag = page(console).getHeader("ETag");

        for (String tags : List.of(tag, "W/" + tag, "\"other\", " + tag)) {
            HttpResponseMessage again =
                    console.console(Requests.of("/api/console", null, Map.of("if-none-match", tags)));
            assertEquals(304, again.getStatusCode(), tags);
            assertEquals(tag, again.getHeader("ETag"));
            assertNull(again.getBody());
        }
        assertEquals(
                200,
                console.console(Requests.of("/api/console", null, Map.of("if-none-match", "\"other\"")))
                        .getStatusCode());
    }

    @Test
    void assetsOfThePageAreImmutableUnderTheirNames() {
        List<String> loaded = loadedByThePage();

        assertTrue(loaded.size() >= 4, loaded::toString);
        for (String name : loaded) {
            HttpResponseMessage file = file(name);
            assertEquals(200, file.getStatusCode(), name);
            assertEquals(POLICY, file.getHeader("Content-Security-Policy"));
            assertEquals("nosniff", file.getHeader("X-Content-Type-Options"));
            assertEquals(
                    name.contains("-") ? "public, max-age=31536000, immutable" : "no-cache",
                    file.getHeader("Cache-Control"),
                    name);
        }
        assertEquals(
                List.of("icon.svg"),
                loaded.stream().filter(name -> !name.contains("-")).toList());
    }

    @Test
    void rarelyNeededPartsAreFilesThatThePageLoadsLater() {
        List<String> later = imported(LOADED_LATER);

        assertEquals(
                List.of(
                        "changes",
                        "create",
                        "definition",
                        "ledger",
                        "lifecycle",
                        "listViews",
                        "monthEnd",
                        "poison",
                        "scopeMonths"),
                later.stream()
                        .map(name -> name.replaceFirst("-[^-]+$", ""))
                        .sorted()
                        .toList());
        for (String name : later) {
            assertEquals(200, file(name).getStatusCode(), name);
            assertEquals("public, max-age=31536000, immutable", file(name).getHeader("Cache-Control"), name);
        }
    }

    /** The page names them, so that the browser loads all of them together. The limit of the page counts them. */
    @Test
    void pageNamesEveryScriptThatItsScriptsImportAtOnce() {
        List<String> imported = imported(IMPORTED);

        assertFalse(imported.isEmpty());
        assertTrue(loadedByThePage().containsAll(imported), imported::toString);
    }

    /** Returns the names that a pattern finds in the scripts that the page loads at once. */
    private List<String> imported(Pattern pattern) {
        return loadedByThePage().stream()
                .filter(name -> name.endsWith(".js"))
                .map(name -> new String(body(file(name)), StandardCharsets.UTF_8))
                .flatMap(script -> pattern.matcher(script).results().map(found -> found.group(1)))
                .distinct()
                .toList();
    }

    @Test
    void trailingSlashRedirectsToThePage() {
        HttpResponseMessage answer = console.console(Requests.of("/api/console/", null, Map.of()));

        assertEquals(308, answer.getStatusCode());
        assertEquals("../console", answer.getHeader("Location"));
    }

    /** The last name exists next to the console's files but is not one of them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "..",
                "../openapi.json",
                "..%2Fopenapi.json",
                "/dev/numera/functions/openapi.json",
                "INDEX.HTML",
                "index.html",
                "index.html/",
                "files.properties"
            })
    void noOtherNameIsAFile(String name) {
        HttpResponseMessage answer = file(name);

        assertEquals(404, answer.getStatusCode());
        assertNull(answer.getBody());
    }

    @Test
    void consoleThatIsOffIsNotFound() {
        for (Map<String, String> settings :
                List.of(Map.of("Numera_Console", "off"), Map.of("WEBSITE_SITE_NAME", "func-numera"))) {
            ConsoleFunction off = console(settings);
            assertEquals(404, page(off).getStatusCode(), settings::toString);
            assertEquals(
                    404,
                    off.consoleFile(Requests.of("/api/console/icon.svg", null, Map.of()), "icon.svg")
                            .getStatusCode(),
                    settings::toString);
        }
    }

    @Test
    void consoleIsOnOnAzureOnlyWhenEnabled() {
        Map<String, String> settings = Map.of("WEBSITE_SITE_NAME", "func-numera", "Numera_Console", "on");

        assertEquals(200, page(console(settings)).getStatusCode());
    }

    @Test
    void aBadSettingIsNamed() {
        HttpResponseMessage answer = page(console(Map.of("Numera_Console", "maybe")));

        assertEquals(503, answer.getStatusCode());
        assertTrue(answer.getBody().toString().contains("The setting Numera_Console must be one of on, off."));
        assertFalse(answer.getBody().toString().contains("maybe"));
    }

    @Test
    void pageWithWhatItLoadsAtOnceStaysWithinItsLimit() throws IOException {
        int packed = packed(body(page(console)));
        for (String name : loadedByThePage()) {
            packed += packed(body(file(name)));
        }

        assertTrue(packed <= MAX_PACKED_BYTES, packed + " bytes packed");
    }

    @Test
    void scriptsOfTheFirstViewAndOfAllViewsStayWithinTheirLimits() {
        int first = loadedByThePage().stream()
                .filter(name -> name.endsWith(".js"))
                .mapToInt(name -> body(file(name)).length)
                .sum();
        Set<String> all = new TreeSet<>();
        List<String> found =
                loadedByThePage().stream().filter(name -> name.endsWith(".js")).toList();
        while (all.addAll(found)) {
            found = all.stream()
                    .map(name -> new String(body(file(name)), StandardCharsets.UTF_8))
                    .flatMap(script -> Stream.of(LOADED_LATER, IMPORTED)
                            .flatMap(
                                    pattern -> pattern.matcher(script).results().map(name -> name.group(1))))
                    .toList();
        }
        int sum = all.stream().mapToInt(name -> body(file(name)).length).sum();

        assertTrue(first <= MAX_FIRST_SCRIPT_BYTES, first + " bytes");
        assertTrue(sum > first && sum <= MAX_SCRIPT_BYTES, sum + " bytes");
    }

    private static int packed(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(content);
        }
        return packed.size();
    }
}
