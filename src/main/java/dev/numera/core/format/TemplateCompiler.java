package dev.numera.core.format;

import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a template to its parts, and checks the rules for templates. Every refusal is for field {@code format}. One
 * instance compiles one template; not thread-safe.
 */
final class TemplateCompiler {
    private static final Pattern WIDTH = Pattern.compile("[1-9][0-9]?");

    /** A part with its source in the template, and the position of the source's first character, from 1. */
    private record Placed(FormatPart part, String source, int position) {
        ProblemException refused(String reason) {
            return TemplateCompiler.refused(source + " at character " + position + " " + reason);
        }
    }

    private final String template;
    private final List<Placed> parts = new ArrayList<>();
    private final StringBuilder literal = new StringBuilder();
    private int literalStart;
    private int at;

    private TemplateCompiler(String template) {
        this.template = template;
    }

    static List<FormatPart> compile(String template) {
        return parts(placed(template));
    }

    /**
     * Compiles the template of a new format, and also applies the rules that later versions added. Existing sequences
     * keep formats that break these rules.
     */
    static List<FormatPart> declare(String template) {
        List<Placed> parts = placed(template);
        checkOfNumber(parts);
        belgianCheck(parts);
        return parts(parts);
    }

    private static List<FormatPart> parts(List<Placed> parts) {
        return parts.stream().map(Placed::part).toList();
    }

    private static List<Placed> placed(String template) {
        if (template.length() > Format.MAX_TEMPLATE_LENGTH) {
            throw refused(
                    "the template has " + template.length() + " characters: use at most " + Format.MAX_TEMPLATE_LENGTH);
        }
        List<Placed> parts = new TemplateCompiler(template).parts();
        oneNumber(parts);
        oneCheckAfterDigits(parts);
        weekWithItsYear(parts);
        boundedTexts(parts);
        return parts;
    }

    private static ProblemException refused(String reason) {
        return InvalidRequest.because("format", reason);
    }

    private List<Placed> parts() {
        while (at < template.length()) {
            if (template.startsWith("{{", at)) {
                literal("{", 2);
            } else if (template.startsWith("}}", at)) {
                literal("}", 2);
            } else if (template.charAt(at) == '{') {
                endLiteral();
                token();
            } else if (template.charAt(at) == '}') {
                throw refused("the } at character " + (at + 1) + " closes no token: write }} for a brace in the text");
            } else {
                String character = printableCharacter();
                literal(character, character.length());
            }
        }
        endLiteral();
        return parts;
    }

    private void literal(String text, int sourceLength) {
        if (literal.isEmpty()) {
            literalStart = at;
        }
        literal.append(text);
        at += sourceLength;
    }

    private void endLiteral() {
        if (!literal.isEmpty()) {
            parts.add(new Placed(new FormatPart.Literal(literal.toString()), literal.toString(), literalStart + 1));
            literal.setLength(0);
        }
    }

    private void token() {
        int end = template.indexOf('}', at);
        int next = template.indexOf('{', at + 1);
        if (end < 0 || next >= 0 && next < end) {
            throw refused("the { at character " + (at + 1)
                    + " is never closed: add a }, or write {{ for a brace in the text");
        }
        String token = template.substring(at + 1, end);
        parts(token).forEach(part -> parts.add(new Placed(part, "{" + token + "}", at + 1)));
        at = end + 1;
    }

    private List<FormatPart> parts(String token) {
        DateToken dateToken = DateToken.of(token);
        return dateToken == null ? List.of(part(token)) : dateParts(dateToken);
    }

    private static List<FormatPart> dateParts(DateToken token) {
        FormatPart field = new FormatPart.DateField(token);
        return token == DateToken.FISCAL_YEAR_BEGINNING
                ? List.of(
                        field, new FormatPart.Literal("-"), new FormatPart.DateField(DateToken.FISCAL_YEAR_OF_CENTURY))
                : List.of(field);
    }

    private FormatPart part(String token) {
        int colon = token.indexOf(':');
        String name = colon < 0 ? token : token.substring(0, colon);
        String argument = colon < 0 ? null : token.substring(colon + 1);
        if (name.equals("check")) {
            CheckMethod method = method(token, argument);
            return method == CheckDigit.ISO11649 ? new FormatPart.ReferenceCheck(method) : new FormatPart.Check(method);
        }
        if (argument == null) {
            return plain(token);
        }
        return switch (name) {
            case "n" -> new FormatPart.Number(groups(token, argument));
            case "r" -> new FormatPart.ReversedNumber(width(token, argument));
            case "scope" -> new FormatPart.Scope(width(token, argument));
            default -> throw unknown(token);
        };
    }

    private FormatPart plain(String token) {
        return switch (token) {
            case "n" -> new FormatPart.Number(Grouping.none(1));
            case "scope" -> new FormatPart.Scope(0);
            case "name" -> new FormatPart.Name();
            case "r" ->
                throw refused(here(token) + " needs a width, such as {r:10}: only texts of one length sort in reverse");
            default -> throw unknown(token);
        };
    }

    private Grouping groups(String token, String argument) {
        if (!Grouping.isMeantBy(argument)) {
            return Grouping.none(width(token, argument));
        }
        return Grouping.of(argument)
                .orElseThrow(() -> refused("the groups in " + here(token)
                        + " must be widths such as 3/4/3, separated by" + " a blank, '.', '/' or '-', with at most "
                        + ZeroPadded.MAX_DIGITS + " digits together"));
    }

    private int width(String token, String argument) {
        if (!WIDTH.matcher(argument).matches() || Integer.parseInt(argument) > ZeroPadded.MAX_DIGITS) {
            throw refused("the width in " + here(token) + " must be a number from 1 to " + ZeroPadded.MAX_DIGITS);
        }
        return Integer.parseInt(argument);
    }

    private CheckMethod method(String token, @Nullable String argument) {
        String name = argument == null ? "" : argument;
        return CheckDigit.named(name)
                .or(() -> WeightedModulus11.named(name))
                .orElseThrow(() -> refused(here(token) + " names no method: use one of " + checks()));
    }

    private ProblemException unknown(String token) {
        String dates = Stream.of(DateToken.values())
                .map(date -> "{" + date.token() + "}")
                .collect(Collectors.joining(" "));
        return refused(here(token) + " is not a token: use one of {n} {n:6} {r:10} {scope} {scope:6} {name} " + dates
                + " " + checks() + ", or write {{ for a brace in the text");
    }

    private static String checks() {
        return Stream.concat(Stream.of(CheckDigit.values()).map(CheckDigit::token), WeightedModulus11.tokens().stream())
                .map(token -> "{" + token + "}")
                .collect(Collectors.joining(" "));
    }

    private String here(String token) {
        return "{" + token + "} at character " + (at + 1);
    }

    /** Returns the character at the present position, as a string of one or two UTF-16 units. */
    private String printableCharacter() {
        int character = template.codePointAt(at);
        if (PrintableText.isInvisible(character)) {
            throw refused("the character at " + (at + 1) + " (U+"
                    + Integer.toHexString(character).toUpperCase(Locale.ROOT)
                    + ") is invisible: leave it out");
        }
        return Character.toString(character);
    }

    private static void oneNumber(List<Placed> parts) {
        List<Placed> numbers = parts.stream().filter(TemplateCompiler::isNumber).toList();
        if (numbers.isEmpty()) {
            throw refused("the template has no number: put {n}, {n:6} or {r:10} into it");
        }
        if (numbers.size() > 1) {
            throw numbers.get(1).refused("is a second number: keep one of {n} and {r}");
        }
    }

    private static void oneCheckAfterDigits(List<Placed> parts) {
        List<Placed> checks = parts.stream()
                .filter(placed -> placed.part() instanceof FormatPart.Checking)
                .toList();
        if (checks.size() > 1) {
            throw checks.get(1).refused("is a second check: keep one");
        }
        checks.forEach(check -> placedWell(check, parts));
    }

    private static void placedWell(Placed check, List<Placed> parts) {
        if (check.part() instanceof FormatPart.ReferenceCheck) {
            boolean isAfterPrefix =
                    parts.indexOf(check) == 1 && parts.get(0).source().equals(FormatPart.ReferenceCheck.PREFIX);
            if (!isAfterPrefix) {
                throw check.refused("must follow RF at the start of the text, as in RF" + check.source() + "{n}");
            }
        } else if (!isAfterDigits(check, parts)) {
            throw check.refused("may have no digit before it to check: put it after the number");
        }
    }

    /**
     * Refuses a check before the number. Its digits would be the same in every text and would detect no wrong number.
     */
    private static void checkOfNumber(List<Placed> parts) {
        for (Placed placed : parts) {
            if (isNumber(placed)) {
                return;
            }
            if (placed.part() instanceof FormatPart.Check) {
                Placed number = parts.stream()
                        .filter(TemplateCompiler::isNumber)
                        .findFirst()
                        .orElseThrow();
                throw placed.refused("covers no digit of the number: put it after " + number.source() + " at character "
                        + number.position());
            }
        }
    }

    /** Refuses the check of ISO 7064 in a text that looks like a Belgian structured communication. */
    private static void belgianCheck(List<Placed> parts) {
        boolean looksBelgian = parts.stream()
                .anyMatch(placed -> placed.part() instanceof FormatPart.Literal literal
                        && (literal.text().contains("+++") || literal.text().contains("***")));
        for (Placed placed : parts) {
            if (looksBelgian && placed.part() instanceof FormatPart.Check check && check.method() == CheckDigit.MOD97) {
                throw placed.refused("is the check of ISO 7064, but the text looks like a Belgian structured"
                        + " communication: use {check:be-ogm}, as in +++{n:3/4/3}{check:be-ogm}+++");
            }
        }
    }

    private static boolean isAfterDigits(Placed check, List<Placed> parts) {
        CheckMethod method = ((FormatPart.Check) check.part()).method();
        return parts.subList(0, parts.indexOf(check)).stream().anyMatch(placed -> isCovered(placed.part(), method));
    }

    private static boolean isCovered(FormatPart part, CheckMethod method) {
        if (part instanceof FormatPart.Literal literal) {
            return literal.text().chars().anyMatch(character -> method.covers((char) character));
        }
        boolean maybeWithoutDigits =
                part instanceof FormatPart.Scope scope ? !scope.isPadded() : part instanceof FormatPart.Name;
        return !maybeWithoutDigits || method.covers('A');
    }

    private static void weekWithItsYear(List<Placed> parts) {
        Optional<Placed> week = dateField(parts, DateToken.WEEK);
        Optional<Placed> weekYear = dateField(parts, DateToken.WEEK_YEAR);
        if (weekYear.isPresent() && week.isEmpty()) {
            throw weekYear.get()
                    .refused("is the year of an ISO week, which can differ from the calendar year around New Year: "
                            + "add {ww}, or use {yyyy}");
        }
        if (week.isPresent() && weekYear.isEmpty() && hasYearOfOtherDays(parts)) {
            throw week.get()
                    .refused("would be read with the wrong year around New Year: use {gggg}, the year of the week");
        }
    }

    /** Whether a part shows the calendar year or the fiscal year, which may differ from the year of the week. */
    private static boolean hasYearOfOtherDays(List<Placed> parts) {
        return Stream.of(
                        DateToken.YEAR,
                        DateToken.YEAR_OF_CENTURY,
                        DateToken.FISCAL_YEAR,
                        DateToken.FISCAL_YEAR_OF_CENTURY)
                .anyMatch(year -> dateField(parts, year).isPresent());
    }

    private static void boundedTexts(List<Placed> parts) {
        int longest =
                parts.stream().mapToInt(placed -> placed.part().maxLength()).sum();
        if (longest > Format.MAX_TEXT_LENGTH) {
            throw refused("texts could have " + longest + " characters, with " + FormatContext.MAX_NAME_LENGTH
                    + " for each {scope} and {name}: use at most " + Format.MAX_TEXT_LENGTH);
        }
    }

    private static boolean isNumber(Placed placed) {
        return placed.part() instanceof FormatPart.Numeric;
    }

    private static Optional<Placed> dateField(List<Placed> parts, DateToken token) {
        return parts.stream()
                .filter(placed -> placed.part() instanceof FormatPart.DateField field && field.token() == token)
                .findFirst();
    }
}
