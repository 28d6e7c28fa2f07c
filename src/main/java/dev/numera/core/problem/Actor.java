package dev.numera.core.problem;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of an actor: the name that the caller stated, and after U+001F an id for which a gateway vouches. No
 * name can contain U+001F, so no caller can state an id, and an actor without an id is stored as before ids existed.
 * Both parts are one value: a version that replaces the name of a status also replaces the id.
 */
public final class Actor {
    /** The maximum length of an id. */
    public static final int MAX_ID_CHARACTERS = 80;

    private static final char SEPARATOR = '\u001F';
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:@-]{1,80}");

    private Actor() {}

    /** Whether the text can be an id: 1 to 80 characters of {@code A-Z a-z 0-9 . _ : @ -}. */
    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Returns the stored form; null for an actor without a name and an id. */
    public static @Nullable String of(@Nullable String name, @Nullable String id) {
        return id == null ? name : (name == null ? "" : name) + SEPARATOR + id;
    }

    /** Returns the name of a stored actor; null if it has none. */
    public static @Nullable String name(@Nullable String stored) {
        return stored == null || end(stored) == 0 ? null : stored.substring(0, end(stored));
    }

    /** Returns the id of a stored actor; null if no gateway vouched for one. */
    public static @Nullable String id(@Nullable String stored) {
        return stored == null || end(stored) == stored.length() ? null : stored.substring(end(stored) + 1);
    }

    /** Returns the name under a field's name, and the id under that name with {@code Id}; either may be missing. */
    public static Map<String, String> fields(String field, String stored) {
        Map<String, String> fields = new LinkedHashMap<>();
        String name = name(stored);
        if (name != null) {
            fields.put(field, name);
        }
        String id = id(stored);
        if (id != null) {
            fields.put(field + "Id", id);
        }
        return fields;
    }

    /** Whether a text is a stored actor, with a printable name of at most {@code maxUnits} UTF-16 units. */
    public static boolean isStored(String text, int maxUnits) {
        String name = name(text);
        String id = id(text);
        return (name != null || id != null)
                && (name == null || PrintableText.flaw(name, maxUnits).isEmpty())
                && (id == null || isId(id));
    }

    private static int end(String stored) {
        int separator = stored.indexOf(SEPARATOR);
        return separator < 0 ? stored.length() : separator;
    }
}
