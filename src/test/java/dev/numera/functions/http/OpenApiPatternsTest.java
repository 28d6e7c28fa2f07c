package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.numera.core.format.Format;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.fixtures.OpenApiDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The patterns of the document allow everything that the code accepts. They allow nothing else as far as the regular
 * expressions of all languages can express the rule.
 */
class OpenApiPatternsTest {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.OF_THE_APP;
    private static final List<String> PIECES = List.of(
            "{n}",
            "{n:6}",
            "{n:0}",
            "{n:20}",
            "{n:3/4/3}",
            "{n:4 4 4-1}",
            "{n:0/3}",
            "{r:10}",
            "{r}",
            "{scope}",
            "{scope:6}",
            "{name}",
            "{yyyy}",
            "{yy}",
            "{MM}",
            "{dd}",
            "{DDD}",
            "{ww}",
            "{gggg}",
            "{fy}",
            "{fy:2}",
            "{fy:2-2}",
            "{fy:4}",
            "{q}",
            "{check:luhn}",
            "{check:mod97}",
            "{check:gs1}",
            "{check:mod11-10}",
            "{check:mod37-36}",
            "{check:be-ogm}",
            "{check:731}",
            "{check:mod10-recursive}",
            "{check:mod11:2-7:-}",
            "{check:mod11:2-9}",
            "{check:mod11:2-8}",
            "{check:iso11649}",
            "RF{check:iso11649}",
            "RF",
            "{check}",
            "{{",
            "}}",
            "{",
            "}",
            "A",
            "-",
            "7",
            "ä",
            "\t",
            " ");

    @Property
    void namesAreThoseOfTheCode(@ForAll("names") String name) {
        assertSame(name, parameter("Name"), () -> new SequenceName("any", name));
        assertSame(name, parameter("Scope"), () -> new SequenceName(name, "any"));
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings().withChars("Az09._~-/ \nä").ofMaxLength(65);
    }

    @Property
    void idempotencyKeysAreThoseOfTheCode(@ForAll("headers") String value) {
        JsonNode header = DOCUMENT.json().at("/paths/~1sequences~1{scope}~1{name}~1next/post/parameters/0/schema");
        assertSame(value, header, () -> new RequestHeaders(Map.of("idempotency-key", value), false).key());
    }

    @Provide
    Arbitrary<String> headers() {
        Arbitrary<String> any = Arbitraries.strings().withChars("ab \"\\~!\té").ofMaxLength(12);
        Arbitrary<String> quoted =
                Arbitraries.strings().withChars("ab\\\"").ofMaxLength(8).map(text -> '"' + text + '"');
        return Arbitraries.oneOf(
                any,
                quoted,
                Arbitraries.strings().withChars('k').ofMinLength(253).ofMaxLength(258));
    }

    /** The tests with Schemathesis send the keys that this pattern allows. */
    @Property
    void keysAreThoseOfTheCode(@ForAll("keys") String key) throws IOException {
        ObjectNode exact = schema("Key").deepCopy();
        exact.put(
                "pattern",
                Files.readString(Path.of("src/test/schemathesis/key.txt")).strip());

        assertSame(key, exact, () -> PrintableText.KEY.require("key", key));
    }

    @Property
    void otherTextsAreThoseOfTheCode(@ForAll("keys") String text) throws IOException {
        ObjectNode exact = schema("Key").deepCopy();
        exact.put("maxLength", PrintableText.REASON.maxUnits());
        exact.put(
                "pattern",
                Files.readString(Path.of("src/test/schemathesis/printable.txt")).strip());

        assertSame(text, exact, () -> PrintableText.REASON.require("reason", text));
    }

    @Property
    void patternDescribesEveryKeyOfTheCode(@ForAll("keys") String key) {
        if (isAccepted(() -> PrintableText.KEY.require("key", key))) {
            assertEquals(List.of(), DOCUMENT.violations(schema("Key"), new TextNode(key)), key);
        }
    }

    @Provide
    Arbitrary<String> keys() {
        Arbitrary<String> any = Arbitraries.strings()
                .withChars("ab \t\n\u0085\u00a0\u00ad\u200b\u200f\u202e\u2069\u2003\u2028\u3000\u3164\ufe0fäß\u05d0")
                .ofMaxLength(6);
        return Arbitraries.oneOf(
                any, Arbitraries.strings().withChars('ä').ofMinLength(253).ofMaxLength(258));
    }

    @Property
    void datesAreThoseOfTheCode(@ForAll("dates") String date) {
        assertSame(date, parameter("Date"), () -> FieldParsers.date("date", date));
    }

    @Provide
    Arbitrary<String> dates() {
        Arbitrary<String> plausible = Arbitraries.integers().between(0, 9999).flatMap(year -> Arbitraries.integers()
                .between(0, 13)
                .flatMap(month -> Arbitraries.integers().between(0, 32).map(day -> "%04d-%02d-%02d"
                        .formatted(year, month, day))));
        return Arbitraries.oneOf(
                plausible, Arbitraries.strings().withChars("019-+T").ofMaxLength(12));
    }

    /**
     * The pattern allows every template of the code, and more: it ignores widths against the range, whether digits
     * precede a check digit, and which week belongs to which year.
     */
    @Property
    void patternDescribesEveryTemplateOfTheCode(@ForAll("templates") String template) {
        if (isAccepted(() -> Format.compile(template))) {
            assertEquals(
                    List.of(),
                    DOCUMENT.violations(schema("DefinitionChange").at("/properties/format"), new TextNode(template)),
                    template);
        }
    }

    @Provide
    Arbitrary<String> templates() {
        return Arbitraries.of(PIECES).list().ofMinSize(1).ofMaxSize(5).map(pieces -> String.join("", pieces));
    }

    @Example
    void everyTimeZoneOfTheCodeIsDescribed() {
        List<String> undescribed = Stream.concat(
                        ZoneId.getAvailableZoneIds().stream(),
                        Stream.of("Z", "+1", "+01", "-01:30", "+013015", "UTC+01:00"))
                .filter(zone -> !DOCUMENT.violations(
                                schema("DefinitionChange").at("/properties/timeZone"), new TextNode(zone))
                        .isEmpty())
                .toList();

        assertEquals(List.of(), undescribed);
    }

    @Example
    void ifMatchIsThatOfTheCode() {
        for (String value : List.of(
                "*",
                "\"a\"",
                "\"a\", \"b\"",
                "W/\"a\"",
                "\"\"",
                "a",
                "\"a",
                "* , \"a\"",
                "\"a\" \"b\"",
                "\"a\"\"b\"",
                "\"a\",,\"b\"",
                ",\"a\" , ,\"b\",",
                "\"a\",",
                ",",
                "")) {
            assertSame(value, parameter("IfMatch"), () -> new RequestHeaders(Map.of("if-match", value), false)
                    .precondition());
        }
    }

    private static void assertSame(String value, JsonNode schema, Runnable code) {
        assertEquals(
                isAccepted(code),
                DOCUMENT.violations(schema, new TextNode(value)).isEmpty(),
                () -> "'" + value + "'");
    }

    private static boolean isAccepted(Runnable code) {
        try {
            code.run();
            return true;
        } catch (ProblemException refused) {
            return false;
        }
    }

    private static JsonNode parameter(String name) {
        return DOCUMENT.json().at("/components/parameters/" + name + "Parameter/schema");
    }

    private static JsonNode schema(String name) {
        return DOCUMENT.json().at("/components/schemas/" + name);
    }
}
