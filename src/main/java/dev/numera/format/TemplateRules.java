package dev.numera.format;

import dev.numera.format.TemplateCompiler.Placed;
import java.util.List;
import java.util.Optional;

/** What a template must obey as a whole; every refusal is for field {@code format}. Pure functions. */
final class TemplateRules {
    private TemplateRules() {}

    static void check(List<Placed> parts) {
        oneNumber(parts);
        oneCheckAfterDigits(parts);
        weekWithItsYear(parts);
        boundedTexts(parts);
    }

    private static void oneNumber(List<Placed> parts) {
        List<Placed> numbers = parts.stream().filter(TemplateRules::isNumber).toList();
        if (numbers.isEmpty()) {
            throw TemplateCompiler.refused("the template has no number: put {n}, {n:6} or {r:10} into it");
        }
        if (numbers.size() > 1) {
            throw numbers.get(1).refused("is a second number: keep one of {n} and {r}");
        }
    }

    private static void oneCheckAfterDigits(List<Placed> parts) {
        List<Placed> checks = parts.stream()
                .filter(placed -> placed.part() instanceof FormatPart.Check)
                .toList();
        if (checks.size() > 1) {
            throw checks.get(1).refused("is a second check: keep one");
        }
        if (checks.size() == 1 && !isAfterDigits(checks.get(0), parts)) {
            throw checks.get(0).refused("has nothing before it that is sure to hold a digit: put it after the number");
        }
    }

    private static boolean isAfterDigits(Placed check, List<Placed> parts) {
        CheckDigit method = ((FormatPart.Check) check.part()).method();
        return parts.subList(0, parts.indexOf(check)).stream().anyMatch(placed -> isCovered(placed.part(), method));
    }

    private static boolean isCovered(FormatPart part, CheckDigit method) {
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
                    .refused("is the year of an ISO week, which around New Year is not that of the date: "
                            + "add {ww}, or use {yyyy}");
        }
        boolean hasOtherYear = dateField(parts, DateToken.YEAR).isPresent()
                || dateField(parts, DateToken.YEAR_OF_CENTURY).isPresent()
                || dateField(parts, DateToken.FISCAL_YEAR).isPresent()
                || dateField(parts, DateToken.FISCAL_YEAR_OF_CENTURY).isPresent();
        if (week.isPresent() && weekYear.isEmpty() && hasOtherYear) {
            throw week.get()
                    .refused("would be read with the wrong year around New Year: use {gggg}, the year of the week");
        }
    }

    private static void boundedTexts(List<Placed> parts) {
        int longest =
                parts.stream().mapToInt(placed -> placed.part().maxLength()).sum();
        if (longest > Format.MAX_TEXT_LENGTH) {
            throw TemplateCompiler.refused(
                    "texts could have " + longest + " characters, with " + FormatContext.MAX_NAME_LENGTH
                            + " for each {scope} and {name}: use at most " + Format.MAX_TEXT_LENGTH);
        }
    }

    private static boolean isNumber(Placed placed) {
        return placed.part() instanceof FormatPart.Numeric;
    }

    private static Optional<Placed> dateField(List<Placed> parts, DateToken token) {
        return parts.stream()
                .filter(placed -> placed.part().equals(new FormatPart.DateField(token)))
                .findFirst();
    }
}
