package dev.numera.localhost;

import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A queue message, or the input of an admin call that replaces one.
 *
 * @param metadata the values for {@code @BindingName}, under its exact names; times are JSON strings, quotes included
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
        // A property of the payload replaces metadata of the same name, ignoring case. The spelling of the metadata is
        // kept.
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
     * Returns the input of an admin call as a message that was never delivered before and never expires.
     *
     * @param text the input; if it is null, the function's trigger is null
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
