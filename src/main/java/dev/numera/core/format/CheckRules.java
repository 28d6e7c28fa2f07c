package dev.numera.core.format;

import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.util.List;

/**
 * Rules for the check of a format that depend on the sequence: its range, scope and name. Every refusal is for field
 * {@code format}. Immutable.
 */
final class CheckRules {
    /** The most numbers to try until one has no check digit. Of 100 successive numbers some have none. */
    private static final int TRIED_NUMBERS = 1_000;

    private final List<FormatPart> parts;
    private final FormatContext context;

    CheckRules(List<FormatPart> parts, FormatContext context) {
        this.parts = parts;
        this.context = context;
    }

    /**
     * Refuses a check that covers fewer or more characters than its standard allows, and a reference of ISO 11649 with
     * other characters than digits, letters and blanks.
     */
    void requireCoverage() {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof FormatPart.ReferenceCheck check) {
                List<FormatPart> covered = parts.subList(i + 1, parts.size());
                requireCoverage(check.method(), covered);
                covered.forEach(part -> requireReferenceCharacters(check.method(), part));
            } else if (parts.get(i) instanceof FormatPart.Check check) {
                requireCoverage(check.method(), parts.subList(0, i));
            }
        }
    }

    /** Refuses a check without a substitute, with the first number that has no check digit. */
    void requireCheckOfEveryNumber(LocalDate today) {
        for (FormatPart part : parts) {
            if (part instanceof FormatPart.Check check
                    && check.method() instanceof WeightedModulus11 method
                    && method.substitute().isEmpty()) {
                throw withoutCheck(method, today);
            }
        }
    }

    private ProblemException withoutCheck(CheckMethod method, LocalDate today) {
        long last = Math.min(context.maxValue(), context.minValue() + TRIED_NUMBERS);
        for (long number = context.minValue(); number <= last; number++) {
            try {
                StringBuilder text = new StringBuilder();
                for (FormatPart part : parts) {
                    part.append(text, context, today, number);
                }
            } catch (ProblemException e) {
                return e;
            }
        }
        return InvalidRequest.because(
                "format",
                "{" + method.token() + "} has no check digit for some numbers: name a substitute, as in {"
                        + method.token() + ":X}");
    }

    private void requireCoverage(CheckMethod method, List<FormatPart> covered) {
        boolean isBounded = method.mostCovered() < Integer.MAX_VALUE;
        if (isBounded && context.minValue() < 0 && covered.stream().anyMatch(FormatPart.Number.class::isInstance)) {
            throw InvalidRequest.because(
                    "format",
                    "a reference with {" + method.token() + "} has no minus sign: choose a minValue of at least 0");
        }
        int least = 0;
        int most = 0;
        for (FormatPart part : covered) {
            least += least(part, method);
            most += most(part, method);
        }
        if (least < method.leastCovered() || most > method.mostCovered()) {
            throw InvalidRequest.because(
                    "format",
                    "{" + method.token() + "} must cover " + range(method.leastCovered(), method.mostCovered())
                            + " characters, but covers " + range(least, most) + " in the range " + context.minValue()
                            + " to " + context.maxValue() + ": give the number a width and choose a lower maxValue");
        }
    }

    private int least(FormatPart part, CheckMethod method) {
        if (part instanceof FormatPart.Number number) {
            return Math.max(number.width(), ZeroPadded.digits(leastMagnitude()));
        }
        return most(part, method);
    }

    private int most(FormatPart part, CheckMethod method) {
        if (part instanceof FormatPart.Number number) {
            long greatest = Math.max(Math.abs(context.minValue()), Math.abs(context.maxValue()));
            return Math.max(number.width(), ZeroPadded.digits(greatest));
        } else if (part instanceof FormatPart.ReversedNumber number) {
            return number.width();
        } else if (part instanceof FormatPart.Fixed fixed) {
            return (int) fixed.text(context)
                    .chars()
                    .filter(character -> method.covers((char) character))
                    .count();
        }
        return part.length(context);
    }

    private long leastMagnitude() {
        return context.contains(0) ? 0 : Math.min(Math.abs(context.minValue()), Math.abs(context.maxValue()));
    }

    private void requireReferenceCharacters(CheckMethod method, FormatPart part) {
        boolean isFine = !(part instanceof FormatPart.Fixed fixed)
                || fixed.text(context).chars().allMatch(c -> c == ' ' || method.covers((char) c));
        if (!isFine) {
            throw InvalidRequest.because(
                    "format",
                    "a reference of ISO 11649 has only digits, letters and blanks for groups: leave other characters"
                            + " out");
        }
    }

    private static String range(int least, int most) {
        return least == most ? Integer.toString(least) : least + " to " + most;
    }
}
