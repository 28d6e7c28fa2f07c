package dev.numera.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A value that came from outside, and its place. Every read states a type and bounds; a value that is missing, of
 * another type or out of bounds is refused with its place and what is there instead. No read converts: "5" and 5.0 are
 * no integers. Immutable; every method that reads throws what its maker chose for a refusal.
 */
public final class Checked {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final int LAST_YEAR = 9_999;
    private static final int SHOWN_UNITS = 60;

    private final JsonNode node;
    private final String place;
    private final BiFunction<String, String, RuntimeException> refusal;

    private Checked(JsonNode node, String place, BiFunction<String, String, RuntimeException> refusal) {
        this.node = node;
        this.place = place;
        this.refusal = refusal;
    }

    /**
     * A value that was parsed.
     *
     * @param place of the value, such as {@code entries}
     * @param refusal what is thrown for a value that is not as its reader needs it: of its place, such as
     *     {@code entries[2][1]}, and of the reason, which reads on after the place without a full stop, as in "must be
     *     a string, not 5"
     */
    public static Checked of(JsonNode node, String place, BiFunction<String, String, RuntimeException> refusal) {
        return new Checked(node, place, refusal);
    }

    /** The value that a text holds, as {@link Json#read} takes it; the others are as for {@link #of}. */
    public static Checked parse(String text, String place, BiFunction<String, String, RuntimeException> refusal) {
        try {
            return new Checked(Json.read(text), place, refusal);
        } catch (JsonProcessingException e) {
            // Jackson's own message may repeat long parts of the text.
            throw refusal.apply(place, "is no JSON");
        }
    }

    public boolean isNull() {
        return node.isNull();
    }

    /** The elements of an array of this width. */
    public List<Checked> elements(int least, int most) {
        if (!node.isArray() || node.size() < least || node.size() > most) {
            throw refused("must be an array of " + (least == most ? "" + least : least + " to " + most) + " elements");
        }
        List<Checked> elements = new ArrayList<>(node.size());
        for (int i = 0; i < node.size(); i++) {
            elements.add(new Checked(node.get(i), place + "[" + i + "]", refusal));
        }
        return elements;
    }

    /** A member of an object; one that is missing is refused where it is read. */
    public Checked member(String name) {
        requireObject();
        JsonNode member = node.get(name);
        return new Checked(member == null ? MissingNode.getInstance() : member, place + "." + name, refusal);
    }

    /** A member of an object, if it is there; null is there. */
    public Optional<Checked> optional(String name) {
        requireObject();
        return node.has(name) ? Optional.of(member(name)) : Optional.empty();
    }

    private void requireObject() {
        if (!node.isObject()) {
            throw refused("must be an object");
        }
    }

    /** @param most UTF-16 units */
    public String string(int least, int most) {
        if (!node.isTextual()
                || node.textValue().length() < least
                || node.textValue().length() > most) {
            throw refused("must be a string" + length(least, most));
        }
        return node.textValue();
    }

    private static String length(int least, int most) {
        if (most == Integer.MAX_VALUE) {
            return least == 0 ? "" : " that is not empty";
        }
        return " of " + (least == most ? "" + least : least + " to " + most)
                + (most == 1 ? " character" : " characters");
    }

    public boolean bool() {
        if (!node.isBoolean()) {
            throw refused("must be true or false");
        }
        return node.booleanValue();
    }

    /** A number without a fraction and without an exponent. */
    public long int64(long least, long most) {
        if (!node.isIntegralNumber() || !isWithin(node.bigIntegerValue(), least, most)) {
            throw refused("must be an integer from " + least + " to " + most);
        }
        return node.longValue();
    }

    private static boolean isWithin(BigInteger number, long least, long most) {
        return number.compareTo(BigInteger.valueOf(least)) >= 0 && number.compareTo(BigInteger.valueOf(most)) <= 0;
    }

    /** As {@link #int64}. */
    public int int32(int least, int most) {
        return (int) int64(least, most);
    }

    /** An ISO date of the years 1 to 9999. */
    public LocalDate date() {
        LocalDate date = parsedDate();
        if (date == null || date.getYear() < 1 || date.getYear() > LAST_YEAR) {
            throw refused("must be a date such as 2026-11-21");
        }
        return date;
    }

    private @Nullable LocalDate parsedDate() {
        try {
            return node.isTextual() ? LocalDate.parse(node.textValue()) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** An ISO time of the years 1 to 9999, UTC: it has milliseconds since 1970 that fit 64 bits. */
    public Instant instant() {
        Instant instant = parsedInstant();
        if (instant == null || instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
            throw refused("must be a time such as 2026-11-21T09:30:00Z");
        }
        return instant;
    }

    private @Nullable Instant parsedInstant() {
        try {
            return node.isTextual() ? Instant.parse(node.textValue()) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** A string, a boolean or an integer of 64 bits; or null. */
    public @Nullable Object scalar() {
        if (node.isNull()) {
            return null;
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isTextual()) {
            return node.textValue();
        }
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw refused("must be a string, a boolean, an integer of 64 bits, or null");
        }
        return node.longValue();
    }

    /** The members of an object by their names, but for those that are null; of whatever kinds they are. */
    public Map<String, Object> plain() {
        requireObject();
        Map<String, Object> members = Json.members(node);
        members.values().removeIf(Objects::isNull);
        return members;
    }

    /**
     * What is to be thrown for a value that its reader refuses for a reason of its own.
     *
     * @param must as in "must be a key"; what is there instead is added
     */
    public RuntimeException refused(String must) {
        return refusal.apply(place, node.isMissingNode() ? "is missing: it " + must : must + ", not " + shown());
    }

    private String shown() {
        String json = node.toString();
        if (json.length() <= SHOWN_UNITS) {
            return json;
        }
        boolean isPairCut = Character.isHighSurrogate(json.charAt(SHOWN_UNITS - 1));
        return json.substring(0, isPairCut ? SHOWN_UNITS - 1 : SHOWN_UNITS) + "…";
    }
}
