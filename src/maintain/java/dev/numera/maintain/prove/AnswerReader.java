package dev.numera.maintain.prove;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.json.Checked;
import dev.numera.maintain.history.KeyStatus;
import dev.numera.maintain.history.LedgerEntry;
import dev.numera.maintain.history.LedgerEntry.EntryKind;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import java.util.List;
import java.util.Optional;

/** Reads answers of the app and checks types and bounds. Every method throws {@link Unreadable} if a check fails. */
final class AnswerReader {
    private static final int TEXT_MAX = 1_000;
    private static final int PAGE_MAX = 10_000;

    /** The answer does not have the form that the app's answers have. */
    static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Unreadable(String message) {
            super(message);
        }
    }

    private AnswerReader() {}

    private static Checked checked(JsonNode body) {
        return new Checked(body, "answer", (place, reason) -> new Unreadable(place + " " + reason));
    }

    static Allocated numbers(JsonNode body, boolean hasKey) {
        Checked answer = checked(body);
        return new Allocated(
                number(answer, "first"),
                number(answer, "last"),
                answer.member("count").int32(1, Integer.MAX_VALUE),
                number(answer, "increment"),
                answer.optional("replayed").map(Checked::bool).orElse(false),
                hasKey ? status(answer) : null);
    }

    /** Reads the numbers in the refusal {@code key-void}. They are a replay: the key got them before it was voided. */
    static Allocated numbersOfVoidKey(JsonNode body) {
        Checked answer = checked(body).member("allocation");
        return new Allocated(
                number(answer, "first"),
                number(answer, "last"),
                answer.member("count").int32(1, Integer.MAX_VALUE),
                number(answer, "increment"),
                true,
                KeyStatus.voided(reason(answer)));
    }

    static KeyStatus status(JsonNode body) {
        return status(checked(body));
    }

    private static KeyStatus status(Checked answer) {
        String status =
                answer.optional("status").map(word -> word.string(1, TEXT_MAX)).orElse("issued");
        return switch (status) {
            case "issued" -> KeyStatus.ISSUED;
            case "reserved" -> KeyStatus.RESERVED;
            case "void" -> KeyStatus.voided(reason(answer));
            default -> throw answer.refused("must have a status");
        };
    }

    private static String reason(Checked answer) {
        return answer.member("reason").string(1, TEXT_MAX);
    }

    /** Reads which numbers an advance skipped; empty if the counter was already further on. */
    static Optional<Allocated> skipped(JsonNode body) {
        Checked answer = checked(body);
        long from = number(answer, "previousNext");
        long next = number(answer, "next");
        if (next <= from) {
            return Optional.empty();
        }
        return Optional.of(new Allocated(from, next - 1, (int) Math.min(Integer.MAX_VALUE, next - from), 1, false));
    }

    static List<LedgerEntry> entries(JsonNode body) {
        return checked(body).member("entries").elements(0, PAGE_MAX).stream()
                .map(AnswerReader::entry)
                .toList();
    }

    static Optional<String> continuation(JsonNode body) {
        return checked(body).optional("continuation").map(place -> place.string(1, Integer.MAX_VALUE));
    }

    private static LedgerEntry entry(Checked entry) {
        String kind = entry.member("kind").string(1, TEXT_MAX);
        long first = number(entry, "first");
        long last = number(entry, "last");
        boolean isAdvance = kind.equals("advance");
        return new LedgerEntry(
                isAdvance ? EntryKind.ADVANCE : kind.equals("import") ? EntryKind.IMPORT : EntryKind.ALLOCATION,
                isAdvance ? null : entry.member("key").string(1, TEXT_MAX),
                first,
                last,
                isAdvance ? last - first + 1 : entry.member("count").int64(0, Integer.MAX_VALUE),
                isAdvance ? null : status(entry));
    }

    private static long number(Checked answer, String name) {
        return answer.member(name).int64(-Long.MAX_VALUE, Long.MAX_VALUE);
    }
}
