package dev.numera.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value from outside the app, with its place in the input. The reader states a type and bounds; the exception for any
 * other value names the place and shows the value. Nothing is converted: "5" and 5.0 are not integers. Immutable. The
 * creator chooses which exception the reading methods throw.
 */
public final class Checked {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final int SHOWN_UNITS = 60;

    private final JsonNode node;
    /** Composed only for a refusal: a page of the ledger has thousands of values, and hardly ever a wrong one. */
    private final Supplier<String> place;

    private final BiFunction<String, String, RuntimeException> refusal;

    /**
     * Wraps a parsed value.
     *
     * @param place of the value, such as {@code entries}
     * @param refusal creates the exception for a wrong value. Its arguments are the place, such as
     *     {@code entries[2][1]}, and a reason that continues the sentence, such as "must be a string, not 5", without a
     *     full stop
     */
    public Checked(JsonNode node, String place, BiFunction<String, String, RuntimeException> refusal) {
        this.node = node;
        this.place = () -> place;
        this.refusal = refusal;
    }

    private Checked(JsonNode node, Supplier<String> place, BiFunction<String, String, RuntimeException> refusal) {
        this.node = node;
        this.place = place;
        this.refusal = refusal;
    }

    /** Parses a text with {@link Json#read}, and wraps the value. */
    public static Checked parse(String text, String place, BiFunction<String, String, RuntimeException> refusal) {
        try {
            return new Checked(Json.read(text), place, refusal);
        } catch (JsonProcessingException e) {
            // Drops Jackson's message, which may repeat long parts of the text.
            throw refusal.apply(place, "is no JSON");
        }
    }

    public boolean isNull() {
        return node.isNull();
    }

    /** Returns the elements of an array with {@code least} to {@code most} elements. */
    public List<Checked> elements(int least, int most) {
        if (!node.isArray() || node.size() < least || node.size() > most) {
            throw refused("must be an array of " + (least == most ? "" + least : least + " to " + most) + " elements");
        }
        List<Checked> elements = new ArrayList<>(node.size());
        for (int i = 0; i < node.size(); i++) {
            int index = i;
            elements.add(new Checked(node.get(i), () -> place.get() + "[" + index + "]", refusal));
        }
        return elements;
    }

    /** Returns a member of an object. A missing member is refused only when it is read. */
    public Checked member(String name) {
        requireObject();
        JsonNode member = node.get(name);
        return new Checked(
                member == null ? MissingNode.getInstance() : member, () -> place.get() + "." + name, refusal);
    }

    /** Returns a member of an object; empty if it is missing. A member with the value null counts as present. */
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

    /** Reads an integer without a fraction and without an exponent. */
    public long int64(long least, long most) {
        boolean isLong = node.isIntegralNumber() && node.canConvertToLong();
        if (!isLong || node.longValue() < least || node.longValue() > most) {
            throw refused("must be an integer from " + least + " to " + most);
        }
        return node.longValue();
    }

    /** Like {@link #int64}, for 32 bits. */
    public int int32(int least, int most) {
        return (int) int64(least, most);
    }

    /** Reads an ISO date of the years 1 to 9999. */
    public LocalDate date() {
        LocalDate date = node.isTextual() ? parsedDate(node.textValue()) : null;
        if (date == null || date.getYear() < 1) {
            throw refused("must be a date such as 2026-11-21");
        }
        return date;
    }

    /**
     * Parses a date with a year of four digits; returns null for any other text. {@link LocalDate#parse} takes about
     * ten times as long, and a month's check reads a date for each number.
     */
    private static @Nullable LocalDate parsedDate(String text) {
        if (text.length() != 10 || text.charAt(4) != '-' || text.charAt(7) != '-') {
            return null;
        }
        try {
            return LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
        } catch (DateTimeException e) {
            return null;
        }
    }

    /**
     * Reads a part of a text as a number; returns -1, which no date contains, if a character is no digit from 0 to 9.
     */
    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            number = 10 * number + digit - '0';
        }
        return number;
    }

    /** Reads an ISO time of the years 1 to 9999 in UTC. Its milliseconds since 1970 fit 64 bits. */
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

    /** Reads a string, a boolean, a 64-bit integer, or null. */
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

    /** Returns the members of an object by their names, of any type, without those whose value is null. */
    public Map<String, Object> plain() {
        requireObject();
        Map<String, Object> members = Json.members(node);
        members.values().removeIf(Objects::isNull);
        return members;
    }

    /**
     * Returns the exception for a value that its reader refuses for another reason.
     *
     * @param must continues the sentence after the place, as in "must be a key"; the actual value is appended
     */
    public RuntimeException refused(String must) {
        return refusal.apply(place.get(), node.isMissingNode() ? "is missing: it " + must : must + ", not " + shown());
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
