package dev.numera.core.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Computes the entity tag of a definition from the fields that its owner can see.
 *
 * <p>Decision: {@code docs/decisions/the-etag-depends-only-on-the-definition.md}.
 */
final class EntityTag {
    private EntityTag() {}

    /** Returns the tag, including its quotes. */
    static String of(String id, Definition definition, @Nullable Instant retiredAt) {
        String content = DefinitionField.ALL.stream()
                .map(field -> delimited(field.of(definition)))
                .collect(Collectors.joining("", id + retiredAt, ""));
        return '"' + UUID.nameUUIDFromBytes(content.getBytes(UTF_8)).toString() + '"';
    }

    /**
     * Returns a value after its length. A separator would not be safe, because descriptions may contain any character.
     */
    private static String delimited(@Nullable Object value) {
        return value == null ? "-" : value.toString().length() + ":" + value;
    }
}
