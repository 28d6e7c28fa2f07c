package dev.numera.input;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.functions.App;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The cost of the app's regular expressions: at most proportional to their input, whatever the input is. An If-Match of
 * 30,000 blanks once took six seconds. The test counts how often a text's characters are read, not the time.
 */
class RegularExpressionsTest {
    private static final List<Path> SOURCES = List.of(Path.of("src/main/java"), Path.of("src/maintain/java"));
    private static final int LONG_UNITS = 20_000;
    /** The longest repetition with an upper bound has 63 characters and is tried again from each position. */
    private static final int LOOKS_PER_UNIT = 200;
    /** A character that no sample contains. */
    private static final String MISMATCH = "\u0001";

    /**
     * Samples: each expression finds its own. The test repeats pieces of the sample and mixes them with other
     * characters.
     */
    private static final Map<String, String> SAMPLES = Map.ofEntries(
            entry(";", "0;2"),
            entry("[a-z0-9]{3,24}", "stnumera1"),
            entry("[^\\w.~-]", "a/b"),
            entry("-?[1-9][0-9]{0,10}+|0", "-47"),
            entry("\\p{L}++", "Mar"),
            entry("\\p{Nd}++", "47"),
            entry(" ", "mon tue"),
            entry(";\\s{0,9}charset=\"?([^\"; ]{1,40})", "; charset=\"utf-8"),
            entry("#(?:[\\u00A1\\u00BF]?\\p{Lu}{2,20}(?:/0)?[!?]|N/[ABDV]|NV|#{1,255})|Err:\\d{3}", "#WERT!"),
            entry("[1-9]\\d{4}(?:[.,]\\d{1,15})?", "45678,25"),
            entry("\\d(?:[.,]\\d{1,15})?E\\+\\d{2,3}", "4,70012E+12"),
            entry("\\{\"insertedAt\": \"([-:TZ\\d]{20})\"}\n", "{\"insertedAt\": \"2026-11-21T12:40:00Z\"}\n"),
            entry("\\G\\s*+((?:W/)?+\"[\\x21\\x23-\\x7e]*+\")\\s*+(?:,|\\z)", " W/\"a\" ,"),
            entry("(?i)application/([a-z0-9.+-]+\\+)?json\\s*(;.*)?", "application/a+json ;x"),
            entry("-?[0-8]?[0-9]{1,18}", "-10"),
            entry("[0-9a-f]{32}", "0".repeat(32)),
            entry("[A-Za-z0-9][A-Za-z0-9._~-]{0,62}", "a-0"),
            entry("~|[A-Za-z0-9](?:[A-Za-z0-9._~-]{0,62}|[A-Za-z0-9._~-]{0,61}\\*)", "eu-*"),
            entry("[A-Za-z0-9._:@-]{1,80}", "aad:8c1e"),
            entry("[0-9A-Za-z-]{1,100}", "a-0"),
            entry(",", ","),
            entry("0+", "0"),
            entry("mod11:2-([79])(?::([X01-]))?", "mod11:2-7:X"),
            entry("(?:W/)?\"[\\x21\\x23-\\x7e]*\"", "W/\"a\""),
            entry("=\"([^\"]*)\"", "=\"00123\""),
            entry("[1-9]\\d{0,6}", "1000"),
            entry("/", "/"),
            entry("\\?\\s*$", "? "),
            entry("\\Qservice-mark/\\E\\d{6}\\Q.json\\E", "service-mark/000001.json"),
            entry(
                    "(?<year>\\d{4})(?<mark>[-./])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "2026-11-21T10:00:00.5+01:00"),
            entry(
                    "(?<year>(?:19|20|21)\\d{2})(?<month>\\d{2})(?<day>\\d{2})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "20261121 10:00"),
            entry(
                    "(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4}|\\d{2})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "21.11.2026, 10:00:00"),
            entry(
                    "(?<day>\\d{1,2})/(?<month>\\d{1,2})/(?<year>\\d{4}|\\d{2})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "21/11/2026 1:00 pm"),
            entry(
                    "(?<day>\\d{1,2})-(?<month>\\d{1,2})-(?<year>\\d{4}|\\d{2})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "21-11-26T10:00Z"),
            entry(
                    "(?<month>\\d{1,2})\\.(?<day>\\d{1,2})\\.(?<year>\\d{4}|\\d{2})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "11.21.2026"),
            entry(
                    "(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4}|\\d{2})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "11/21/2026 10:00"),
            entry(
                    "(?<month>\\d{1,2})-(?<day>\\d{1,2})-(?<year>\\d{4}|\\d{2})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "11-21-26"),
            entry(
                    "(?<day>\\d{1,2})\\.?[ -](?<month>\\p{L}{3,10})\\.?,?[ -](?<year>\\d{4}|\\d{2})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "21. Nov., 2026 10:00"),
            entry(
                    "(?<month>\\p{L}{3,10})\\.? (?<day>\\d{1,2}),? (?<year>\\d{4})"
                            + "(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[ \\u00A0\\u202F]?[AaPp][Mm])?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?",
                    "November 21, 2026 1:00 AM"),
            entry("[^/\\s\"]+/[^/\\s\"]+", "text/csv"),
            entry("(?:0(?:\\.[0-9]{0,3})?)|(?:1(?:\\.0{0,3})?)", "0.5"),
            entry("(?i)(?:^|;)\\s*AccountKey=([^;]*)", "; AccountKey=a;"),
            entry("(?m)^HTTP/1\\.1 (\\d{3})", "\nHTTP/1.1 200"),
            entry("(?im)^ETag:[ \\t]*+(\\S.*+)$", "\nETag: \"a\" \r\n"),
            entry("\\bstorage;dur=(\\d{1,9}(?:\\.\\d{1,6})?)\\b", "storage;dur=1.5"),
            entry("[+-]\\d++(?:[.,]\\d++)?+", "-1.5"),
            entry("-?\\d{1,9}", "-10"),
            entry("[1-9][0-9]?", "10"),
            entry("[1-9]\\d{0,17}", "1000"),
            entry("-?\\d{1,19}", "-10"),
            entry("\\s", " "),
            entry("\\s+", " "),
            entry(";.*", ";a"),
            // The replacement text that a Matcher inserts for each match.
            entry("", ""),
            entry(";\\s*q=0(\\.0*)?\\s*(;|$)", "; q=0.0 ;"),
            entry(
                    "(?s), from `[^`]*`|(: enable `| \\(bound as | \\(start marker at | \\(not recognized as ).*",
                    ", from `a`: enable `a`"),
            entry("/$", "/"),
            entry("&", "&"));

    /**
     * A call of a String method that takes a regular expression. The group captures the expression if it is a literal.
     */
    private static final Pattern CALL = Pattern.compile(
            "\\.(?:matches|split|splitWithDelimiters|replaceAll|replaceFirst)\\((?!\\))(?:\"((?:[^\"\\\\]|\\\\.)*)\"[,)])?");

    @Test
    void everyExpressionIsLinear() throws IOException {
        Map<String, Pattern> expressions = expressions();
        assertTrue(expressions.size() > 10, expressions::toString);
        List<String> slow = new ArrayList<>();
        expressions.forEach((name, expression) -> slowText(name, expression).ifPresent(slow::add));

        assertEquals(List.of(), slow, "looked at more than " + LOOKS_PER_UNIT + " times for each character");
    }

    @Test
    void everyExpressionIsAConstant() throws IOException {
        List<String> others = new ArrayList<>();
        for (Path source : sources()) {
            String unbroken = Files.readString(source).replaceAll("=\\n\\s+Pattern", "= Pattern");
            for (String line : unbroken.lines().toList()) {
                boolean compiles = line.contains("Pattern.compile(") || line.contains("Pattern.matches(");
                boolean isField = line.matches("\\s+(private )?static final Pattern [A-Z_]+ = Pattern\\.compile\\(.*");
                boolean takesOther = CALL.matcher(line).results().anyMatch(call -> call.group(1) == null);
                if (compiles && !isField || takesOther) {
                    others.add(source.getFileName() + ": " + line.strip());
                }
            }
        }

        assertEquals(List.of(), others, "make it a Pattern in a static field, or a literal, so that it is tried");
    }

    private static Map<String, Pattern> expressions() throws IOException {
        Map<String, Pattern> expressions = new TreeMap<>();
        for (Path source : sources()) {
            Matcher call = CALL.matcher(Files.readString(source));
            while (call.find()) {
                if (call.group(1) != null) {
                    String literal = call.group(1).translateEscapes();
                    expressions.put(source.getFileName() + " " + literal, Pattern.compile(literal));
                }
            }
        }
        for (Class<?> type : classes()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == Pattern.class) {
                    expressions.put(type.getSimpleName() + "." + field.getName(), constant(field));
                }
            }
        }
        return expressions;
    }

    private static Pattern constant(Field field) {
        try {
            field.setAccessible(true);
            return (Pattern) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(field + " cannot be read.", e);
        }
    }

    /** Returns the first text that is slow, if any. */
    private static Optional<String> slowText(String name, Pattern expression) {
        String sample = SAMPLES.get(expression.pattern());
        assertTrue(
                sample != null && expression.matcher(sample).find(),
                () -> "Add to SAMPLES a text that the expression of " + name + " finds: " + expression.pattern());
        for (String piece : pieces(sample + " \t" + MISMATCH)) {
            String run = piece.repeat(LONG_UNITS / piece.length()) + MISMATCH;
            for (int place = 0; place <= sample.length(); place++) {
                if (isSlow(expression, sample.substring(0, place) + run + sample.substring(place))) {
                    return Optional.of(name + ": '" + piece + "' over and over in '" + sample + "' at " + place);
                }
            }
        }
        return Optional.empty();
    }

    /** Returns all parts of the text that are one or two characters long. */
    private static Set<String> pieces(String text) {
        Set<String> pieces = new TreeSet<>();
        for (int from = 0; from < text.length(); from++) {
            pieces.add(text.substring(from, from + 1));
            pieces.add(text.substring(from, Math.min(from + 2, text.length())));
        }
        return pieces;
    }

    private static boolean isSlow(Pattern expression, String text) {
        long allowed = (long) text.length() * LOOKS_PER_UNIT;
        try {
            expression.matcher(new CountedText(text, allowed)).matches();
            expression.matcher(new CountedText(text, allowed)).results().count();
            return false;
        } catch (CountedText.LookedAtTooOften e) {
            return true;
        }
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path root : SOURCES) {
            try (Stream<Path> files = Files.walk(root)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    private static List<Class<?>> classes() throws IOException {
        Path root = root();
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = root.relativize(file)
                        .toString()
                        .replace(".class", "")
                        .replace(file.getFileSystem().getSeparator(), ".");
                classes.add(Class.forName(name));
            }
        } catch (ClassNotFoundException e) {
            throw new AssertionError("A class that was compiled is not there.", e);
        }
        return classes;
    }

    private static Path root() {
        try {
            return Path.of(App.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError("The app's classes are in no directory.", e);
        }
    }
}
