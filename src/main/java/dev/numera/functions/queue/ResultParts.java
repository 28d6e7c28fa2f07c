package dev.numera.functions.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Status;
import dev.numera.core.problem.Actor;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.json.Fields;
import dev.numera.json.Json;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.RowResult;
import dev.numera.sequences.lists.Upload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits the answer to a batch into parts that fit one message each.
 *
 * <p>Parts are ASCII without characters that XML escapes. A message travels as XML, so each character takes exactly one
 * byte, and no part contains a character that XML forbids.
 *
 * <p>The numbers of a {@code count} are divided at the same places each time their batch is delivered: every piece
 * reserves the room that it needs as a replay, before its numbers are confirmed and after any actor has confirmed them.
 * A batch of keys may be split at other keys, because a key may have become void or have got its number since. Clients
 * collect it by key: the longest status or problem of each key would take the room of several keys.
 */
final class ResultParts {
    private static final int LARGEST_PART_NUMBER = 99_999;
    private static final long CHARACTERS_OF_A_PROBLEM = 2_000;
    private static final String LONGEST_TIME = Instant.EPOCH.plusNanos(1).toString();
    private static final Map<String, String> LONGEST_ACTOR = Map.of(
            "statusActor", "\uFFFF".repeat(PrintableText.ACTOR.maxUnits()),
            "statusActorId", "i".repeat(Actor.MAX_ID_CHARACTERS));
    private static final ObjectWriter ASCII = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build()
            .writer()
            .with(new XmlNeutral());

    private final ObjectNode head;
    private final int capacityBytes;

    /**
     * @param head the fields at the start of each part
     * @param capacityBytes the most bytes of a part
     */
    ResultParts(ObjectNode head, int capacityBytes) {
        this.head = head;
        this.capacityBytes = capacityBytes;
    }

    /** Returns the most characters that all parts of an answer have. */
    static long characters(List<RowResult<NumberRequest>> items) {
        return items.stream()
                .map(item -> item.result().value())
                .mapToLong(printed -> printed == null ? CHARACTERS_OF_A_PROBLEM : printed.characters())
                .sum();
    }

    /** Returns the only part of a refused batch, with its problem. */
    String rejected(ProblemException problem) {
        return ascii(part(Upload.Status.REJECTED, 1, 1, List.of()).set("problem", Fields.of(problem)));
    }

    /** Returns the parts in order. There must be at least one item. */
    List<String> parts(List<RowResult<NumberRequest>> items) {
        Upload.Status status =
                items.stream().noneMatch(RowResult::isRefused) ? Upload.Status.NUMBERED : Upload.Status.PARTIAL;
        int room = capacityBytes
                - ascii(part(status, LARGEST_PART_NUMBER, LARGEST_PART_NUMBER, List.of()))
                        .length();
        Filling filling = new Filling(room);
        for (RowResult<NumberRequest> item : items) {
            ProblemException problem = item.result().problem();
            if (problem == null) {
                divide(item.result().orThrow(), room)
                        .forEach(piece -> filling.add(Fields.of(piece.members()), roomFor(piece)));
            } else {
                ObjectNode refused = Fields.refused(
                        Objects.requireNonNull(item.requested().keyAsSent(), "Each request of a batch has a key."),
                        problem);
                filling.add(refused, ascii(refused).length());
            }
        }
        List<String> parts = new ArrayList<>();
        for (List<ObjectNode> allocations : filling.parts) {
            parts.add(ascii(part(status, parts.size() + 1, filling.parts.size(), allocations)));
        }
        return parts;
    }

    private ObjectNode part(Upload.Status status, int part, int parts, List<ObjectNode> allocations) {
        ObjectNode json = head.deepCopy()
                .put("status", EnumWord.of(status))
                .put("part", part)
                .put("parts", parts);
        json.putArray("allocations").addAll(allocations);
        return json;
    }

    /** Splits an allocation into consecutive ones, each with as many texts as fit. */
    private static List<PrintedAllocation> divide(PrintedAllocation printed, int room) {
        List<String> texts = printed.texts();
        if (texts == null || roomFor(printed) <= room) {
            return List.of(printed);
        }
        int roomForTexts = room - roomFor(printed.part(Long.MIN_VALUE, Long.MIN_VALUE, printed.count(), List.of()));
        List<PrintedAllocation> pieces = new ArrayList<>();
        int from = 0;
        int used = 0;
        for (int to = 0; to < printed.count(); to++) {
            int length = ascii(Json.of(texts.get(to))).length() + 1;
            if (used + length > roomForTexts) {
                pieces.add(piece(printed, texts, from, to));
                from = to;
                used = 0;
            }
            used += length;
        }
        pieces.add(piece(printed, texts, from, printed.count()));
        return pieces;
    }

    private static PrintedAllocation piece(PrintedAllocation whole, List<String> texts, int from, int to) {
        return whole.part(
                whole.first() + from * whole.increment(),
                whole.first() + (to - 1) * whole.increment(),
                to - from,
                texts.subList(from, to));
    }

    private static int roomFor(PrintedAllocation printed) {
        ObjectNode json = Fields.of(printed.replayed(true).members());
        if (json.has("status")) {
            json.put("status", EnumWord.of(Status.Kind.RESERVED)).put("statusAt", LONGEST_TIME);
            if (printed.count() > 1) {
                json.setAll(Fields.of(LONGEST_ACTOR));
            }
        }
        return ascii(json).length();
    }

    private static String ascii(JsonNode json) {
        try {
            return ASCII.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree of JSON nodes can always be written.", e);
        }
    }

    /** Distributes allocations over parts, one part after the other. */
    private static final class Filling {
        private final int room;
        private final List<List<ObjectNode>> parts = new ArrayList<>();
        private int left;

        Filling(int room) {
            this.room = room;
        }

        void add(ObjectNode allocation, int length) {
            int withComma = length + 1;
            if (parts.isEmpty() || withComma > left) {
                parts.add(new ArrayList<>());
                left = room;
            }
            parts.get(parts.size() - 1).add(allocation);
            left -= withComma;
        }
    }

    /** Escapes the characters of XML markup in JSON. */
    private static final class XmlNeutral extends CharacterEscapes {
        private final int[] escapes = standardAsciiEscapesForJSON();

        XmlNeutral() {
            escapes['<'] = ESCAPE_STANDARD;
            escapes['>'] = ESCAPE_STANDARD;
            escapes['&'] = ESCAPE_STANDARD;
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return escapes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return null;
        }
    }
}
