package dev.numera.localhost;

import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A queue message, or the text that an admin call gives to a function in place of one.
 *
 * @param metadata by the exact names that {@code @BindingName} uses; times are JSON texts, quotes included
 */
record Message(String text, Map<String, Object> metadata) implements TriggerData {
    private static final DateTimeFormatter JSON_TIME = DateTimeFormatter.ofPattern("'\"'yyyy-MM-dd'T'HH:mm:ssxxx'\"'");
    private static final OffsetDateTime NEVER = OffsetDateTime.of(9999, 12, 31, 23, 59, 59, 0, ZoneOffset.UTC);

    static Message received(
            String text,
            String id,
            long dequeueCount,
            OffsetDateTime inserted,
            OffsetDateTime expires,
            OffsetDateTime nextVisible,
            String popReceipt) {
        Map<String, Object> metadata = new HashMap<>(Map.of(
                "QueueTrigger", text,
                "Id", id,
                "DequeueCount", dequeueCount,
                "InsertionTime", JSON_TIME.format(inserted),
                "ExpirationTime", JSON_TIME.format(expires),
                "NextVisibleTime", JSON_TIME.format(nextVisible),
                "PopReceipt", popReceipt));
        // A property of the payload replaces the metadata of that name in any case, under the metadata's spelling.
        JsonProperties.of(text)
                .forEach((name, value) -> metadata.put(
                        metadata.keySet().stream()
                                .filter(name::equalsIgnoreCase)
                                .findFirst()
                                .orElse(name),
                        value));
        return new Message(text, metadata);
    }

    /**
     * The text of an admin call: never in a queue, so it was never delivered before and never expires.
     *
     * @param text null for a call without one, which the function gets for its trigger
     */
    static Message typedIn(String text) {
        Message typed = received(text == null ? "" : text, "", 0, OffsetDateTime.now(ZoneOffset.UTC), NEVER, NEVER, "");
        return new Message(text, typed.metadata());
    }

    @Override
    public Object payload(Type wanted) {
        return Conversion.convert(text, wanted);
    }

    @Override
    public Optional<Object> metadata(String name) {
        return Optional.ofNullable(metadata.get(name));
    }
}
